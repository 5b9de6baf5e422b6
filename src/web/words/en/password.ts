import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const passwordWords = {
  forgotLink: "Forgot your password?",
  forgotTitle: "Forgot your password?",
  forgotLead: "Enter your email address, and we'll send you a link to choose a new password.",
  email: "Email",
  sendLink: "Send the link",
  backToSignIn: "Back to sign-in",
  outOfDate: "This form was out of date. Please try again.",
  emailError: "Enter an email address, such as name@example.com.",
  tooMany: "Too many requests in a short time.",
  askedTitle: "Check your email",
  askedLead: plural({
    one: (figure) =>
      `If an account has this address, we sent it an email. Its link works once, for ${figure} minute.`,
    other: (figure) =>
      `If an account has this address, we sent it an email. Its link works once, for ${figure} minutes.`,
  }),
  askedFor: (email: Printable) => html`You entered ${email}.`,
  otherAddress: "Use another address",
  askedHint:
    "No email after a few minutes? Check your spam folder, and check that this is the address of your account.",
  offTitle: "This server does not send email",
  offLead:
    "This server does not send email, so it cannot send you a link. An administrator can set a new password for you.",
  resetTitle: "Choose a new password",
  resetLead: "You will be signed out everywhere. Then sign in with the new password.",
  newPassword: "New password",
  newPasswordAgain: "Repeat the new password",
  passwordHint: plural({
    one: (figure) =>
      `At least ${figure} character. A few unrelated words are stronger than one unusual word.`,
    other: (figure) =>
      `At least ${figure} characters. A few unrelated words are stronger than one unusual word.`,
  }),
  setPassword: "Set the password",
  tooShort: "This password is too short.",
  tooLong: "This password is too long.",
  tooCommon: "This password is too common.",
  differs: "The two passwords are not the same.",
  deadTitle: "This link has expired or was already used",
  deadLead: "A newer link may have replaced it. Request a new one.",
  askAgain: "Request a new link",
  doneTitle: "Your password is set",
  doneLead: "You were signed out everywhere. Sign in with your new password.",
  signIn: "Sign in",
  mailGreeting: "Hello,",
  mailSubject: (server: string) => `Choose a new password at ${server}`,
  mailAsked: (server: string) =>
    `A new password was requested for the account with this address at ${server}. Choose it with this link:`,
  mailButton: "Choose a new password",
  mailOnce: plural({
    one: (figure) =>
      `It works once, for ${figure} minute. If you request another, only the newest link works.`,
    other: (figure) =>
      `It works once, for ${figure} minutes. If you request another, only the newest link works.`,
  }),
  mailIgnore: "If this was not you, ignore this email: your password stays the same.",
  mailNoWaySubject: (server: string) => `Your account at ${server}`,
  mailInactive: (server: string) =>
    `A new password was requested for the account with this address at ${server}. The account is switched off, so no password can be set. An administrator of the server can switch it on again.`,
  mailNoPassword: (server: string) =>
    `A new password was requested for the account with this address at ${server}. The account has no password. Sign in another way:`,
  mailByPasskey: "– with one of your passkeys",
  mailByProvider: (provider: string) => `– with your account at ${provider}`,
  mailSetLater: "Once you are signed in, you can set a password under “Account”.",
  /** For an account without a password, in place of a link to set a new one. */
  signInOtherwise: {
    lead: "Your account has no password. Sign in as before, and remove everything that is not yours:",
    passkey: "With your passkey",
    provider: (provider: string) => `With your account at ${provider}`,
  },
  mailNothingToDo: "If this was not you, you don't need to do anything.",
};

export type PasswordWords = typeof passwordWords;
