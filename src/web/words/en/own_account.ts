import { html, type Printable } from "../../html.ts";
import { plural } from "./plural.ts";

/** What people do with their own account: its address, a copy of their data, and its deletion. */
export const ownAccountWords = {
  email: {
    title: "E-mail address",
    change: "Change the address",
    lead: "You sign in with this address, and mail about your account goes there.",
    now: "Address now",
    waits: (email: Printable) => html`${email} waits for you to confirm it.`,
    waitsHint:
      "Open the link in the mail that we sent there, in a browser where you are signed in. Until then nothing changes.",
    cancel: "Keep the address as it is",
    next: "New address",
    submit: "Send the link",
    noMail: "This server sends no mail, so it cannot check another address.",
    locked: (time: Printable) =>
      html`The address was brought back by its former mailbox. It can be changed again from ${time} on.`,
    errors: {
      email: "Write an e-mail address, such as name@example.com.",
      same: "That is the address you have.",
      throttled: "That was asked for many times in a short while. Please try again later.",
    },
    confirmTitle: "Confirm your new address",
    confirmLead: (email: Printable) =>
      html`From then on you sign in with ${email}, and mail about your account goes there.`,
    confirm: "Use this address",
    deadTitle: "This link does not work any more",
    deadLead: "It was used, is too old, belongs to another account, or the address cannot be used.",
    undoTitle: "Bring your address back",
    undoLead: (email: Printable) =>
      html`Your account gets ${email} back. Everybody is signed out of it, and its address stays as it is for 72 hours.`,
    undo: "Bring the address back",
    undoneTitle: "Your address is back",
    undoneLead: "Everybody is signed out of your account. Choose a new password now.",
    choosePassword: "Choose a new password",
    outOfDate: "This form was out of date. Please try again.",
    mailSubject: (server: string) => `Confirm your new address at ${server}`,
    mailAsked: (server: string) =>
      `Somebody who is signed in at ${server} wants this to be the address of their account. If that was you, open this link in a browser where you are signed in:`,
    mailButton: "Confirm the address",
    mailFor: plural({
      one: (figure) => `It works for ${figure} minute.`,
      other: (figure) => `It works for ${figure} minutes.`,
    }),
    mailIgnore: "If that was not you, do nothing.",
    mailUndo: plural({
      one: (figure) => `For ${figure} day, the link below brings this address back and signs everybody out.`,
      other: (figure) =>
        `For ${figure} days, the link below brings this address back and signs everybody out.`,
    }),
  },
};

export type OwnAccountWords = typeof ownAccountWords;
