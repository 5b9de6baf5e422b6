import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

const lead = plural({
  one: (figure) =>
    `Without any of your second factors you can set up new ones after a wait of ${figure} hour.`,
  other: (figure) =>
    `Without any of your second factors you can set up new ones after a wait of ${figure} hours.`,
});

/** A person who lost every second factor waits for new ones. */
export const recoveryWords = {
  title: "I lost all my second factors",
  back: "Back",
  administrator:
    "You administer this server. Ask another administrator to reset your second factors; there is no other way.",
  lead,
  steps: {
    mailbox: "We mail you a code, so we know that the mailbox is yours.",
    mails: "We tell you by mail when the wait begins, in its middle and at its end. Each mail can cancel it.",
    factors: "Signing in with one of your second factors cancels it, too.",
    after:
      "After the wait you come back to this browser, sign in with your password and set up new second factors.",
  },
  ask: "Mail me a code",
  asked: (email: Printable) => html`We have mailed a code to ${email}.`,
  label: "Code from the mail",
  help: (time: string) => `The digits from the latest mail. They work for ${time}.`,
  wrong: "This is not the code from the latest mail.",
  expired: "This code has expired, or there were too many wrong codes. Ask for a new one.",
  throttled: "Too many codes were requested, so we sent none. Try again later.",
  begin: "Start the wait",
  waiting: (when: Printable) => html`The wait has started. Come back to this browser after ${when}.`,
  told: "We mail you when it is over. If you find one of your second factors in the meantime, sign in with it.",
  elsewhere: (when: Printable) =>
    html`A wait until ${when} was started in another browser. Continue there, or cancel it with the link in its mail and start again here.`,
  ready: "The wait is over. Continuing removes your old second factors and signs you out everywhere.",
  finish: "Set up new second factors",
  /** On the page of the second factor. */
  atSignIn: {
    waiting: (when: Printable) =>
      html`You are waiting for new second factors. You can set them up in this browser after ${when}. Signing in with an old one cancels the wait.`,
    elsewhere: (when: Printable) =>
      html`Somebody says in another browser that all your second factors are lost. They can set up new ones after ${when}. Signing in with one of yours cancels that.`,
    ready: "The wait is over. You can set up new second factors now.",
    open: "Set them up",
    look: "About the wait",
  },
  banner: {
    says: (when: Printable) =>
      html`Somebody says that they lost the second factors of your account. After ${when} they can set up new ones.`,
    cancel: "Cancel this",
  },
  link: {
    title: "Keep your second factors",
    lead: "Somebody is waiting to replace the second factors of your account. If that is not you, cancel it.",
    submit: "Cancel it",
    doneTitle: "Cancelled",
    done: "Your second factors stay. Somebody knows your password and can read your mail: change both passwords.",
    deadTitle: "Nothing to cancel",
    dead: "The recovery of this link is over or was already cancelled.",
    secure: "Secure your account",
  },
  code: {
    subject: (server: string) => `Your code for ${server}`,
    says: (server: string) =>
      `Somebody who knows the password of your account at ${server} says that they lost all of its second factors. This code lets them ask for new ones:`,
    caution:
      "Never share it, and type it only where you started to sign in. If that was not you, change your password.",
  },
  mails: {
    recovery_started: (when: string) => `New second factors can be set up after ${when}, not before.`,
    recovery_halfway: (when: string) => `New second factors can be set up after ${when}, not before.`,
    recovery_ready: (when: string) =>
      `Open the browser in which you asked and sign in there. You can do that until ${when}.`,
  },
};

export type RecoveryWords = typeof recoveryWords;
