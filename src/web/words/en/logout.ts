import { html, type Printable } from "../../html/html.ts";

export const logoutWords = {
  title: "Sign out?",
  asks: (client: Printable) => html`${client} wants to sign you out.`,
  signsOut: "You will be signed out in this browser.",
  offline: "Applications with offline access keep that access.",
  stay: "Stay signed in",
  submit: "Sign out",
  doneTitle: "Signed out",
  done: "You are signed out",
  safe: "You can close this window.",
  noneTitle: "Not signed in",
  none: "You are not signed in here",
  noneEnded:
    "No session was ended. If you are signed in on another device or in another browser, sign out there.",
  unregistered:
    "The application does not send you back: the address that it asked for is not registered for it.",
  unproven: "The application does not send you back: it did not prove which application it is.",
  returnTo: (client: Printable) => html`Return to ${client}`,
  returnToApplication: "Return to the application",
  leadsTo: (place: Printable) => html`The link leads to ${place}.`,
  again: "Sign in again",
};

export type LogoutWords = typeof logoutWords;
