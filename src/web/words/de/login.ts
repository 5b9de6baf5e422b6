import { html } from "../../html/html.ts";
import type { LoginWords } from "../en/login.ts";
import { plural } from "./plural.ts";

export const loginWords: LoginWords = {
  title: "Anmelden",
  lead: "mit E-Mail-Adresse und Passwort",
  leadTo: (client) => html`um mit ${client} fortzufahren`,
  email: "E-Mail-Adresse",
  password: "Passwort",
  submit: "Anmelden",
  keepSignedIn: {
    label: plural({
      one: (figure) => `${figure} Tag lang angemeldet bleiben`,
      other: (figure) => `${figure} Tage lang angemeldet bleiben`,
    }),
    help: "Nur auf einem eigenen Gerät. Abmelden beendet die Sitzung.",
  },
  failures: {
    refused: "E-Mail-Adresse oder Passwort ist falsch.",
    throttled: "Es gab zu viele Versuche.",
    out_of_date: "Dieses Formular war veraltet. Bitte versuchen Sie es noch einmal.",
  },
  again: {
    title: "Bestätigen Sie Ihre Identität",
    asked: (client) => html`Melden Sie sich noch einmal an, um mit ${client} fortzufahren.`,
    tooOld: (client) =>
      html`Ihre Anmeldung liegt schon eine Weile zurück. Melden Sie sich noch einmal an, um mit ${client} fortzufahren.`,
    application: "der Anwendung",
    signedInAs: (name) => html`Sie sind als ${name} angemeldet.`,
  },
  why: "Das schützt vor dem Erraten von Passwörtern. Alles andere funktioniert wie bisher.",
  againInSeconds: plural({
    one: (figure) => `Sie können es in ${figure} Sekunde wieder versuchen.`,
    other: (figure) => `Sie können es in ${figure} Sekunden wieder versuchen.`,
  }),
  againInMinutes: plural({
    one: (figure) => `Sie können es in ${figure} Minute wieder versuchen.`,
    other: (figure) => `Sie können es in ${figure} Minuten wieder versuchen.`,
  }),
};
