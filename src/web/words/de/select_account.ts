import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Konto auswählen",
  lead: "Mit welchem Konto möchten Sie fortfahren?",
  another: "Anderes Konto verwenden",
  meanwhile: {
    lead: (present) => html`Sie haben sich in einem anderen Fenster als ${present} angemeldet.`,
    goOn: (present) => html`Als ${present} fortfahren`,
    signInAs: (other) => html`Als ${other} anmelden`,
  },
  organization: {
    title: "Organisation auswählen",
    lead: (app) => html`Mit welcher Organisation möchten Sie in ${app} fortfahren?`,
    last: "Zuletzt verwendet",
    find: "Organisationen suchen",
    search: "Suchen",
    none: "Keine Ihrer Organisationen passt dazu.",
    more: "Die ersten 20 werden angezeigt. Suchen Sie nach weiteren.",
    cancel: "Abbrechen",
  },
  membersOnly: {
    title: "Sie können diese Anwendung nicht nutzen",
    of: (app, organization) => html`${app} ist für Mitglieder von ${organization}.`,
    ofAny: (app) => html`${app} ist für Mitglieder einer Organisation auf diesem Server.`,
    hint: "Wenn Sie eine Einladung haben, öffnen Sie den Link in der Einladungsmail. Sonst bitten Sie eine Administratorin oder einen Administrator der Organisation, Sie hinzuzufügen.",
    byRole: {
      of: (app, organization) =>
        html`${app} ist für Mitglieder von ${organization} mit einer bestimmten Rolle oder Gruppe.`,
      ofAny: (app) =>
        html`${app} ist für Mitglieder einer Organisation mit einer bestimmten Rolle oder Gruppe.`,
      hint: "Bitten Sie eine Administratorin oder einen Administrator der Organisation um Zugang.",
    },
    back: "Zurück zur Anwendung",
  },
};
