import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const secondFactorWords = {
  title: "Second step",
  lead: (email: Printable) => html`Confirm your identity, ${email}.`,
  submit: "Continue",
  cancel: "Cancel",
  others: "Other ways",
  lost: "I lost all my second factors",
  ways: {
    passkey: "Use a passkey",
    totp: "Use an authenticator app",
    recovery_code: "Use a recovery code",
    mail_code: "Use a code by email",
  },
  totp: {
    label: "Code from your authenticator app",
    help: "The 6 digits that the app shows now.",
    wrong: "This code is wrong or was already used. Type the current code.",
    late: "This code is a few minutes old, because the clock of your device is wrong. Set its time automatically, then type a new code.",
  },
  recoveryCode: {
    label: "Recovery code",
    help: "One of your 16-character codes. Each works once.",
    wrong: "This is not one of your recovery codes, or it was already used.",
  },
  remember: {
    label: plural({
      one: (figure) => `Do not ask on this device for ${figure} day`,
      other: (figure) => `Do not ask on this device for ${figure} days`,
    }),
    help: "Only on your own device. You still need your password.",
  },
  passkey: { none: "None of your passkeys works here. Choose another way." },
  ended: {
    title: "Too many wrong codes",
    lead: "For your safety this sign-in has ended. Start again with your password.",
    again: "Sign in again",
  },
  used: {
    title: "You are signed in",
    advice:
      "If you lost your authenticator app, remove it and add another one. New recovery codes replace the ones you have.",
    security: "Security of your account",
    goOn: "Continue",
  },
};

export type SecondFactorWords = typeof secondFactorWords;
