import { html } from "../../html/html.ts";
import type { FormPostWords } from "../en/form_post.ts";

export const formPostWords: FormPostWords = {
  title: "Volviendo a la aplicación",
  lead: (place) => html`Te estamos llevando de vuelta a ${place}. Si no ocurre nada, elige «Continuar».`,
  goOn: "Continuar",
};
