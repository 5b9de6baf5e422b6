import { html } from "../../html/html.ts";
import type { FormPostWords } from "../en/form_post.ts";

export const formPostWords: FormPostWords = {
  title: "正在返回应用",
  lead: (place) => html`正在返回 ${place}。如果没有自动跳转，请选择“继续”。`,
  goOn: "继续",
};
