import { html } from "../../html/html.ts";
import type { FormPostWords } from "../en/form_post.ts";

export const formPostWords: FormPostWords = {
  title: "アプリに戻ります",
  lead: (place) => html`${place} に戻ります。自動的に切り替わらない場合は、「続ける」を選択してください。`,
  goOn: "続ける",
};
