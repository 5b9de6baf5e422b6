import { html } from "../../html/html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "E-Mail-Adresse",
    change: "Adresse ändern",
    lead: "Sie melden sich mit dieser Adresse an, und E-Mails zu Ihrem Konto gehen dorthin.",
    now: "Aktuelle Adresse",
    waits: (email) => html`Die Adresse ${email} wartet auf Ihre Bestätigung.`,
    waitsHint:
      "Öffnen Sie den Link in der E-Mail, die wir dorthin gesendet haben, in einem Browser, in dem Sie angemeldet sind. Bis dahin ändert sich nichts.",
    cancel: "Bisherige Adresse behalten",
    next: "Neue Adresse",
    submit: "Link senden",
    noMail: "Dieser Server versendet keine E-Mails und kann deshalb keine andere Adresse prüfen.",
    locked: (time) =>
      html`Die Adresse wurde über ihr früheres Postfach wiederhergestellt. Sie kann ab ${time} wieder geändert werden.`,
    errors: {
      email: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.",
      same: "Diese Adresse haben Sie bereits.",
      throttled: "Das wurde in kurzer Zeit zu oft angefordert. Bitte versuchen Sie es später wieder.",
    },
    confirmTitle: "Neue Adresse bestätigen",
    confirmLead: (email) =>
      html`Ab dann melden Sie sich mit ${email} an, und E-Mails zu Ihrem Konto gehen dorthin.`,
    confirm: "Diese Adresse verwenden",
    deadTitle: "Dieser Link ist nicht mehr gültig",
    deadLead:
      "Er wurde bereits verwendet, ist abgelaufen oder gehört zu einem anderen Konto, oder die Adresse kann nicht verwendet werden.",
    undoTitle: "Adresse wiederherstellen",
    undoLead: (email, time) =>
      html`Ihr Konto bekommt ${email} zurück. Alle Sitzungen werden abgemeldet, und die Adresse bleibt ${time} lang unverändert.`,
    undo: "Adresse wiederherstellen",
    undoneTitle: "Ihre Adresse ist wiederhergestellt",
    undoneLead: "Alle Sitzungen Ihres Kontos wurden abgemeldet.",
    undoneKept: "Ihr Konto sollte gelöscht werden. Es bleibt erhalten.",
    undoneLink: "Legen Sie jetzt ein neues Passwort fest: Wir senden Ihnen einen Link dafür.",
    choosePassword: "Neues Passwort festlegen",
    outOfDate: "Dieses Formular war veraltet. Bitte versuchen Sie es noch einmal.",
    mailSubject: (server) => `Bestätigen Sie Ihre neue Adresse bei ${server}`,
    mailAsked: (server) =>
      `Eine bei ${server} angemeldete Person möchte diese Adresse für ihr Konto verwenden. Wenn Sie das waren, öffnen Sie diesen Link in einem Browser, in dem Sie angemeldet sind:`,
    mailButton: "Adresse bestätigen",
    mailFor: plural({
      one: (figure) => `Er ist ${figure} Minute gültig.`,
      other: (figure) => `Er ist ${figure} Minuten gültig.`,
    }),
    mailIgnore: "Wenn Sie das nicht waren, müssen Sie nichts tun.",
    mailUndo: plural({
      one: (figure) =>
        `Der Link unten stellt ${figure} Tag lang diese Adresse wieder her und meldet alle Sitzungen ab.`,
      other: (figure) =>
        `Der Link unten stellt ${figure} Tage lang diese Adresse wieder her und meldet alle Sitzungen ab.`,
    }),
  },
  data: {
    title: "Ihre Daten",
    open: "Ihre Daten herunterladen",
    lead: "Eine maschinenlesbare Datei mit allem, was dieser Server über Sie speichert.",
    without:
      "Passwörter, Schlüssel und Codes sind nicht enthalten. Bewahren Sie die Datei so auf, dass nur Sie sie lesen können.",
    download: "Datei herunterladen",
    schema: "Aufbau der Datei (JSON Schema)",
  },
  deletion: {
    title: "Konto löschen",
    open: "Konto löschen",
    lead: (time) =>
      `Sie werden sofort überall abgemeldet. ${time} lang können Sie es sich anders überlegen, danach werden alle Ihre Daten gelöscht.`,
    goes: "Was entfernt wird",
    goesAlways: "Ihr Name, Ihr Bild, Ihre Adresse und Ihr Passwort",
    memberships: plural({
      one: (figure) => `${figure} Mitgliedschaft in einer Organisation endet`,
      other: (figure) => `${figure} Mitgliedschaften in Organisationen enden`,
    }),
    stays: "Protokolle der Ereignisse behalten eine Kennung anstelle Ihres Namens.",
    successorTitle: "Nachfolge",
    successorLead: plural({
      one: (figure) =>
        `Sie haben ${figure} App oder Dienstkonto einer Organisation erstellt. Nennen Sie ein Mitglied, das sie übernimmt.`,
      other: (figure) =>
        `Sie haben ${figure} Apps und Dienstkonten von Organisationen erstellt. Nennen Sie ein Mitglied, das sie übernimmt.`,
    }),
    successorHint: "Die Übergabe erfolgt sofort und bleibt bestehen, auch wenn Sie es sich anders überlegen.",
    successor: "E-Mail-Adresse der Nachfolge",
    submit: "Konto löschen",
    errors: {
      successor:
        "Das ist kein aktives Mitglied aller Organisationen, zu denen die Apps und Dienstkonten gehören.",
      last_administrator: "Sie sind der letzte Plattformadministrator. Ernennen Sie zuerst einen weiteren.",
      last_owner:
        "Sie sind der letzte Inhaber einer Organisation. Ernennen Sie zuerst einen weiteren oder löschen Sie die Organisation.",
    },
    askedTitle: "Ihr Konto wird gelöscht",
    asked: (day) =>
      html`Sie sind überall abgemeldet. Melden Sie sich vor dem ${day} an, um das Konto zu behalten.`,
    undoTitle: "Konto behalten?",
    undoLead: (day) =>
      html`Es soll am ${day} gelöscht werden. Wenn Sie es behalten, melden Sie sich wie bisher an.`,
    undo: "Konto behalten",
    undoneTitle: "Ihr Konto bleibt erhalten",
    undoneLead:
      "Melden Sie sich wie bisher an. API-Schlüssel und den Zugriff von Apps müssen Sie neu vergeben.",
    signIn: "Anmelden",
    deadTitle: "Hier gibt es nichts rückgängig zu machen",
    deadLead: "Melden Sie sich erneut an, oder das Konto wurde bereits behalten oder gelöscht.",
    mailUntil: (day) =>
      `Es wird mit allem, was dazugehört, am ${day} entfernt. Bis dahin können Sie es mit dem Link unten behalten.`,
  },
};
