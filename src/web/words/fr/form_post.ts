import { html } from "../../html/html.ts";
import type { FormPostWords } from "../en/form_post.ts";

export const formPostWords: FormPostWords = {
  title: "Retour à l’application",
  lead: (place) => html`Vous allez revenir vers ${place}. Si rien ne se passe, choisissez « Continuer ».`,
  goOn: "Continuer",
};
