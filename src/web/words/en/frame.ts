import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const frameWords = {
  skip: "Skip to content",
  rightAddress: (address: Printable) =>
    html`Your browser sent no cookie for this server. Open its pages at ${address} and allow cookies.`,
  tagline: "Powered by Postern",
  runsOn: (server: string) => `${server} runs on Postern`,
  language: "Language",
  documents: "Documentation",
  faces: "Account and console",
  account: "Account",
  console: "Console",
  signedIn: "Signed in as",
  menu: "Menu",
  signOut: "Sign out",
  crumbs: "Breadcrumbs",
  copy: "Copy",
  copied: "Copied",
  showPassword: "Show password",
  hidePassword: "Hide password",
  nameError: plural({
    one: (figure) => `Enter a name of ${figure} character.`,
    other: (figure) => `Enter a name of 1 to ${figure} characters.`,
  }),
};

export type FrameWords = typeof frameWords;
