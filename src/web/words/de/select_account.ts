import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Konto auswählen",
  lead: "Mit welchem Konto möchten Sie fortfahren?",
  another: "Anderes Konto verwenden",
};
