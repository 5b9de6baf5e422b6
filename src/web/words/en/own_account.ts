import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const ownAccountWords = {
  email: {
    title: "Email address",
    change: "Change the address",
    lead: "You sign in with this address, and emails about your account are sent there.",
    now: "Current address",
    waits: (email: Printable) => html`${email} is waiting for your confirmation.`,
    waitsHint:
      "Open the link in the email that we sent there, in a browser where you are signed in. Until then nothing changes.",
    cancel: "Keep the current address",
    next: "New address",
    submit: "Send the link",
    noMail: "This server does not send email, so it cannot verify another address.",
    locked: (time: Printable) =>
      html`This address was restored with a link that we emailed to it. You can change it again from ${time}.`,
    errors: {
      email: "Enter an email address, such as name@example.com.",
      same: "This is already your address.",
      throttled: "Too many requests in a short time. Try again later.",
    },
    confirmTitle: "Confirm your new address",
    confirmLead: (email: Printable) =>
      html`Once you confirm, you sign in with ${email}, and emails about your account are sent there.`,
    confirm: "Use this address",
    deadTitle: "This link can't be used",
    deadLead: "It has expired, was already used, belongs to another account, or the address cannot be used.",
    undoTitle: "Restore your address",
    undoLead: (email: Printable, time: string) =>
      html`Your account gets ${email} back. All sessions are signed out, and the address cannot be changed for ${time}.`,
    undo: "Restore the address",
    undoneTitle: "Your address is restored",
    undoneLead: "All sessions of your account are signed out.",
    undoneKept: "The deletion of your account is canceled.",
    undoneLink: "Choose a new password now: we are emailing you a link for it.",
    choosePassword: "Choose a new password",
    outOfDate: "This form was out of date. Please try again.",
    mailSubject: (server: string) => `Confirm your new address at ${server}`,
    mailAsked: (server: string) =>
      `A user who is signed in at ${server} wants to use this address for their account. If that was you, open this link in a browser where you are signed in:`,
    mailButton: "Confirm the address",
    mailFor: plural({
      one: (figure) => `It works for ${figure} minute.`,
      other: (figure) => `It works for ${figure} minutes.`,
    }),
    mailIgnore: "If that was not you, do nothing.",
    mailUndo: plural({
      one: (figure) => `For ${figure} day, the link below restores this address and signs out all sessions.`,
      other: (figure) =>
        `For ${figure} days, the link below restores this address and signs out all sessions.`,
    }),
  },
  data: {
    title: "Your data",
    open: "Download your data",
    lead: "A JSON file with everything that this server stores about you.",
    without: "It contains no passwords, keys or codes. Store it where only you can read it.",
    download: "Download the file",
    schema: "Format of the file (JSON Schema)",
  },
  deletion: {
    title: "Delete your account",
    open: "Delete your account",
    lead: (time: string) =>
      `You are signed out everywhere immediately. You can change your mind for ${time}. Then all your data is deleted.`,
    goes: "What is removed",
    goesAlways: "Your name, picture, address and password",
    memberships: plural({
      one: (figure) => `${figure} membership of an organization ends`,
      other: (figure) => `${figure} memberships of organizations end`,
    }),
    stays: "The audit trail keeps an identifier instead of your name.",
    successorTitle: "Successor",
    successorLead: plural({
      one: (figure) =>
        `You created ${figure} app or service account of an organization. Name the member who takes it over.`,
      other: (figure) =>
        `You created ${figure} apps and service accounts of organizations. Name the member who takes them over.`,
    }),
    successorHint: "They take over immediately, even if you change your mind later.",
    successor: "Email of your successor",
    submit: "Delete the account",
    errors: {
      successor:
        "This person is not an active member of all organizations that own these apps and service accounts.",
      last_administrator: "You are the last platform administrator. Appoint another one first.",
      last_owner: "You are the last owner of an organization. Appoint another owner, or delete it first.",
    },
    askedTitle: "Your account will be deleted",
    asked: (day: Printable) =>
      html`You are signed out everywhere. Sign in before ${day} to keep the account.`,
    undoTitle: "Keep your account?",
    undoLead: (day: Printable) => html`It will be deleted on ${day}. If you keep it, you sign in as before.`,
    undo: "Keep the account",
    undoneTitle: "Your account is kept",
    undoneLead: "Sign in as before. Create new API keys, and allow your apps again.",
    signIn: "Sign in",
    deadTitle: "Nothing to undo",
    deadLead: "The account was already kept or deleted, or you must sign in again.",
    mailUntil: (day: string) =>
      `It will be deleted with all your data on ${day}. Until then you can keep it with the link below.`,
  },
};

export type OwnAccountWords = typeof ownAccountWords;
