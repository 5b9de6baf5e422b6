import { html } from "../../html/html.ts";
import type { OpenConsentWords } from "../en/open_consent.ts";

export const openConsentWords: OpenConsentWords = {
  unknown: "eine unbekannte Anwendung",
  verified: "Bestätigte Adresse",
  unproven: "Selbst registriert, nicht bestätigt",
  callsItself: (name) => html`Sie nennt sich ${name}.`,
  saidByItself: "Nach Angabe der Anwendung, nicht geprüft",
  hiddenName: {
    deceptive:
      "Der Name, den sie sich selbst gibt, wird nicht angezeigt: Er ist so geschrieben, dass er täuschen könnte.",
    resembles:
      "Der Name, den sie sich selbst gibt, wird nicht angezeigt: Er könnte mit dem einer anderen Anwendung verwechselt werden.",
  },
  warning: {
    loopback:
      "Die Antwort geht an ein Programm auf diesem Gerät. Welches das ist, lässt sich nicht prüfen. Erlauben Sie den Zugriff nur, wenn Sie es gerade selbst gestartet haben.",
    private_scheme:
      "Die Antwort geht an das Programm auf diesem Gerät, das solche Adressen öffnet. Welches das ist, lässt sich nicht prüfen. Erlauben Sie den Zugriff nur, wenn Sie es gerade selbst gestartet haben.",
  },
  answersAt: (places) => html`Die Antworten gehen an ${places}.`,
  newly: "Neu: Die Anwendung darf dann",
  already: "Bereits erlaubt",
  at: "Bei",
  identifier: "Kennung",
};
