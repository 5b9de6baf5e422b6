import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "Einrichten",
  heading: "Postern einrichten",
  lead: "Erstellen Sie das erste Administratorkonto. Das geht nur einmal.",
  name: "Name",
  email: "E-Mail-Adresse",
  password: "Passwort",
  submit: "Administrator erstellen",
  doneTitle: "Fertig",
  done: "Postern ist bereit",
  doneLead: "Der erste Administrator ist eingerichtet. Dieser Link ist nicht mehr gültig.",
  signIn: "Anmelden",
  waiting: {
    heading: "Postern ist noch nicht eingerichtet",
    lead: "Hier gibt es noch kein Konto.",
    where: "Beim Start hat der Server einen Einrichtungslink ausgegeben: im Terminal oder im Protokoll.",
    again: (time) => `Der Link gilt einmal und ${time} lang. Für einen neuen starten Sie den Server neu.`,
  },
  errors: {
    email: "Das ist keine E-Mail-Adresse.",
    email_taken: "Diese E-Mail-Adresse wird bereits verwendet.",
    password_short: "Dieses Passwort ist zu kurz.",
    password_long: "Dieses Passwort ist zu lang.",
    password_common: "Dieses Passwort ist zu verbreitet und leicht zu erraten.",
  },
};
