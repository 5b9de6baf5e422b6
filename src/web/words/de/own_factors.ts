import { html } from "../../html/html.ts";
import type { OwnFactorsWords } from "../en/own_factors.ts";

export const ownFactorsWords: OwnFactorsWords = {
  apps: {
    title: "Authenticator-Apps",
    lead: "Eine App auf Ihrem Smartphone zeigt einen Code an, den Sie nach dem Passwort eingeben.",
    none: "Sie haben noch keine Authenticator-App.",
    name: "Name",
    added: "Hinzugefügt",
    lastUsed: "Zuletzt verwendet",
    never: "Noch nicht",
    rename: "Umbenennen",
    renameOf: (name) => html`Umbenennen: ${name}`,
    remove: "Entfernen",
    removeOf: (name) => html`Entfernen: ${name}`,
    add: "Authenticator-App hinzufügen",
  },
  enrol: {
    title: "Authenticator-App hinzufügen",
    lead: (time) =>
      `Jede App für Einmalcodes ist geeignet. Geben Sie ihr diesen Schlüssel. Dafür haben Sie ${time} Zeit.`,
    scan: "Bild scannen",
    qr: "Der Schlüssel als QR-Code",
    type: "Oder den Schlüssel eingeben",
    open: "In einer App auf diesem Gerät öffnen",
    name: "Name der App oder des Geräts",
    optionalName: "Name der App oder des Geräts (optional)",
    nameHelp: "Daran unterscheiden Sie Ihre Apps, zum Beispiel: mein Smartphone.",
    suggested: "Authenticator-App",
    tooMany: "Sie haben die Höchstzahl an Authenticator-Apps erreicht. Entfernen Sie zuerst eine.",
    submit: "Hinzufügen",
    cancel: "Abbrechen",
  },
  mailbox: {
    title: "Postfach bestätigen",
    lead: (time) =>
      `Dieses Gerät ist noch nicht ${time} lang bekannt. Deshalb brauchen wir zusätzlich einen Code per E-Mail.`,
    sent: (email) => html`Ein Code ist an ${email} unterwegs.`,
    code: "Code aus der E-Mail",
    submit: "Weiter",
    wrong: "Das ist nicht der Code aus der neuesten E-Mail.",
    ended: "Dieser Code ist abgelaufen oder wurde zu oft probiert. Beginnen Sie von vorn.",
    too_many: "Es wurden zu viele Codes versendet. Versuchen Sie es später wieder.",
    back: "Zurück",
    noMailTitle: "Auf diesem Gerät noch nicht",
    noMail: (time) =>
      `Dieser Server versendet keine E-Mails. Deshalb braucht der erste Passkey oder die erste Authenticator-App ein Gerät, das Sie seit mindestens ${time} verwenden. Das schützt Sie, falls jemand Ihr Passwort erfährt.`,
    noMailFrom: (when) => html`Auf diesem Gerät ist das ab ${when} möglich.`,
    noMailUnknown: "Melden Sie sich auf diesem Gerät zuerst ab und wieder an.",
    mailSubject: (server) => `Ihr Code für ${server}`,
    mailAsked: {
      factor: (server) =>
        `Jemand, der bei Ihrem Konto bei ${server} angemeldet ist, möchte einen Passkey oder eine Authenticator-App hinzufügen. Wenn Sie das sind, geben Sie diesen Code ein:`,
      email: (server) =>
        `Jemand, der bei Ihrem Konto bei ${server} angemeldet ist, möchte dem Konto eine andere E-Mail-Adresse geben. Wenn Sie das sind, geben Sie diesen Code ein:`,
    },
    mailIgnore:
      "Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es und geben Sie diesen Code an niemanden weiter.",
  },
  renaming: { title: "Authenticator-App umbenennen", submit: "Umbenennen" },
  removing: {
    title: (name) => `${name} entfernen?`,
    lead: "Mit ihren Codes können Sie sich dann nicht mehr anmelden. Ihre anderen Faktoren bleiben, wie sie sind.",
    lastLead:
      "Es ist Ihr letzter zweiter Faktor: Danach schützt nur noch der erste Faktor Ihr Konto, und auch Ihre Wiederherstellungscodes gelten nicht mehr.",
    submit: "Entfernen",
  },
  codes: {
    title: "Wiederherstellungscodes",
    lead: "Jeder davon ersetzt einmal einen verlorenen zweiten Faktor.",
    made: (day) => html`Erstellt am ${day}.`,
    none: "Sie haben noch keine Wiederherstellungscodes.",
    allUsed: "Sie haben alle Ihre Wiederherstellungscodes verwendet.",
    few: "Es sind nur noch wenige übrig. Erstellen Sie rechtzeitig neue.",
    alone:
      "Sie haben nur einen zweiten Faktor. Ohne ihn kann Ihnen nur ein Administrator helfen: Erstellen Sie Wiederherstellungscodes, oder fügen Sie einen weiteren Faktor hinzu.",
    make: "Neue Codes erstellen",
    makeFirst: "Wiederherstellungscodes erstellen",
    newTitle: "Ihre Wiederherstellungscodes",
    newLead:
      "Drucken Sie die Codes aus oder bewahren Sie sie dort auf, wo Sie Passwörter aufbewahren. Sie werden nur jetzt angezeigt.",
    finishAdds: (name) =>
      html`Erst wenn Sie diese Seite abschließen, gelten die Codes und wird „${name}“ hinzugefügt.`,
    finishFirst: "Erst wenn Sie diese Seite abschließen, gelten die Codes.",
    finishReplaces: "Wenn Sie diese Seite abschließen, gelten die Codes und ersetzen alle früheren.",
    shownBefore:
      "Die Codes wurden bereits einmal angezeigt. Wenn Sie sie nicht aufbewahrt haben, erstellen Sie andere.",
    stored: "Ich habe diese Codes sicher aufbewahrt",
    finish: "Abschließen",
    makeOthers: "Andere Codes erstellen",
  },
  waiting: {
    title: "Noch nicht hinzugefügt",
    lead: (name, when) =>
      html`„${name}“ gilt erst, wenn Sie Ihre Wiederherstellungscodes aufbewahrt haben. Schließen Sie das bis ${when} ab.`,
    discard: "Nicht hinzufügen",
  },
  undo: {
    title: "Waren Sie das nicht?",
    lead: "Alles, was seit dieser Anmeldung mit Ihrem Konto erstellt wurde, wird widerrufen. Alle Geräte werden abgemeldet, und Sie erhalten per E-Mail einen Link für ein neues Passwort.",
    submit: "Das war ich nicht",
    doneTitle: "Ihr Konto ist gesichert",
    doneLead:
      "Alle Geräte wurden abgemeldet. Alles, was seit dieser Anmeldung erstellt wurde, ist widerrufen.",
    done: "Möglicherweise kennt jemand Ihr Passwort: Legen Sie mit dem Link in Ihrem Postfach ein anderes fest.",
    moved:
      "Ihr Konto hat inzwischen eine andere Adresse. Wenn Sie sie nicht geändert haben, verwenden Sie den Link in der E-Mail zu dieser Änderung.",
    reset: "Neuen Link anfordern",
    deadTitle: "Dieser Link wurde verwendet oder ist abgelaufen",
    dead: (time) => `Ein solcher Link funktioniert einmal und ${time} lang.`,
    secure: "Sichern Sie Ihr Konto",
  },
};
