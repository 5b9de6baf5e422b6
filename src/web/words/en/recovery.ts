import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

const lead = plural({
  one: (figure) =>
    `If you have none of your second factors, you can set up new ones after a wait of ${figure} hour.`,
  other: (figure) =>
    `If you have none of your second factors, you can set up new ones after a wait of ${figure} hours.`,
});

export const recoveryWords = {
  title: "I lost all my second factors",
  back: "Back",
  administrator: "You administer this server, so only another administrator can reset your second factors.",
  lead,
  steps: {
    mailbox: "We email you a code, to confirm that the mailbox is yours.",
    mails:
      "We email you when the wait begins, halfway through and when it ends. Each email has a link to cancel it.",
    factors: "Signing in with one of your second factors cancels it as well.",
    after:
      "After the wait you return to this browser, sign in with your password and set up new second factors.",
  },
  ask: "Email me a code",
  asked: (email: Printable) => html`We have emailed a code to ${email}.`,
  label: "Code from the email",
  help: (time: string) => `The digits from the latest email. They work for ${time}.`,
  wrong: "This is not the code from the latest email.",
  expired: "This code has expired, or there were too many wrong codes. Request a new one.",
  throttled: "Too many codes were requested, so we sent none. Try again later.",
  begin: "Start the wait",
  waiting: (when: Printable) => html`The wait has started. Return to this browser after ${when}.`,
  told: "We email you when it ends. If you find one of your second factors in the meantime, sign in with it.",
  elsewhere: (when: Printable) =>
    html`A wait until ${when} was started in another browser. Continue there, or cancel it with the link in its email and start again here.`,
  ready: "The wait is over. Continuing removes your old second factors and signs you out everywhere.",
  finish: "Set up new second factors",
  atSignIn: {
    waiting: (when: Printable) =>
      html`You are waiting for new second factors. You can set them up in this browser after ${when}. Signing in with an old one cancels the wait.`,
    elsewhere: (when: Printable) =>
      html`All your second factors were reported lost in another browser. New ones can be set up there after ${when}. Signing in with one of yours cancels that.`,
    ready: "The wait is over. You can set up new second factors now.",
    open: "Set them up",
    look: "About the wait",
  },
  banner: {
    says: (when: Printable) =>
      html`The second factors of your account were reported lost. New ones can be set up after ${when}.`,
    cancel: "Cancel this",
  },
  link: {
    title: "Keep your second factors",
    lead: "A request to replace the second factors of your account is pending. If you did not make it, cancel it.",
    submit: "Cancel it",
    doneTitle: "Canceled",
    done: "Your second factors stay. The person who made the request had your password and access to your email: change both passwords.",
    deadTitle: "Nothing to cancel",
    dead: "The recovery that this link cancels is over or was already canceled.",
    secure: "Secure your account",
  },
  code: {
    subject: (server: string) => `Your code for ${server}`,
    says: (server: string) =>
      `A person who knows the password of your account at ${server} is reporting all of its second factors as lost. With this code, that person can request new ones:`,
    caution:
      "Never share it, and type it only where you started to sign in. If that was not you, change your password.",
  },
  mails: {
    recovery_started: (when: string) => `New second factors can be set up after ${when}, not before.`,
    recovery_halfway: (when: string) => `New second factors can be set up after ${when}, not before.`,
    recovery_ready: (when: string) =>
      `Open the browser in which you made the request and sign in there. You can do that until ${when}.`,
  },
};

export type RecoveryWords = typeof recoveryWords;
