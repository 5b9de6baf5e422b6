import type { SignUpWords } from "../en/sign_up.ts";
import { plural } from "./plural.ts";

export const signUpWords: SignUpWords = {
  link: "Crear una cuenta",
  title: "Crea una cuenta",
  lead: "Escribe tu correo electrónico y te enviaremos un mensaje para continuar.",
  domains: (domains) => `Pueden registrarse las direcciones de estos dominios: ${domains}.`,
  invited: "Pueden registrarse las personas invitadas.",
  submit: "Enviar el mensaje",
  askedTitle: "Revisa tu correo",
  askedLead: plural({
    one: (figure) =>
      `Si esta dirección puede registrarse, le llegará un mensaje en breve. Abre su enlace en ${figure} minuto o escribe aquí su código.`,
    other: (figure) =>
      `Si esta dirección puede registrarse, le llegará un mensaje en breve. Abre su enlace en ${figure} minutos o escribe aquí su código.`,
  }),
  askedHint:
    "¿No llega nada tras unos minutos? Mira en la carpeta de correo no deseado y comprueba que la dirección sea correcta.",
  code: "Código del mensaje",
  useCode: "Continuar",
  wrongCode: "Este no es el código del mensaje.",
  endedCode: "Este código ya no sirve. Abre el enlace del mensaje o pide uno nuevo.",
  askAgain: "Pedir un mensaje nuevo",
  finishTitle: "Crea tu cuenta",
  finishLead: "Elige un nombre y una contraseña y tu cuenta estará lista.",
  make: "Crear la cuenta",
  existsTitle: "Ya tienes una cuenta",
  existsLead: "Hay una cuenta con esta dirección. Inicia sesión con ella.",
  deadTitle: "Este enlace ha caducado o ya se ha usado",
  deadLead: "Pide un mensaje nuevo para crear tu cuenta.",
  readyTitle: "Tu cuenta está lista",
  readyLead:
    "Has iniciado sesión aquí. Si empezaste en otro navegador o en una aplicación, vuelve allí e inicia sesión.",
  toAccount: "Ir a tu cuenta",
  mailSubject: (server) => `Crea tu cuenta en ${server}`,
  mailAsked: (server) =>
    `Alguien quiere crear una cuenta con esta dirección en ${server}. Continúa con este enlace:`,
  mailButton: "Crear la cuenta",
  mailCode: (code) => `En el navegador donde empezaste también puedes escribir este código: ${code}`,
  mailOnce: plural({
    one: (figure) => `El enlace y el código sirven durante ${figure} minuto.`,
    other: (figure) => `El enlace y el código sirven durante ${figure} minutos.`,
  }),
  mailIgnore: "Si no fuiste tú, no hagas nada y no des el código a nadie: no se creará ninguna cuenta.",
  mailExists: (server) =>
    `Alguien quiere crear una cuenta con esta dirección en ${server}. Ya tienes una. Inicia sesión aquí:`,
  mailForgot: "Si ya no recuerdas la contraseña, elige una nueva aquí:",
  mailInactive: (server) =>
    `Alguien quiere crear una cuenta con esta dirección en ${server}. Ya tienes una y está desactivada. Quien administra el servidor puede activarla de nuevo.`,
};
