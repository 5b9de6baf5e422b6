import { html } from "../../html/html.ts";
import type { RecoveryWords } from "../en/recovery.ts";
import { plural } from "./plural.ts";

export const recoveryWords: RecoveryWords = {
  title: "Ich habe alle zweiten Faktoren verloren",
  back: "Zurück",
  administrator:
    "Sie verwalten diesen Server. Bitten Sie einen anderen Administrator, Ihre zweiten Faktoren zurückzusetzen. Einen anderen Weg gibt es nicht.",
  lead: plural({
    one: (figure) =>
      `Wenn Sie keinen Ihrer zweiten Faktoren mehr haben, können Sie nach einer Wartezeit von ${figure} Stunde neue einrichten.`,
    other: (figure) =>
      `Wenn Sie keinen Ihrer zweiten Faktoren mehr haben, können Sie nach einer Wartezeit von ${figure} Stunden neue einrichten.`,
  }),
  steps: {
    mailbox: "Wir senden Ihnen einen Code per E-Mail, um sicherzugehen, dass das Postfach Ihnen gehört.",
    mails:
      "Wir informieren Sie zu Beginn, zur Hälfte und am Ende der Wartezeit per E-Mail. In jeder E-Mail können Sie den Vorgang abbrechen.",
    factors: "Auch eine Anmeldung mit einem Ihrer zweiten Faktoren bricht ihn ab.",
    after:
      "Nach der Wartezeit kehren Sie in diesen Browser zurück, melden sich mit Ihrem Passwort an und richten neue zweite Faktoren ein.",
  },
  ask: "Code per E-Mail senden",
  asked: (email) => html`Wir haben einen Code an ${email} gesendet.`,
  label: "Code aus der E-Mail",
  help: (time) => `Die Ziffern aus der neuesten E-Mail. Sie sind ${time} gültig.`,
  wrong: "Das ist nicht der Code aus der neuesten E-Mail.",
  expired:
    "Dieser Code ist abgelaufen, oder es wurden zu viele falsche eingegeben. Lassen Sie sich einen neuen senden.",
  throttled: "Es wurde kein Code gesendet, weil zu viele angefordert wurden. Versuchen Sie es später wieder.",
  begin: "Wartezeit beginnen",
  waiting: (when) =>
    html`Die Wartezeit hat begonnen. Kehren Sie in diesen Browser zurück, und zwar nach: ${when}.`,
  told: "Sie erhalten eine E-Mail, wenn sie vorbei ist. Wenn Sie inzwischen einen Ihrer zweiten Faktoren finden, melden Sie sich einfach damit an.",
  elsewhere: (when) =>
    html`In einem anderen Browser wurde eine Wartezeit begonnen, bis: ${when}. Fahren Sie dort fort, oder brechen Sie den Vorgang über den Link in der E-Mail ab und beginnen Sie hier von vorn.`,
  ready:
    "Die Wartezeit ist vorbei. Ihre alten zweiten Faktoren wurden entfernt, und Sie sind überall abgemeldet.",
  finish: "Neue zweite Faktoren einrichten",
  atSignIn: {
    waiting: (when) =>
      html`Sie warten auf neue zweite Faktoren. In diesem Browser können Sie sie nach diesem Zeitpunkt einrichten: ${when}. Eine Anmeldung mit einem vorhandenen zweiten Faktor bricht die Wartezeit ab.`,
    elsewhere: (when) =>
      html`Jemand gibt in einem anderen Browser an, alle Ihre zweiten Faktoren seien verloren. Ab diesem Zeitpunkt lassen sich dort neue einrichten: ${when}. Eine Anmeldung mit einem vorhandenen zweiten Faktor bricht das ab.`,
    ready: "Die Wartezeit ist vorbei. Sie können jetzt neue zweite Faktoren einrichten.",
    open: "Einrichten",
    look: "Über die Wartezeit",
  },
  banner: {
    says: (when) =>
      html`Jemand gibt an, die zweiten Faktoren Ihres Kontos verloren zu haben. Ab diesem Zeitpunkt lassen sich neue einrichten: ${when}.`,
    cancel: "Vorgang abbrechen",
  },
  link: {
    title: "Zweite Faktoren behalten",
    lead: "Jemand wartet darauf, die zweiten Faktoren Ihres Kontos zu ersetzen. Wenn Sie das nicht sind, brechen Sie den Vorgang ab.",
    submit: "Vorgang abbrechen",
    doneTitle: "Abgebrochen",
    done: "Ihre zweiten Faktoren bleiben. Jemand kennt Ihr Passwort und kann Ihre E-Mails lesen: Ändern Sie beide Passwörter.",
    deadTitle: "Nichts abzubrechen",
    dead: "Der Vorgang, um den es in diesem Link ging, ist beendet oder wurde bereits abgebrochen.",
    secure: "Sichern Sie Ihr Konto",
  },
  code: {
    subject: (server) => `Ihr Code für ${server}`,
    says: (server) =>
      `Jemand, der das Passwort Ihres Kontos bei ${server} kennt, gibt an, alle zweiten Faktoren verloren zu haben. Mit diesem Code lassen sich neue beantragen:`,
    caution:
      "Geben Sie ihn an niemanden weiter und nur dort ein, wo Sie die Anmeldung begonnen haben. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.",
  },
  mails: {
    recovery_started: (when) =>
      `Neue zweite Faktoren können erst nach diesem Zeitpunkt eingerichtet werden: ${when}.`,
    recovery_halfway: (when) =>
      `Neue zweite Faktoren können erst nach diesem Zeitpunkt eingerichtet werden: ${when}.`,
    recovery_ready: (when) =>
      `Öffnen Sie den Browser, in dem Sie es beantragt haben, und melden Sie sich dort an. Das geht bis: ${when}.`,
  },
};
