import type { AppKind } from "../../../records/rules/app_kinds.ts";

export const newAppWords = {
  help: {
    website: "Your server renders the pages: Express, Next.js, Django, Spring, PHP. It keeps a secret.",
    browser:
      "A single-page app without a server of its own: it has no secret. PKCE protects the sign-in, but an injected script could copy the tokens. Safer: a website whose server keeps the tokens for its pages (BFF).",
    native: "For iOS, Android, Windows, macOS or Linux. It has no secret; PKCE protects it.",
    command_line: "A program in a terminal. Users sign in with their browser and return to 127.0.0.1.",
    api: "A server that other apps call with tokens. It can also get tokens for itself.",
    machine: "A job, a worker or a script. It gets tokens for itself, without a user.",
  } satisfies Readonly<Record<AppKind, string>>,
  bindTokens: "If the tokens stay in the browser, bind them with DPoP.",
  choose: "Choose another kind",
  more: "More settings",
};

export type NewAppWords = typeof newAppWords;
