import { html, type Printable } from "../../html/html.ts";

/** The trial of an app from the console. */
export const playgroundWords = {
  lead: "Runs the flow of this app from here and shows every request and answer, as they went over the wire. Tokens and secrets are shown shortened.",
  begin: "Begin",
  scopes: "Scopes to ask for",
  signIn: "Sign in with this app",
  again: "Sign in once more",
  machine: "Get a token with client credentials",
  end: "End the trial",
  endMeaning: (time: string) =>
    `Ending it revokes the tokens and the secret of this trial. Left alone, the secret expires after ${time} and the tokens are deleted.`,
  secretMeaning: (time: string) =>
    `The button creates a secret for this trial. It works for ${time}, stays on the server and is never shown.`,
  consentMeaning: (account: Printable) =>
    html`What you allow this app stays allowed until you withdraw it under ${account}.`,
  callback: {
    present: "The address of the trial is among the app's redirect URIs, where an earlier version put it:",
    remove: "Remove it",
    removeMeaning:
      "Nothing needs it: an app is tried without it, and a redirect URI that nobody needs is one too many.",
  },
  done: {
    removed: "The address was removed from the redirect URIs.",
    ended: "The trial has ended: its tokens and its secret are revoked.",
    gone: "That trial is over. Begin a new one.",
  },
  unable: {
    revoked: "This app was revoked, so there is nothing to try.",
    inactive: "This app is switched off. It can be tried when it is active again.",
    no_grants: "Neither the code flow nor client credentials are allowed for this app.",
    no_scopes: "The app is allowed no scope that can be asked for.",
    public_machine: "A public app has no secret, so it cannot use client credentials.",
    own_key:
      "This app signs with a key of its own, which this server does not have: try it with postern perform and --client-key.",
  },
  wrongScopes: "Choose at least one scope.",
};

export type PlaygroundWords = typeof playgroundWords;
