import { html } from "../../html/html.ts";
import type { FormPostWords } from "../en/form_post.ts";

export const formPostWords: FormPostWords = {
  title: "Voltando para o aplicativo",
  lead: (place) =>
    html`Você está sendo levado de volta para ${place}. Se nada acontecer, escolha “Continuar”.`,
  goOn: "Continuar",
};
