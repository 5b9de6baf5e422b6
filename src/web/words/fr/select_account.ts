import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Choisir un compte",
  lead: "Avec quel compte voulez-vous continuer ?",
  another: "Utiliser un autre compte",
  meanwhile: {
    lead: (present) => html`Vous vous êtes connecté en tant que ${present} dans une autre fenêtre.`,
    goOn: (present) => html`Continuer en tant que ${present}`,
    signInAs: (other) => html`Se connecter en tant que ${other}`,
  },
};
