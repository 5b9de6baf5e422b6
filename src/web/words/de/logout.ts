import { html } from "../../html/html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "Abmelden?",
  asks: (client) => html`${client} möchte Sie hier abmelden.`,
  signsOut: "Sie werden in diesem Browser abgemeldet.",
  offline: "Anwendungen, denen Sie Zugriff in Ihrer Abwesenheit erlaubt haben, behalten ihn.",
  keeping: "Diese Anwendungen behalten Zugriff auf Ihr Konto:",
  stay: "Angemeldet bleiben",
  submit: "Abmelden",
  submitEverything: "Überall abmelden und alle Zugriffe beenden",
  doneTitle: "Abgemeldet",
  done: "Sie sind abgemeldet",
  safe: "Sie können dieses Fenster jetzt schließen.",
  noneTitle: "Nicht angemeldet",
  none: "Sie sind hier nicht angemeldet",
  noneEnded:
    "Es wurde keine Sitzung beendet. Wenn Sie auf einem anderen Gerät oder in einem anderen Browser angemeldet sind, melden Sie sich dort ab.",
  unregistered:
    "Sie werden nicht zur Anwendung zurückgeleitet: Die gewünschte Adresse ist für sie nicht registriert.",
  unproven:
    "Sie werden nicht zur Anwendung zurückgeleitet: Sie hat nicht nachgewiesen, welche Anwendung sie ist.",
  returnTo: (client) => html`Zurück zu ${client}`,
  returnToApplication: "Zurück zur Anwendung",
  leadsTo: (place) => html`Der Link führt zu ${place}.`,
  again: "Erneut anmelden",
};
