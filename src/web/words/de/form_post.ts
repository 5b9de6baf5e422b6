import { html } from "../../html/html.ts";
import type { FormPostWords } from "../en/form_post.ts";

export const formPostWords: FormPostWords = {
  title: "Zurück zur Anwendung",
  lead: (place) => html`Sie werden zu ${place} zurückgeleitet. Falls nichts geschieht, wählen Sie „Weiter“.`,
  goOn: "Weiter",
};
