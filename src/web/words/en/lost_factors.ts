import { html, type Printable } from "../../html/html.ts";

export const lostFactorsWords = {
  why: "Your second factors were removed.",
  sent: (email: Printable) => html`We emailed a code to ${email}.`,
  label: "Code from the email",
  help: (time: string) => `The digits from the latest email. They work for ${time}.`,
  wrong: "This is not the code from the latest email.",
  expired: "This code has expired. We emailed you a new one.",
  tooMany: "Too many codes were requested, so we sent none. Try again later.",
  mail: {
    subject: (server: string) => `Your code for ${server}`,
    says: (server: string) =>
      `A sign-in to your account at ${server} has started. Its second factors were removed, so this code is needed once.`,
    code: (code: string) => `The code is: ${code}`,
    caution:
      "Never share it, and type it only where you started to sign in. If that was not you, change your password.",
  },
  signedIn: {
    title: "You are signed in",
    lead: "Your account has no second factor now. Set up a new one, so a stolen password alone is not enough.",
    setUp: "Set up a second factor",
    later: "Continue without one",
  },
};

export type LostFactorsWords = typeof lostFactorsWords;
