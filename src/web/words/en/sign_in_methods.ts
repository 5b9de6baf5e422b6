import { html, type Printable } from "../../html.ts";

/** What administrators see of how a user signs in. */
export const signInMethodsWords = {
  title: "Sign-in methods",
  level: "Highest level",
  noWayIn: "No way in",
  password: "Password",
  isSet: "Set",
  notSet: "Not set",
  linked: "Linked accounts",
  recoveryCodes: "Recovery codes left",
  noCodes: "None",
  recovery: (due: Printable, end: Printable) =>
    html`Somebody with this user's password and mailbox says that all second factors are lost. They can set up new ones from ${due} until ${end}. Signing in with a second factor cancels it.`,
  removal: (due: Printable) =>
    html`Somebody with two factors and the mailbox of this user says that the passkeys are lost. They are removed after ${due}. Signing in with one of them cancels it.`,
  none: "No passkey and no authenticator app.",
  factors: "Passkeys and authenticator apps",
  app: "Authenticator app",
  name: "Name",
  madeFor: "Made for",
  model: "Model",
  added: "Added",
  lastUsed: "Last used",
  never: "Never",
  action: "Action",
  remove: "Remove",
  removeOf: (name: Printable) => html`Remove: ${name}`,
  levels: { password: "Password alone", federated: "Provider alone", mfa: "Two factors", phr: "Passkey" },
};

export type SignInMethodsWords = typeof signInMethodsWords;
