import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "アカウントの選択",
  lead: "どのアカウントで続けますか？",
  another: "別のアカウントを使用",
  meanwhile: {
    lead: (present) => html`別のウィンドウで ${present} としてログインしました。`,
    goOn: (present) => html`${present} として続ける`,
    signInAs: (other) => html`${other} としてログイン`,
  },
};
