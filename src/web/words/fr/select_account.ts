import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Choisir un compte",
  lead: "Avec quel compte voulez-vous continuer ?",
  another: "Utiliser un autre compte",
};
