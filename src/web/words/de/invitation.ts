import { html } from "../../html/html.ts";
import type { InvitationWords } from "../en/invitation.ts";
import { plural } from "./plural.ts";

export const invitationWords: InvitationWords = {
  roles: {
    owner: {
      name: "Inhaber",
      help: "alle Rechte eines Administrators, ernennt Inhaber, löscht die Organisation",
    },
    admin: {
      name: "Administrator",
      help: "verwaltet die Organisation, ihre Mitglieder, Apps und Schlüssel",
    },
    developer: { name: "Entwickler", help: "verwaltet Apps, deren Geheimnisse und Dienstkonten" },
    member: { name: "Mitglied", help: "sieht die Organisation, ihre Mitglieder und ihre Apps" },
  },
  joinTitle: (organization) => `${organization} beitreten`,
  joinHeading: (organization) => html`${organization} beitreten?`,
  inviter: "Eingeladen von",
  invited: "Einladung für",
  joinAs: "Rolle",
  join: "Beitreten",
  signInLead: "Zu dieser Adresse gibt es bereits ein Konto. Melden Sie sich damit an, um beizutreten.",
  signIn: "Anmelden",
  makeLead: "Zu dieser Adresse gibt es noch kein Konto. Erstellen Sie es, um der Organisation beizutreten.",
  takenLead:
    "Ein anderes Konto hat eine Adresse, die sich genauso liest. Für diese lässt sich deshalb kein Konto erstellen. Bitten Sie die Person, die Sie eingeladen hat, eine andere Ihrer Adressen einzuladen.",
  email: "E-Mail-Adresse",
  name: "Name",
  password: "Passwort",
  make: "Konto erstellen und beitreten",
  someoneElse: (user) =>
    html`Sie sind als ${user} angemeldet, die Einladung gilt aber für eine andere Adresse.`,
  another: "Anderes Konto verwenden",
  signsOut: "Wenn Sie das Konto erstellen, werden Sie hier aus dem anderen abgemeldet.",
  deadTitle: "Diese Einladung ist nicht mehr gültig",
  deadLead:
    "Sie wurde bereits verwendet oder zurückgezogen oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.",
  home: "Zu Ihrem Konto",
  joinedTitle: "Sie sind beigetreten",
  joinedHeading: (organization) => html`Willkommen bei ${organization}`,
  joinedLead: (roles) => html`Ihre Rolle: ${roles}.`,
  wasMember: "Sie waren bereits Mitglied, und Ihre Rolle bleibt unverändert.",
  toConsole: "Zur Konsole",
  mailSubject: (organization) => `Einladung zu ${organization}`,
  mailInvites: (inviter, organization, server) =>
    `${inviter} lädt Sie ein, ${organization} bei ${server} beizutreten.`,
  mailRole: (role) => `Ihre Rolle dort: ${role}.`,
  mailButton: "Einladung ansehen",
  mailOnce: plural({
    one: (figure) => `Der Link funktioniert einmal, ${figure} Tag lang und nur für diese Adresse.`,
    other: (figure) => `Der Link funktioniert einmal, ${figure} Tage lang und nur für diese Adresse.`,
  }),
  mailIgnore: "Wenn Sie nicht wissen, worum es geht, müssen Sie nichts tun.",
};
