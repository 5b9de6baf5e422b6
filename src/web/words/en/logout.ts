import { html, type Printable } from "../../html/html.ts";

export const logoutWords = {
  title: "Sign out?",
  asks: (client: Printable) => html`${client} wants to sign you out.`,
  signsOut: "You will be signed out in this browser.",
  offline: "Applications with offline access keep that access.",
  keeping: "These applications keep access to your account:",
  stay: "Stay signed in",
  submit: "Sign out",
  submitEverything: "Sign out everywhere and end all access",
  doneTitle: "Signed out",
  done: "You are signed out",
  safe: "You can close this window.",
  noneTitle: "Not signed in",
  none: "You are not signed in here",
  noneEnded:
    "No session was ended. If you are signed in on another device or in another browser, sign out there.",
  unregistered: "You are not sent back to the application: the return address is not registered for it.",
  unproven: "You are not sent back to the application: the request does not prove which application sent it.",
  returnTo: (client: Printable) => html`Return to ${client}`,
  returnToApplication: "Return to the application",
  leadsTo: (place: Printable) => html`The link leads to ${place}.`,
  again: "Sign in again",
};

export type LogoutWords = typeof logoutWords;
