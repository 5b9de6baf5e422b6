import { html, type Printable } from "../../html.ts";

/** Second factors that were lost: an administrator takes them, and the user sets up new ones. */
export const lostFactorsWords = {
  why: "Your second factors were removed.",
  sent: (email: Printable) => html`We have mailed a code to ${email}.`,
  label: "Code from the mail",
  help: "The 8 digits of the newest mail. They work for ten minutes.",
  wrong: "This is not the code of the newest mail.",
  expired: "This code is too old. We have mailed a new one.",
  tooMany: "No code was mailed, because too many were asked for. Try again later.",
  mail: {
    subject: (server: string) => `Your code for ${server}`,
    says: (server: string) =>
      `Somebody signs in to your account at ${server}. Its second factors were removed, so this code is asked for once.`,
    code: (code: string) => `The code is: ${code}`,
    caution:
      "Give it to nobody, and type it only where you began to sign in. If that was not you, change your password.",
  },
  signedIn: {
    title: "You are signed in",
    lead: "Your account has no second factor now. Set up a new one, so that your password alone opens nothing.",
    setUp: "Set up a second factor",
    later: "Continue without one",
  },
  one: {
    title: "Remove one second factor",
    lead: (name: string, factor: string) => `${name} has lost ${factor} and has another second factor.`,
    removed: "It no longer signs the user in, or confirms a sign-in. What else the user has stays.",
    ended: "Sessions that rest on it end. Every browser is asked for a second factor again.",
    told: "The user is told by mail.",
    submit: "Remove it",
  },
  console: {
    title: "Reset second factors",
    lead: (name: string) => `${name} has lost what they sign in with.`,
    removed: "All passkeys, authenticator apps, recovery codes and remembered browsers are removed.",
    ended: "All sessions and tokens of the user end.",
    told: "The user is told by mail, and proves the mailbox by a code at the next sign-in.",
    reason: "Reason",
    reasonHelp: "For the audit. Say how you made sure that it is the user who asks.",
    cancel: "Cancel",
    submit: "Reset second factors",
  },
};

export type LostFactorsWords = typeof lostFactorsWords;
