import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "选择账号",
  lead: "您想使用哪个账号继续？",
  another: "使用其他账号",
};
