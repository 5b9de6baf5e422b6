import type { SignUpWords } from "../en/sign_up.ts";
import { plural } from "./plural.ts";

export const signUpWords: SignUpWords = {
  link: "Konto erstellen",
  title: "Konto erstellen",
  lead: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen eine E-Mail, mit der es weitergeht.",
  domains: (domains) => `Registrieren können sich Adressen dieser Domains: ${domains}.`,
  invited: "Registrieren können sich eingeladene Personen.",
  submit: "E-Mail senden",
  askedTitle: "Sehen Sie in Ihr Postfach",
  askedLead: plural({
    one: (figure) =>
      `Wenn sich diese Adresse registrieren kann, ist eine E-Mail dorthin unterwegs. Öffnen Sie innerhalb von ${figure} Minute den Link darin oder geben Sie hier den Code ein.`,
    other: (figure) =>
      `Wenn sich diese Adresse registrieren kann, ist eine E-Mail dorthin unterwegs. Öffnen Sie innerhalb von ${figure} Minuten den Link darin oder geben Sie hier den Code ein.`,
  }),
  askedHint:
    "Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach und prüfen Sie, ob die Adresse stimmt.",
  code: "Code aus der E-Mail",
  useCode: "Weiter",
  wrongCode: "Das ist nicht der Code aus der E-Mail.",
  endedCode:
    "Dieser Code ist nicht mehr gültig. Öffnen Sie den Link in der E-Mail oder fordern Sie eine neue E-Mail an.",
  askAgain: "Neue E-Mail anfordern",
  finishTitle: "Konto erstellen",
  finishLead: "Wählen Sie einen Namen und ein Passwort, dann ist Ihr Konto fertig.",
  make: "Konto erstellen",
  existsTitle: "Sie haben bereits ein Konto",
  existsLead: "Zu dieser Adresse gibt es bereits ein Konto. Melden Sie sich damit an.",
  deadTitle: "Dieser Link ist nicht mehr gültig",
  deadLead: "Fordern Sie eine neue E-Mail an, um Ihr Konto zu erstellen.",
  readyTitle: "Ihr Konto ist fertig",
  readyLead:
    "Sie sind hier angemeldet. Wenn Sie in einem anderen Browser oder in einer Anwendung begonnen haben, kehren Sie dorthin zurück und melden Sie sich an.",
  toAccount: "Zu Ihrem Konto",
  mailSubject: (server) => `Ihr Konto bei ${server} erstellen`,
  mailAsked: (server) =>
    `Jemand möchte mit dieser Adresse ein Konto bei ${server} erstellen. Mit diesem Link geht es weiter:`,
  mailButton: "Konto erstellen",
  mailCode: (code) =>
    `In dem Browser, in dem Sie begonnen haben, können Sie stattdessen diesen Code eingeben: ${code}`,
  mailOnce: plural({
    one: (figure) => `Link und Code sind ${figure} Minute gültig.`,
    other: (figure) => `Link und Code sind ${figure} Minuten gültig.`,
  }),
  mailIgnore:
    "Wenn Sie das nicht waren, müssen Sie nichts tun. Geben Sie den Code an niemanden weiter: Dann wird kein Konto erstellt.",
  mailExists: (server) =>
    `Jemand möchte mit dieser Adresse ein Konto bei ${server} erstellen. Sie haben dort bereits eines. Melden Sie sich hier an:`,
  mailForgot: "Wenn Sie das Passwort nicht mehr wissen, legen Sie hier ein neues fest:",
  mailInactive: (server) =>
    `Jemand möchte mit dieser Adresse ein Konto bei ${server} erstellen. Sie haben dort bereits eines, und es ist deaktiviert. Ein Administrator des Servers kann es wieder aktivieren.`,
};
