import { html } from "../../html/html.ts";
import type { SudoWords } from "../en/sudo.ts";
import { plural } from "./plural.ts";

export const sudoWords: SudoWords = {
  title: "Bestätigen Sie Ihre Identität",
  lead: "Sie sind dabei, etwas zu ändern, das Ihr Konto oder das anderer schützt. Bisher wurde nichts geändert.",
  password: "Passwort",
  wrongPassword: "Dieses Passwort ist falsch.",
  mailboxLead: (email) => html`Wir können einen Code an ${email} senden.`,
  providerLead: "Melden Sie sich dort noch einmal an. Danach kommen Sie hierher zurück.",
  confirmWith: (provider) => `Mit ${provider} bestätigen`,
  confirmedLead: "Ihre Identität ist bestätigt. Schließen Sie ab, was Sie begonnen haben.",
  finish: "Abschließen",
  sendAgain: (time) =>
    `Ihre Eingaben waren zu lang, um sie aufzubewahren. Gehen Sie zurück und senden Sie sie noch einmal: ${time} lang werden Sie nicht erneut gefragt.`,
  sendMailCode: "Code senden",
  mailCodeLabel: "Code aus der E-Mail",
  mailCodeHelp: (time) => `Er funktioniert einmal und ${time} lang.`,
  wrongMailCode: "Dieser Code ist falsch oder abgelaufen.",
  mailSubject: (server) => `Ihr Code für ${server}`,
  mailAsked: (server) =>
    `Sie sind dabei, bei ${server} etwas zu ändern, das Ihr Konto schützt. Bestätigen Sie es mit diesem Code:`,
  mailMinutes: plural({
    one: (figure) => `Er funktioniert einmal und ${figure} Minute lang.`,
    other: (figure) => `Er funktioniert einmal und ${figure} Minuten lang.`,
  }),
  mailOther:
    "Wenn Sie das nicht waren, ist jemand anderes in Ihrem Konto angemeldet: Beenden Sie Ihre Sitzungen und informieren Sie einen Administrator des Servers.",
  throttled: "Das wurde in kurzer Zeit zu oft versucht.",
  changedMeanwhile:
    "Sie haben es im selben Moment in einem anderen Fenster bestätigt. Bitte bestätigen Sie es hier noch einmal.",
  noWay:
    "Für Ihr Konto ist nichts eingerichtet, womit Sie es hier bestätigen könnten. Ein Administrator des Servers kann Ihnen helfen.",
  lostPasskey: "Ich habe diesen Passkey nicht mehr",
  cancel: "Abbrechen",
  submit: "Bestätigen und fortfahren",
};
