import { html, type Printable } from "../../html/html.ts";

export const signInMethodsWords = {
  title: "Sign-in methods",
  level: "Highest level",
  noWayIn: "Cannot sign in",
  password: "Password",
  isSet: "Set",
  isImported: "Set: imported, not used here yet",
  notSet: "Not set",
  linked: "Linked accounts",
  recoveryCodes: "Recovery codes left",
  noCodes: "None",
  recovery: (due: Printable, end: Printable) =>
    html`All second factors were reported lost; the user's password and mailbox confirmed the report. New ones can be set up from ${due} until ${end}. Signing in with a second factor cancels this.`,
  removal: (due: Printable) =>
    html`The passkeys were reported lost; two other factors and the user's mailbox confirmed the report. They will be removed after ${due}. Signing in with one of them cancels this.`,
  none: "No passkey and no authenticator app.",
  factors: "Passkeys and authenticator apps",
  app: "Authenticator app",
  name: "Name",
  madeFor: "Created for",
  model: "Model",
  added: "Added",
  lastUsed: "Last used",
  never: "Never",
  action: "Action",
  remove: "Remove",
  removeOf: (name: Printable) => html`Remove: ${name}`,
  levels: { password: "Password only", federated: "Provider only", mfa: "Two factors", phr: "Passkey" },
};

export type SignInMethodsWords = typeof signInMethodsWords;
