import { plural } from "./plural.ts";

/** The APIs of an app. */
export const appApisWords = {
  title: "APIs",
  asks: "It may ask for tokens for",
  why: {
    listed: "listed at this app",
    registered: "open to registered apps",
    any: "open to any client",
    off: "listed at this app, but switched off: it gets no token",
  },
  more: plural({ one: (figure) => `and ${figure} more`, other: (figure) => `and ${figure} more` }),
  is: "It is, and introspects the tokens of",
  risk: {
    open_without_scopes:
      "Any client may ask for this API, and it has no scopes: its tokens do not say what a client may do.",
    open_default_writes: (scopes: string) =>
      `Any client is granted ${scopes} without asking for it. Leave out of the default scopes what changes something.`,
    dpop_off:
      "No client gets a token for this API: it takes bound tokens alone, and DPoP is off on this server (POSTERN_EXTRA_FEATURES=dpop).",
    public_introspection: (apps: string) =>
      `${apps} cannot introspect its tokens: a public app has no secret to prove itself with.`,
  },
};

export type AppApisWords = typeof appApisWords;
