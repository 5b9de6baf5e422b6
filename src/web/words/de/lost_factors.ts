import { html } from "../../html/html.ts";
import type { LostFactorsWords } from "../en/lost_factors.ts";

export const lostFactorsWords: LostFactorsWords = {
  why: "Ihre zweiten Faktoren wurden entfernt.",
  sent: (email) => html`Wir haben einen Code an ${email} gesendet.`,
  label: "Code aus der E-Mail",
  help: (time) => `Die Ziffern aus der neuesten E-Mail. Sie sind ${time} gültig.`,
  wrong: "Das ist nicht der Code aus der neuesten E-Mail.",
  expired: "Dieser Code ist abgelaufen. Wir haben einen neuen gesendet.",
  tooMany: "Es wurde kein Code gesendet, weil zu viele angefordert wurden. Versuchen Sie es später wieder.",
  mail: {
    subject: (server) => `Ihr Code für ${server}`,
    says: (server) =>
      `Jemand meldet sich bei Ihrem Konto bei ${server} an. Dessen zweite Faktoren wurden entfernt, deshalb wird einmal nach diesem Code gefragt.`,
    code: (code) => `Der Code lautet: ${code}`,
    caution:
      "Geben Sie ihn an niemanden weiter und nur dort ein, wo Sie die Anmeldung begonnen haben. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.",
  },
  signedIn: {
    title: "Sie sind angemeldet",
    lead: "Ihr Konto hat jetzt keinen zweiten Faktor. Richten Sie einen neuen ein, damit Ihr Passwort allein nicht genügt.",
    setUp: "Zweiten Faktor einrichten",
    later: "Ohne zweiten Faktor fortfahren",
  },
};
