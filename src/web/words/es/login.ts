import { html } from "../../html/html.ts";
import type { LoginWords } from "../en/login.ts";
import { plural } from "./plural.ts";

export const loginWords: LoginWords = {
  title: "Iniciar sesión",
  lead: "con tu dirección de correo electrónico y tu contraseña",
  leadTo: (client) => html`para continuar a ${client}`,
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Iniciar sesión",
  again: {
    title: "Confirma que eres tú",
    asked: (client) => html`Para continuar a ${client} tienes que iniciar sesión de nuevo.`,
    tooOld: (client) =>
      html`Ha pasado un tiempo desde que iniciaste sesión. Para continuar a ${client} tienes que hacerlo de nuevo.`,
    application: "la aplicación",
    signedInAs: (name) => html`Has iniciado sesión como ${name}.`,
  },
  keepSignedIn: {
    label: plural({
      one: (figure) => `Mantener la sesión iniciada durante ${figure} día`,
      other: (figure) => `Mantener la sesión iniciada durante ${figure} días`,
    }),
    help: "Solo en un dispositivo tuyo. Al cerrar la sesión, termina.",
  },
  failures: {
    refused: "Correo electrónico o contraseña incorrectos.",
    throttled: "Ha habido demasiados intentos.",
    out_of_date: "El formulario había caducado. Inténtalo de nuevo.",
  },
  why: "Así nadie puede ir probando contraseñas. Todo lo demás sigue igual.",
  againInSeconds: plural({
    one: (figure) => `Puedes volver a intentarlo en ${figure} segundo.`,
    other: (figure) => `Puedes volver a intentarlo en ${figure} segundos.`,
  }),
  againInMinutes: plural({
    one: (figure) => `Puedes volver a intentarlo en ${figure} minuto.`,
    other: (figure) => `Puedes volver a intentarlo en ${figure} minutos.`,
  }),
};
