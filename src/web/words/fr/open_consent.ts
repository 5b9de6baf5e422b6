import { html } from "../../html/html.ts";
import type { OpenConsentWords } from "../en/open_consent.ts";

export const openConsentWords: OpenConsentWords = {
  unknown: "une application inconnue",
  verified: "Adresse vérifiée",
  unproven: "Enregistrée d’elle-même, non vérifiée",
  callsItself: (name) => html`Elle se présente comme ${name}.`,
  saidByItself: "Selon l’application elle-même, non vérifié",
  hiddenName: {
    deceptive: "Le nom qu’elle se donne n’est pas affiché : il est écrit de façon à pouvoir tromper.",
    resembles:
      "Le nom qu’elle se donne n’est pas affiché : il pourrait être confondu avec celui d’une autre application.",
  },
  warning: {
    loopback:
      "La réponse est envoyée à un programme de cet appareil, et il est impossible de vérifier lequel. N’autorisez l’accès que si vous venez de le lancer vous-même.",
    private_scheme:
      "La réponse est envoyée au programme de cet appareil qui ouvre ce type d’adresse, et il est impossible de vérifier lequel. N’autorisez l’accès que si vous venez de le lancer vous-même.",
  },
  answersAt: (places) => html`Ses réponses sont envoyées à ${places}.`,
  newly: "Nouveau : l’application pourra",
  already: "Déjà autorisé",
  at: "Sur",
  identifier: "Identifiant",
};
