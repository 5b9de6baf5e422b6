import { html } from "../../html/html.ts";
import type { LostPasskeyWords } from "../en/lost_passkey.ts";
import { plural } from "./plural.ts";

export const lostPasskeyWords: LostPasskeyWords = {
  title: "Ya no tengo mi llave de acceso",
  administrator:
    "Administras este servidor. Pide a otro administrador que quite tu llave de acceso; no hay otra manera.",
  tooLittleLeft: (lost) =>
    `Para esto hace falta una contraseña o una cuenta vinculada, y otro segundo factor. No tienes ambas cosas. Cierra la sesión, entra con tu contraseña o tu cuenta vinculada y elige «${lost}» cuando se te pida un segundo factor. Si no tienes ninguna de las dos, pide ayuda a un administrador del servidor.`,
  lead: plural({
    one: (figure) => `La llave de acceso se quita tras esperar ${figure} hora.`,
    other: (figure) => `La llave de acceso se quita tras esperar ${figure} horas.`,
  }),
  going: "Se quita:",
  steps: {
    proofs: "Lo confirmas con dos factores que aún tienes y con un código que te enviamos por correo.",
    mails:
      "Te avisamos por correo cuando empieza la espera, a la mitad y antes del final. Con cada correo se puede cancelar.",
    use: "Usar la llave de acceso también la cancela.",
    after:
      "Después, tus otros factores confirman los cambios de tu cuenta y puedes añadir una llave de acceso nueva.",
  },
  waiting: (when) =>
    html`La espera ha empezado. La llave de acceso se quita después del ${when}. Si la encuentras mientras tanto, úsala.`,
  banner: (when) =>
    html`Alguien dice que ya no tiene la llave de acceso de tu cuenta. Se quita después del ${when}.`,
  link: {
    title: "Conserva tu llave de acceso",
    lead: "Alguien dice que ya no tiene la llave de acceso de tu cuenta, y se va a quitar. Si no eres tú, cancélalo.",
    done: "Tu llave de acceso se conserva. Alguien conoce tu contraseña, tiene otro factor tuyo y puede leer tu correo: cambia ambas contraseñas y quita los factores que no sean tuyos.",
  },
  codeSays: (server) =>
    `Alguien que ha iniciado sesión en tu cuenta de ${server} dice que ya no tiene su llave de acceso. Con este código puede hacer que se quite:`,
  mailUntil: (when) => `La llave de acceso se quita después del ${when}, si no se cancela ni se usa.`,
};
