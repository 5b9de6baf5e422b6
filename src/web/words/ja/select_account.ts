import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "アカウントの選択",
  lead: "どのアカウントで続けますか？",
  another: "別のアカウントを使用",
};
