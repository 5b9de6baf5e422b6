import { html } from "../../html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "Se déconnecter ?",
  asks: (client) => html`${client} demande à vous déconnecter ici.`,
  signsOut: "Vous serez déconnecté dans ce navigateur.",
  offline: "Les applications que vous avez autorisées à conserver un accès en votre absence le gardent.",
  stay: "Rester connecté",
  submit: "Se déconnecter",
  doneTitle: "Déconnecté",
  done: "Vous êtes déconnecté",
  safe: "Vous pouvez fermer cette fenêtre.",
  returnTo: (client) => html`Revenir à ${client}`,
  returnToApplication: "Revenir à l’application",
  leadsTo: (place) => html`Le lien mène à ${place}.`,
  again: "Se reconnecter",
};
