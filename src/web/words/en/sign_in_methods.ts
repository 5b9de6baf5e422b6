import { html, type Printable } from "../../html/html.ts";

/** What administrators see of how a user signs in. */
export const signInMethodsWords = {
  title: "Sign-in methods",
  level: "Highest level",
  noWayIn: "Cannot sign in",
  password: "Password",
  isSet: "Set",
  notSet: "Not set",
  linked: "Linked accounts",
  recoveryCodes: "Recovery codes left",
  noCodes: "None",
  recovery: (due: Printable, end: Printable) =>
    html`Someone with this user's password and mailbox reported all second factors lost. They can set up new ones from ${due} until ${end}. Signing in with a second factor cancels this.`,
  removal: (due: Printable) =>
    html`Someone with two of this user's factors and the mailbox reported the passkeys lost. They will be removed after ${due}. Signing in with one of them cancels this.`,
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
