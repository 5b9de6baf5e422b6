import { html } from "../../html/html.ts";
import type { OpenConsentWords } from "../en/open_consent.ts";

export const openConsentWords: OpenConsentWords = {
  unknown: "una aplicación desconocida",
  verified: "Dirección verificada",
  unproven: "Se registró ella misma, sin verificar",
  callsItself: (name) => html`Se hace llamar ${name}.`,
  saidByItself: "Según la propia aplicación; sin verificar",
  hiddenName: {
    deceptive: "No se muestra el nombre que se da: está escrito de forma que podría engañar.",
    resembles: "No se muestra el nombre que se da: podría confundirse con el de otra aplicación.",
  },
  warning: {
    loopback:
      "La respuesta va a un programa de este dispositivo y no se puede comprobar cuál es. Continúa solo si lo has abierto tú.",
    private_scheme:
      "La respuesta va al programa de este dispositivo que abre esas direcciones y no se puede comprobar cuál es. Continúa solo si lo has abierto tú.",
  },
  answersAt: (places) => html`Sus respuestas van a ${places}.`,
  newly: "Nuevo: podrá",
  already: "Ya permitido",
  at: "En",
  identifier: "Identificador",
};
