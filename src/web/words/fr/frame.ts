import { html } from "../../html/html.ts";
import type { FrameWords } from "../en/frame.ts";
import { plural } from "./plural.ts";

export const frameWords: FrameWords = {
  skip: "Aller au contenu",
  rightAddress: (address) =>
    html`Votre navigateur n’a envoyé aucun cookie de ce serveur. Ses pages ne fonctionnent qu’à l’adresse ${address}, avec les cookies autorisés.`,
  tagline: "Propulsé par Postern",
  runsOn: (server) => `${server} fonctionne avec Postern`,
  language: "Langue",
  documents: "Documents",
  faces: "Compte et console",
  account: "Compte",
  console: "Console",
  signedIn: "Connecté en tant que",
  menu: "Menu",
  signOut: "Se déconnecter",
  crumbs: "Fil d’Ariane",
  copy: "Copier",
  copied: "Copié",
  showPassword: "Afficher le mot de passe",
  hidePassword: "Masquer le mot de passe",
  nameError: plural({
    one: (figure) => `Saisissez un nom de ${figure} caractère.`,
    other: (figure) => `Saisissez un nom de 1 à ${figure} caractères.`,
  }),
};
