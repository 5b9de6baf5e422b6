import type { FrameWords } from "../en/frame.ts";

export const frameWords: FrameWords = {
  skip: "Zum Inhalt springen",
  tagline: "Bereitgestellt mit Postern",
  runsOn: (server) => `${server} läuft mit Postern`,
  language: "Sprache",
  documents: "Dokumentation",
  faces: "Konto und Konsole",
  account: "Konto",
  console: "Konsole",
  signedIn: "Angemeldet als",
  menu: "Menü",
  signOut: "Abmelden",
  crumbs: "Position dieser Seite",
  copy: "Kopieren",
  copied: "Kopiert",
  showPassword: "Passwort anzeigen",
  hidePassword: "Passwort verbergen",
};
