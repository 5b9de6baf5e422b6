import { html, type Printable } from "../../html/html.ts";

export const playgroundWords = {
  lead: "Runs the flow of this app from here and shows every request and response, as sent over the wire. Tokens and secrets are shortened.",
  begin: "Begin",
  scopes: "Scopes to request",
  signIn: "Sign in with this app",
  again: "Sign in again",
  machine: "Get a token with client credentials",
  end: "End the trial",
  endMeaning: (time: string) =>
    `Ending it revokes the tokens and the secret of this trial. Otherwise the secret expires after ${time} and the tokens are deleted.`,
  secretMeaning: (time: string) =>
    `The button creates a secret for this trial. It works for ${time}, stays on the server and is never shown.`,
  consentMeaning: (account: Printable) =>
    html`Access that you allow to this app remains until you withdraw it under ${account}.`,
  callback: {
    present: "An earlier version added the address of its trials to the redirect URIs of the app:",
    remove: "Remove it",
    removeMeaning:
      "The playground no longer uses this redirect URI. Remove it: every extra one adds attack surface.",
  },
  done: {
    removed: "The address was removed from the redirect URIs.",
    ended: "The trial has ended: its tokens and its secret are revoked.",
    gone: "That trial has ended. Begin a new one.",
  },
  unable: {
    revoked: "This app was revoked, so there is nothing to try.",
    inactive: "This app is switched off. It can be tried when it is active again.",
    no_grants: "Neither the code flow nor client credentials are allowed for this app.",
    no_scopes: "The app has no allowed scope that can be requested.",
    public_machine: "A public app has no secret, so it cannot use client credentials.",
    own_key:
      "This app authenticates with its own key, which this server does not have. Try it with postern perform and --client-key.",
  },
  wrongScopes: "Choose at least one scope.",
};

export type PlaygroundWords = typeof playgroundWords;
