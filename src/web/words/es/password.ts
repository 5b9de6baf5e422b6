import { html } from "../../html/html.ts";
import type { PasswordWords } from "../en/password.ts";
import { plural } from "./plural.ts";

export const passwordWords: PasswordWords = {
  forgotLink: "¿Olvidaste tu contraseña?",
  forgotTitle: "¿Olvidaste tu contraseña?",
  forgotLead: "Escribe tu correo electrónico y te enviaremos un enlace para elegir una contraseña nueva.",
  email: "Correo electrónico",
  sendLink: "Enviar el enlace",
  backToSignIn: "Volver al inicio de sesión",
  outOfDate: "El formulario había caducado. Inténtalo de nuevo.",
  emailError: "Escribe una dirección de correo electrónico, por ejemplo nombre@example.com.",
  tooMany: "Se ha pedido muchas veces en poco tiempo.",
  askedTitle: "Revisa tu correo",
  askedLead: plural({
    one: (figure) =>
      `Si alguna cuenta tiene esta dirección, le llegará un mensaje en breve. El enlace que contiene sirve una sola vez, durante ${figure} minuto.`,
    other: (figure) =>
      `Si alguna cuenta tiene esta dirección, le llegará un mensaje en breve. El enlace que contiene sirve una sola vez, durante ${figure} minutos.`,
  }),
  askedFor: (email) => html`Has escrito ${email}.`,
  otherAddress: "Usar otra dirección",
  askedHint:
    "¿No llega nada tras unos minutos? Mira en la carpeta de correo no deseado y comprueba que la dirección sea la de tu cuenta.",
  offTitle: "Este servidor no envía correo",
  offLead:
    "Este servidor no envía correo, así que no puede mandarte un enlace. Quien lo administra puede asignarte una contraseña nueva.",
  resetTitle: "Elige una contraseña nueva",
  resetLead: "Se cerrarán todas tus sesiones y entrarás con la contraseña nueva.",
  newPassword: "Contraseña nueva",
  newPasswordAgain: "Repite la contraseña",
  passwordHint: plural({
    one: (figure) =>
      `Al menos ${figure} carácter. Unas pocas palabras sin relación son más seguras que una sola palabra poco común.`,
    other: (figure) =>
      `Al menos ${figure} caracteres. Unas pocas palabras sin relación son más seguras que una sola palabra poco común.`,
  }),
  setPassword: "Guardar la contraseña",
  tooShort: "Esta contraseña es demasiado corta.",
  tooLong: "Esta contraseña es demasiado larga.",
  tooCommon: "Esta contraseña es demasiado común.",
  differs: "Las dos contraseñas no coinciden.",
  deadTitle: "Este enlace ha caducado o ya se ha usado",
  deadLead: "Puede que otro más reciente lo haya sustituido. Pide uno nuevo.",
  askAgain: "Pedir un enlace nuevo",
  doneTitle: "Tu contraseña está guardada",
  doneLead: "Se han cerrado todas tus sesiones. Inicia sesión con la contraseña nueva.",
  signIn: "Iniciar sesión",
  mailGreeting: "Hola:",
  mailSubject: (server) => `Elige una contraseña nueva en ${server}`,
  mailAsked: (server) =>
    `Alguien pidió una contraseña nueva para la cuenta que tiene esta dirección en ${server}. Con este enlace puedes elegirla:`,
  mailButton: "Elegir una contraseña nueva",
  mailOnce: plural({
    one: (figure) =>
      `Sirve una sola vez, durante ${figure} minuto. Si lo pides de nuevo, solo vale el enlace más reciente.`,
    other: (figure) =>
      `Sirve una sola vez, durante ${figure} minutos. Si lo pides de nuevo, solo vale el enlace más reciente.`,
  }),
  mailIgnore: "Si no fuiste tú, no hagas nada: tu contraseña sigue siendo la misma.",
  mailNoWaySubject: (server) => `Tu cuenta en ${server}`,
  mailInactive: (server) =>
    `Alguien pidió una contraseña nueva para la cuenta que tiene esta dirección en ${server}. La cuenta está desactivada, así que no se le puede asignar una contraseña. Quien administra el servidor puede activarla de nuevo.`,
  mailNoPassword: (server) =>
    `Alguien pidió una contraseña nueva para la cuenta que tiene esta dirección en ${server}. La cuenta no tiene contraseña. Entras en ella de otra forma:`,
  mailByPasskey: "– con una de tus llaves de acceso",
  mailByProvider: (provider) => `– con tu cuenta de ${provider}`,
  mailSetLater: "Cuando hayas iniciado sesión, podrás establecer una contraseña en «Cuenta».",
  signInOtherwise: {
    lead: "Tu cuenta no tiene contraseña. Inicia sesión como antes y elimina todo lo que no sea tuyo:",
    passkey: "Con tu llave de acceso",
    provider: (provider) => `Con tu cuenta de ${provider}`,
  },
  mailNothingToDo: "Si no fuiste tú, no tienes que hacer nada.",
};
