import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Elige una cuenta",
  lead: "¿Con cuál quieres continuar?",
  another: "Usar otra cuenta",
};
