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
};

export type AppApisWords = typeof appApisWords;
