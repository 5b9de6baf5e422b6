import { html, type Printable } from "../../html.ts";

/** Second factors that were lost: the user proves the mailbox and sets up new ones. */
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
};

export type LostFactorsWords = typeof lostFactorsWords;
