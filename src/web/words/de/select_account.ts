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
};
