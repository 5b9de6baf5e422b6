import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const sudoWords = {
  title: "Confirm that it is you",
  lead: "This change affects the security of your account or of others. Nothing has been changed yet.",
  password: "Password",
  wrongPassword: "Wrong password.",
  mailboxLead: (email: Printable) => html`We can send a code to ${email}.`,
  providerLead: "Sign in there again. You then return here.",
  confirmWith: (provider: string) => `Confirm with ${provider}`,
  confirmedLead: "Confirmed. You can finish your change now.",
  finish: "Finish",
  sendAgain: (time: string) =>
    `Your form was too long to save. Go back and submit it again: for ${time} you need no further confirmation.`,
  sendMailCode: "Send me a code",
  mailCodeLabel: "Code from the email",
  mailCodeHelp: (time: string) => `It works once, for ${time}.`,
  wrongMailCode: "This code is wrong or has expired.",
  mailSubject: (server: string) => `Your code for ${server}`,
  mailAsked: (server: string) =>
    `You are about to change a security setting of your account at ${server}. Confirm it with this code:`,
  mailMinutes: plural({
    one: (figure) => `It works once, for ${figure} minute.`,
    other: (figure) => `It works once, for ${figure} minutes.`,
  }),
  mailOther:
    "If this was not you, another person is signed in to your account. Sign out your other sessions, and contact an administrator of the server.",
  throttled: "Too many attempts in a short time.",
  changedMeanwhile: "You confirmed this in another window at the same time. Confirm it again here.",
  noWay: "Your account has no way to confirm this. An administrator of the server can help you.",
  lostPasskey: "I no longer have this passkey",
  cancel: "Cancel",
  submit: "Confirm and continue",
};

export type SudoWords = typeof sudoWords;
