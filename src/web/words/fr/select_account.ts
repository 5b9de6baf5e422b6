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
    cancel: "Annuler",
  },
  membersOnly: {
    title: "Vous ne pouvez pas utiliser cette application",
    of: (app, organization) => html`${app} est réservée aux membres de ${organization}.`,
    ofAny: (app) => html`${app} est réservée aux membres d’une organisation de ce serveur.`,
    hint: "Si vous avez une invitation, ouvrez le lien de son e-mail. Sinon, demandez à un administrateur de l’organisation de vous ajouter.",
    byRole: {
      of: (app, organization) =>
        html`${app} est réservée aux membres de ${organization} qui ont un certain rôle ou groupe.`,
      ofAny: (app) =>
        html`${app} est réservée aux membres d’une organisation qui ont un certain rôle ou groupe.`,
      hint: "Demandez l’accès à un administrateur de l’organisation.",
    },
    back: "Revenir à l’application",
  },
};
