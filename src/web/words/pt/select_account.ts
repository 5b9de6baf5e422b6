import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Escolher uma conta",
  lead: "Com qual conta você quer continuar?",
  another: "Usar outra conta",
};
