import { html } from "../../html/html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "¿Cerrar sesión?",
  asks: (client) => html`${client} pide cerrar tu sesión aquí.`,
  signsOut: "Se cerrará tu sesión en este navegador.",
  offline: "Las aplicaciones a las que permitiste conservar el acceso cuando no estás lo conservarán.",
  keeping: "Estas aplicaciones conservan el acceso a tu cuenta:",
  stay: "Seguir con la sesión iniciada",
  submit: "Cerrar sesión",
  submitEverything: "Cerrar todas las sesiones y terminar todos los accesos",
  doneTitle: "Sesión cerrada",
  done: "Has cerrado la sesión",
  safe: "Ya puedes cerrar esta ventana.",
  noneTitle: "Sin sesión iniciada",
  none: "Aquí no has iniciado sesión",
  noneEnded:
    "No se ha cerrado ninguna sesión. Si has iniciado sesión en otro dispositivo o navegador, ciérrala allí.",
  unregistered: "No se te devuelve a la aplicación: la dirección que pidió no está registrada para ella.",
  unproven: "No se te devuelve a la aplicación: no ha demostrado qué aplicación es.",
  returnTo: (client) => html`Volver a ${client}`,
  returnToApplication: "Volver a la aplicación",
  leadsTo: (place) => html`El enlace lleva a ${place}.`,
  again: "Volver a iniciar sesión",
};
