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
    undoneLead: "Everybody is signed out of your account.",
    undoneKept: "Your account was to be deleted. It is kept.",
    undoneLink: "Choose a new password now: we are mailing you a link for it.",
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
  data: {
    title: "Your data",
    open: "Download your data",
    lead: "A file with everything that this server keeps of you, for reading by programs.",
    without: "Passwords, keys and codes are not in it. Keep the file where nobody else reads it.",
    download: "Download the file",
    schema: "What the file holds (JSON Schema)",
  },
  deletion: {
    title: "Delete your account",
    open: "Delete your account",
    lead: "You are signed out everywhere at once. For 14 days you can change your mind; then everything of you is removed.",
    goes: "What is removed",
    goesAlways: "Your name, picture, address and password",
    memberships: plural({
      one: (figure) => `${figure} membership of an organization ends`,
      other: (figure) => `${figure} memberships of organizations end`,
    }),
    stays: "Records of what happened keep a number in place of your name.",
    successorTitle: "Who takes over",
    successorLead: plural({
      one: (figure) =>
        `You made ${figure} app or service account of an organization. Name the member of it who takes over.`,
      other: (figure) =>
        `You made ${figure} apps and service accounts of organizations. Name the member of them who takes over.`,
    }),
    successorHint: "It goes to them at once, and stays theirs when you change your mind.",
    successor: "E-mail of your successor",
    submit: "Delete the account",
    errors: {
      successor:
        "This is no active member of every organization that the apps and service accounts belong to.",
      last_administrator: "You are the last platform administrator. Make another one first.",
      last_owner: "You are the last owner of an organization. Make another owner first, or delete it.",
    },
    askedTitle: "Your account will be deleted",
    asked: (day: Printable) =>
      html`You are signed out everywhere. Sign in before ${day} to keep the account.`,
    undoTitle: "Keep your account?",
    undoLead: (day: Printable) => html`It is to be deleted on ${day}. If you keep it, you sign in as before.`,
    undo: "Keep the account",
    undoneTitle: "Your account stays",
    undoneLead: "Sign in as before. API keys and the access of apps have to be given anew.",
    signIn: "Sign in",
    deadTitle: "There is nothing to undo here",
    deadLead: "Sign in again, or the account is kept or deleted already.",
    mailUntil: (day: string) =>
      `It will be removed with all that is yours on ${day}. Until then the link below keeps it.`,
  },
};

export type OwnAccountWords = typeof ownAccountWords;
