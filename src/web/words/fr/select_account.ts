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
  organization: {
    title: "Choisir une organisation",
    lead: (app) => html`Avec quelle organisation voulez-vous continuer dans ${app} ?`,
    last: "Dernière utilisée",
    find: "Rechercher des organisations",
    search: "Rechercher",
    none: "Aucune de vos organisations ne correspond.",
    more: "Les 20 premières sont affichées. Lancez une recherche pour trouver les autres.",
  },
};
