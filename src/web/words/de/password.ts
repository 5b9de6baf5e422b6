import { html } from "../../html/html.ts";
import type { PasswordWords } from "../en/password.ts";
import { plural } from "./plural.ts";

export const passwordWords: PasswordWords = {
  forgotLink: "Passwort vergessen?",
  forgotTitle: "Passwort vergessen?",
  forgotLead:
    "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.",
  email: "E-Mail-Adresse",
  sendLink: "Link senden",
  backToSignIn: "Zurück zur Anmeldung",
  outOfDate: "Dieses Formular war veraltet. Bitte versuchen Sie es noch einmal.",
  emailError: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.",
  tooMany: "Das wurde in kurzer Zeit zu oft angefordert.",
  askedTitle: "Prüfen Sie Ihr Postfach",
  askedLead: plural({
    one: (figure) =>
      `Wenn es zu dieser Adresse ein Konto gibt, ist eine E-Mail dorthin unterwegs. Der Link darin funktioniert einmal und ${figure} Minute lang.`,
    other: (figure) =>
      `Wenn es zu dieser Adresse ein Konto gibt, ist eine E-Mail dorthin unterwegs. Der Link darin funktioniert einmal und ${figure} Minuten lang.`,
  }),
  askedHint:
    "Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach und prüfen Sie, ob es die Adresse Ihres Kontos ist.",
  askedFor: (email) => html`Sie haben ${email} eingegeben.`,
  otherAddress: "Andere Adresse verwenden",
  signInOtherwise: {
    lead: "Ihr Konto hat kein Passwort. Melden Sie sich wie bisher an und entfernen Sie alles, was nicht Ihnen gehört:",
    passkey: "Mit Ihrem Passkey",
    provider: (provider) => `Mit Ihrem Konto bei ${provider}`,
  },
  offTitle: "Kein E-Mail-Versand",
  offLead:
    "Dieser Server versendet keine E-Mails und kann Ihnen deshalb keinen Link senden. Ein Administrator kann ein neues Passwort für Sie festlegen.",
  resetTitle: "Neues Passwort festlegen",
  resetLead: "Sie werden überall abgemeldet und melden sich danach mit dem neuen Passwort an.",
  newPassword: "Neues Passwort",
  newPasswordAgain: "Neues Passwort wiederholen",
  passwordHint: plural({
    one: (figure) =>
      `Mindestens ${figure} Zeichen. Ein paar zufällige Wörter sind sicherer als ein einzelnes ungewöhnliches.`,
    other: (figure) =>
      `Mindestens ${figure} Zeichen. Ein paar zufällige Wörter sind sicherer als ein einzelnes ungewöhnliches.`,
  }),
  setPassword: "Passwort festlegen",
  tooShort: "Dieses Passwort ist zu kurz.",
  tooLong: "Dieses Passwort ist zu lang.",
  tooCommon: "Dieses Passwort ist zu verbreitet und leicht zu erraten.",
  differs: "Die beiden Passwörter stimmen nicht überein.",
  deadTitle: "Dieser Link ist abgelaufen oder wurde bereits verwendet",
  deadLead: "Möglicherweise hat ihn ein neuerer ersetzt. Fordern Sie einen neuen Link an.",
  askAgain: "Neuen Link anfordern",
  doneTitle: "Ihr Passwort ist festgelegt",
  doneLead: "Sie wurden überall abgemeldet. Melden Sie sich mit Ihrem neuen Passwort an.",
  signIn: "Anmelden",
  mailGreeting: "Guten Tag!",
  mailSubject: (server) => `Neues Passwort für ${server} festlegen`,
  mailAsked: (server) =>
    `Jemand hat für das Konto mit dieser Adresse bei ${server} ein neues Passwort angefordert. Mit diesem Link können Sie eines festlegen:`,
  mailButton: "Neues Passwort festlegen",
  mailOnce: plural({
    one: (figure) =>
      `Er funktioniert einmal und ${figure} Minute lang. Wenn Sie ihn erneut anfordern, gilt nur der neueste Link.`,
    other: (figure) =>
      `Er funktioniert einmal und ${figure} Minuten lang. Wenn Sie ihn erneut anfordern, gilt nur der neueste Link.`,
  }),
  mailIgnore: "Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.",
  mailNoWaySubject: (server) => `Ihr Konto bei ${server}`,
  mailInactive: (server) =>
    `Jemand hat für das Konto mit dieser Adresse bei ${server} ein neues Passwort angefordert. Das Konto ist deaktiviert, deshalb lässt sich kein Passwort festlegen. Ein Administrator des Servers kann es wieder aktivieren.`,
  mailNoPassword: (server) =>
    `Jemand hat für das Konto mit dieser Adresse bei ${server} ein neues Passwort angefordert. Das Konto hat kein Passwort. Sie melden sich auf andere Weise an:`,
  mailByPasskey: "– mit einem Ihrer Passkeys",
  mailByProvider: (provider) => `– mit Ihrem Konto bei ${provider}`,
  mailSetLater: "Sobald Sie angemeldet sind, können Sie unter „Konto“ ein Passwort festlegen.",
  mailNothingToDo: "Wenn Sie das nicht waren, müssen Sie nichts tun.",
};
