import { html } from "../../html/html.ts";
import type { SecondFactorWords } from "../en/second_factor.ts";
import { plural } from "./plural.ts";

export const secondFactorWords: SecondFactorWords = {
  title: "Zweiter Schritt",
  lead: (email) => html`Bestätigen Sie noch einmal, dass Sie es sind: ${email}.`,
  submit: "Weiter",
  cancel: "Abbrechen",
  others: "Andere Methoden",
  lost: "Ich habe alle verloren",
  ways: {
    passkey: "Passkey verwenden",
    totp: "Authenticator-App verwenden",
    recovery_code: "Wiederherstellungscode verwenden",
    mail_code: "Code per E-Mail verwenden",
  },
  totp: {
    label: "Code aus Ihrer Authenticator-App",
    help: "Die 6 Ziffern, die die App gerade anzeigt.",
    wrong:
      "Dieser Code ist falsch oder wurde bereits verwendet. Geben Sie den Code ein, den die App gerade anzeigt.",
    late: "Dieser Code ist einige Minuten alt: Die Uhr Ihres Geräts geht falsch. Lassen Sie Ihr Gerät die Zeit automatisch einstellen und geben Sie dann einen neuen Code ein.",
  },
  recoveryCode: {
    label: "Wiederherstellungscode",
    help: "Einer der Codes mit 16 Zeichen, die Sie aufbewahrt haben. Jeder funktioniert einmal.",
    wrong: "Das ist keiner Ihrer Wiederherstellungscodes, oder er wurde bereits verwendet.",
  },
  remember: {
    label: plural({
      one: (figure) => `Auf diesem Gerät ${figure} Tag lang nicht fragen`,
      other: (figure) => `Auf diesem Gerät ${figure} Tage lang nicht fragen`,
    }),
    help: "Nur auf einem eigenen Gerät. Nach Ihrem Passwort werden Sie weiterhin gefragt.",
  },
  passkey: { none: "Keiner Ihrer Passkeys funktioniert hier. Wählen Sie eine andere Methode." },
  ended: {
    title: "Zu viele falsche Codes",
    lead: "Zu Ihrer Sicherheit wurde diese Anmeldung beendet. Beginnen Sie noch einmal mit Ihrem Passwort.",
    again: "Erneut anmelden",
  },
  used: {
    title: "Sie sind angemeldet",
    advice:
      "Wenn Sie Ihre Authenticator-App verloren haben, entfernen Sie sie und fügen Sie eine andere hinzu. Neue Codes ersetzen die vorhandenen.",
    security: "Sicherheit Ihres Kontos",
    goOn: "Weiter",
  },
};
