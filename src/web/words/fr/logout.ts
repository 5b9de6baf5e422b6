import { html } from "../../html/html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "Se déconnecter ?",
  asks: (client) => html`${client} demande à vous déconnecter ici.`,
  signsOut: "Vous serez déconnecté dans ce navigateur.",
  offline: "Les applications que vous avez autorisées à conserver un accès en votre absence le gardent.",
  keeping: "Ces applications gardent l’accès à votre compte :",
  stay: "Rester connecté",
  submit: "Se déconnecter",
  submitEverything: "Se déconnecter partout et mettre fin à tous les accès",
  doneTitle: "Déconnecté",
  done: "Vous êtes déconnecté",
  safe: "Vous pouvez fermer cette fenêtre.",
  noneTitle: "Non connecté",
  none: "Vous n’êtes pas connecté ici",
  noneEnded:
    "Aucune session n’a été fermée. Si vous êtes connecté sur un autre appareil ou dans un autre navigateur, déconnectez-vous là-bas.",
  unregistered:
    "Vous n’êtes pas renvoyé vers l’application : l’adresse demandée n’est pas enregistrée pour elle.",
  unproven:
    "Vous n’êtes pas renvoyé vers l’application : elle n’a pas prouvé de quelle application il s’agit.",
  returnTo: (client) => html`Revenir à ${client}`,
  returnToApplication: "Revenir à l’application",
  leadsTo: (place) => html`Le lien mène à ${place}.`,
  again: "Se reconnecter",
};
