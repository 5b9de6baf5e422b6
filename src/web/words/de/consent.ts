import { html } from "../../html/html.ts";
import type { ConsentWords } from "../en/consent.ts";
import { plural } from "./plural.ts";

export const consentWords: ConsentWords = {
  title: (client) => `${client} Zugriff erlauben?`,
  heading: (client) => html`${client} den Zugriff auf Ihr Konto erlauben?`,
  unverified:
    "Diese Anwendung läuft auf Ihrem eigenen Gerät, deshalb lässt sich ihre Identität nicht prüfen. Erlauben Sie den Zugriff nur, wenn Sie sie gerade selbst gestartet haben.",
  able: "Die Anwendung darf dann",
  allowedBefore: "Bereits erlaubt",
  ownWords: "Beschreibung der Anwendung",
  undescribed: "Keine Beschreibung angegeben",
  organization: "Organisation",
  details: "Angaben über Sie",
  as: "Angemeldet als",
  registeredBy: "Registriert von",
  beforeNow: "Zuletzt verwendet",
  neverUsed: "Noch nie mit diesem Konto",
  goesTo: "Danach geht es zurück zu",
  moreScopes: plural({ one: (figure) => `${figure} weitere`, other: (figure) => `${figure} weitere` }),
  website: "Webauftritt",
  policy: "Datenschutzerklärung",
  terms: "Nutzungsbedingungen",
  deny: "Ablehnen",
  allow: "Erlauben",
};
