import type { FrameWords } from "../en/frame.ts";

export const frameWords: FrameWords = {
  skip: "Aller au contenu",
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
  crumbs: "Emplacement de cette page",
  copy: "Copier",
  copied: "Copié",
  showPassword: "Afficher le mot de passe",
  hidePassword: "Masquer le mot de passe",
};
