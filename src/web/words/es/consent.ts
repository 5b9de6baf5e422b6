import { html } from "../../html.ts";
import type { ConsentWords } from "../en/consent.ts";

export const consentWords: ConsentWords = {
  title: (client) => `¿Permitir ${client}?`,
  heading: (client) => html`¿Permitir que ${client} use tu cuenta?`,
  unverified:
    "Esta aplicación se ejecuta en tu propio dispositivo, así que no se puede comprobar su identidad. Permítela solo si acabas de abrirla tú.",
  able: "Podrá",
  allowedBefore: "Ya permitido",
  ownWords: "Descrito por la aplicación",
  undescribed: "Definido por el servicio al que pertenece",
  as: "Como",
  registeredBy: "Registrada por",
  beforeNow: "Hasta ahora",
  neverUsed: "Sin uso con esta cuenta",
  goesTo: "Continúas en",
  deny: "Denegar",
  allow: "Permitir",
};
