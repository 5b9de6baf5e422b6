import { html, type Printable } from "../../html.ts";
import { plural } from "./plural.ts";

export const sudoWords = {
  title: "Confirm that it is you",
  lead: "You are about to change something that protects your account or that of others. Nothing has been changed yet.",
  password: "Password",
  wrongPassword: "This password is not right.",
  mailboxLead: (email: Printable) => html`We can send a code to ${email}.`,
  providerLead: "Sign in there once more. You come back here.",
  confirmWith: (provider: string) => `Confirm with ${provider}`,
  confirmedLead: "That was you. Finish what you began.",
  finish: "Finish",
  sendAgain:
    "What you filled in was too long to keep. Go back and send it once more: for five minutes nothing else is asked.",
  sendMailCode: "Send me a code",
  mailCodeLabel: "Code from the mail",
  mailCodeHelp: "Eight digits. It works once, for ten minutes.",
  wrongMailCode: "This code is not right, or is too old.",
  mailSubject: (server: string) => `Your code for ${server}`,
  mailAsked: (server: string) =>
    `You are about to change something at ${server} that protects your account. Confirm it with this code:`,
  mailMinutes: plural({
    one: (figure) => `It works once, for ${figure} minute.`,
    other: (figure) => `It works once, for ${figure} minutes.`,
  }),
  mailOther:
    "If that was not you, somebody else is signed in to your account: end your sessions, and tell an administrator of the server.",
  throttled: "That was tried many times in a short while.",
  changedMeanwhile:
    "You confirmed it in another window at the same moment. Please confirm it here once more.",
  noWay:
    "Nothing that you could confirm it with here is set up for your account. An administrator of the server can help you.",
  lostPasskey: "I no longer have this passkey",
  cancel: "Cancel",
  submit: "Confirm and continue",
};

export type SudoWords = typeof sudoWords;
