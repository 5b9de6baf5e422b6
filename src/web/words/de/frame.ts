import { html } from "../../html/html.ts";
import type { FrameWords } from "../en/frame.ts";
import { plural } from "./plural.ts";

export const frameWords: FrameWords = {
  skip: "Zum Inhalt springen",
  rightAddress: (address) =>
    html`Ihr Browser hat kein Cookie dieses Servers gesendet. Seine Seiten funktionieren nur unter ${address} und mit zugelassenen Cookies.`,
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
  crumbs: "Navigationspfad",
  copy: "Kopieren",
  copied: "Kopiert",
  showPassword: "Passwort anzeigen",
  hidePassword: "Passwort verbergen",
  nameError: plural({
    one: (figure) => `Geben Sie einen Namen mit ${figure} Zeichen ein.`,
    other: (figure) => `Geben Sie einen Namen mit 1 bis ${figure} Zeichen ein.`,
  }),
};
