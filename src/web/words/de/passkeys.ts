import { html } from "../../html/html.ts";
import type { PasskeyWords } from "../en/passkeys.ts";

export const passkeyWords: PasskeyWords = {
  signIn: "Mit Passkey anmelden",
  use: "Passkey verwenden",
  anotherWay: "Andere Methode",
  cancelled:
    "Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder wählen Sie eine andere Methode.",
  known: "Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto.",
  unable: "Für Passkeys brauchen Sie einen aktuellen Browser, in dem JavaScript eingeschaltet ist.",
  failures: {
    refused:
      "Dieser Passkey wurde nicht akzeptiert. Versuchen Sie es noch einmal oder wählen Sie eine andere Methode.",
    unknown: "Dieser Server kennt den Passkey nicht. Möglicherweise wurde er entfernt.",
    expired: "Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal.",
    second_factor_only:
      "Dieser Passkey bestätigt nur eine Anmeldung. Melden Sie sich zuerst mit Ihrem Passwort an und verwenden Sie ihn danach.",
    counter:
      "Dieser Passkey hat geantwortet, als gäbe es eine Kopie davon, und wurde deshalb nicht akzeptiert. Wählen Sie eine andere Methode und ersetzen Sie den Passkey.",
    taken: "Dieser Passkey ist bereits registriert.",
    too_many: "Sie haben die Höchstzahl an Passkeys erreicht. Entfernen Sie zuerst einen.",
    last_way:
      "Dies ist Ihre einzige Möglichkeit, sich anzumelden. Deshalb lässt sich der Passkey nicht entfernen.",
  },
  tooYoung: (time) =>
    `Ein Passkey, der noch nicht ${time} alt ist, reicht hier nicht aus. Verwenden Sie einen älteren oder versuchen Sie es später wieder.`,
  card: {
    title: "Passkeys",
    lead: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesichtserkennung oder mit der PIN Ihres Geräts an. Niemand kann ihn erraten oder Ihnen ablisten.",
    none: "Sie haben noch keinen Passkey.",
    name: "Name",
    synced: "Synchronisiert",
    deviceOnly: "Nur auf diesem Gerät",
    securityKey: "Nur zweiter Faktor",
    added: "Hinzugefügt",
    lastUsed: "Zuletzt verwendet",
    never: "Nie",
    rename: "Umbenennen",
    renameOf: (name) => html`Umbenennen: ${name}`,
    remove: "Entfernen",
    removeOf: (name) => html`Entfernen: ${name}`,
    add: "Passkey hinzufügen",
    addKey: "Sicherheitsschlüssel hinzufügen",
    single:
      "Ein einziger Passkey auf einem einzigen Gerät ist Ihre einzige Möglichkeit, sich anzumelden. Wenn Sie das Gerät verlieren, verlieren Sie das Konto: Fügen Sie einen zweiten Passkey hinzu oder legen Sie ein Passwort fest.",
    upgrades:
      "Ihr Browser kann von sich aus einen Passkey hinzufügen, wenn Sie sich mit Passwort und Code anmelden. Das gilt nur für diesen Browser.",
    allowUpgrades: "Diesem Browser das Hinzufügen von Passkeys erlauben",
    forbidUpgrades: "In diesem Browser keine Passkeys mehr hinzufügen",
  },
  enrol: {
    title: "Passkey hinzufügen",
    lead: "Ihr Browser bittet Sie gleich um eine Bestätigung per Fingerabdruck, Gesichtserkennung oder mit der PIN Ihres Geräts.",
    keyTitle: "Sicherheitsschlüssel hinzufügen",
    keyLead: "Ein Sicherheitsschlüssel bestätigt eine Anmeldung mit Ihrem Passwort. Halten Sie ihn bereit.",
    name: "Name",
    nameHelp: "Daran erkennen Sie ihn in Ihrer Liste.",
    suggested: "Mein Passkey",
    suggestedKey: "Mein Sicherheitsschlüssel",
    submit: "Passkey erstellen",
    submitKey: "Sicherheitsschlüssel registrieren",
  },
  renaming: {
    title: "Passkey umbenennen",
    submit: "Speichern",
  },
  removing: {
    title: (name) => `${name} entfernen?`,
    lead: "Sie können sich dann nicht mehr damit anmelden. Überall dort, wo Sie damit angemeldet sind, werden Sie abgemeldet.",
    submit: "Passkey entfernen",
  },
  first: {
    lead: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesichtserkennung oder mit der PIN Ihres Geräts an – ohne Passwort.",
    submit: "Stattdessen einen Passkey erstellen",
  },
  upgrade: {
    title: "Einen Moment",
    lead: "Ihr Browser kann einen Passkey hinzufügen, damit Sie sich beim nächsten Mal schneller anmelden.",
    goOn: "Weiter",
  },
  offer: {
    title: "Beim nächsten Mal schneller anmelden",
    lead: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesichtserkennung oder mit der PIN Ihres Geräts an – ohne Passwort.",
    later: "Nicht jetzt",
  },
};
