import { html } from "../../html/html.ts";
import type { ConsentWords } from "../en/consent.ts";
import { plural } from "./plural.ts";

export const consentWords: ConsentWords = {
  title: (client) => `¿Permitir ${client}?`,
  heading: (client) => html`¿Permitir que ${client} use tu cuenta?`,
  unverified:
    "Esta aplicación se ejecuta en tu propio dispositivo, así que no se puede comprobar su identidad. Continúa solo si la has abierto tú.",
  able: "Podrá",
  allowedBefore: "Ya permitido",
  ownWords: "Descrito por la aplicación",
  undescribed: "Sin descripción",
  organization: "Organización",
  details: "Datos sobre ti",
  as: "Sesión iniciada como",
  registeredBy: "Registrada por",
  beforeNow: "Último uso",
  neverUsed: "Nunca con esta cuenta",
  goesTo: "Después vuelves a",
  moreScopes: plural({ one: (figure) => `${figure} más`, other: (figure) => `${figure} más` }),
  website: "Sitio web",
  policy: "Política de privacidad",
  terms: "Condiciones del servicio",
  deny: "Denegar",
  allow: "Permitir",
};
