import { html } from "../../html/html.ts";
import type { LostPasskeyWords } from "../en/lost_passkey.ts";
import { plural } from "./plural.ts";

export const lostPasskeyWords: LostPasskeyWords = {
  title: "Ich habe meinen Passkey nicht mehr",
  administrator:
    "Sie verwalten diesen Server. Bitten Sie einen anderen Administrator, Ihren Passkey zu entfernen. Einen anderen Weg gibt es nicht.",
  tooLittleLeft: (lost) =>
    `Dafür brauchen Sie ein Passwort oder ein verknüpftes Konto und einen weiteren zweiten Faktor. Sie haben nicht beides. Melden Sie sich ab, melden Sie sich mit Ihrem Passwort oder verknüpften Konto wieder an, und wählen Sie „${lost}“, wo nach einem zweiten Faktor gefragt wird. Wenn Sie beides nicht haben, wenden Sie sich an einen Administrator des Servers.`,
  lead: plural({
    one: (figure) => `Der Passkey wird nach einer Wartezeit von ${figure} Stunde entfernt.`,
    other: (figure) => `Der Passkey wird nach einer Wartezeit von ${figure} Stunden entfernt.`,
  }),
  going: "Entfernt wird:",
  steps: {
    proofs:
      "Sie bestätigen das mit zwei Faktoren, die Sie noch haben, und mit einem Code, den wir Ihnen per E-Mail senden.",
    mails:
      "Wir informieren Sie zu Beginn, zur Hälfte und vor dem Ende der Wartezeit per E-Mail. In jeder E-Mail können Sie den Vorgang abbrechen.",
    use: "Auch wenn der Passkey verwendet wird, bricht das den Vorgang ab.",
    after:
      "Nach der Wartezeit bestätigen Sie Änderungen an Ihrem Konto mit Ihren anderen Faktoren und können einen neuen Passkey hinzufügen.",
  },
  waiting: (when) =>
    html`Die Wartezeit hat begonnen. Der Passkey wird nach diesem Zeitpunkt entfernt: ${when}. Wenn Sie ihn inzwischen finden, verwenden Sie ihn einfach.`,
  banner: (when) =>
    html`Jemand gibt an, den Passkey Ihres Kontos nicht mehr zu haben. Er wird nach diesem Zeitpunkt entfernt: ${when}.`,
  link: {
    title: "Passkey behalten",
    lead: "Jemand gibt an, den Passkey Ihres Kontos nicht mehr zu haben, und er soll entfernt werden. Wenn Sie das nicht sind, brechen Sie den Vorgang ab.",
    done: "Ihr Passkey bleibt. Jemand kennt Ihr Passwort, hat einen weiteren Ihrer Faktoren und kann Ihre E-Mails lesen: Ändern Sie beide Passwörter, und entfernen Sie Faktoren, die nicht Ihnen gehören.",
  },
  codeSays: (server) =>
    `Jemand, der in Ihrem Konto bei ${server} angemeldet ist, gibt an, den Passkey nicht mehr zu haben. Mit diesem Code lässt er sich entfernen:`,
  mailUntil: (when) =>
    `Der Passkey wird nach diesem Zeitpunkt entfernt, wenn der Vorgang nicht abgebrochen und der Passkey nicht verwendet wird: ${when}.`,
};
