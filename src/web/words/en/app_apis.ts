import { plural } from "./plural.ts";

export const appApisWords = {
  title: "APIs",
  asks: "Can request tokens for",
  why: {
    listed: "listed on this app",
    registered: "open to registered apps",
    any: "open to any client",
    off: "listed on this app, but turned off: the app gets no token",
  },
  more: plural({ one: (figure) => `and ${figure} more`, other: (figure) => `and ${figure} more` }),
  is: "Serves and can introspect tokens for",
  risk: {
    open_without_scopes:
      "Any client may request tokens for this API, and it has no scopes: its tokens do not say what a client may do.",
    open_default_writes: (scopes: string) =>
      `Any client is granted these scopes without requesting them: ${scopes}. Remove scopes that change data from the default scopes.`,
    dpop_off:
      "No client gets a token for this API: it only accepts DPoP-bound tokens, and DPoP is off on this server (POSTERN_EXTRA_FEATURES=dpop).",
    public_introspection: (apps: string) =>
      `${apps} cannot introspect its tokens: a public app has no secret to authenticate with.`,
  },
};

export type AppApisWords = typeof appApisWords;
