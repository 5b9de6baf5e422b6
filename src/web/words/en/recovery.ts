import { html, type Printable } from "../../html.ts";
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
    mailbox: "We mail you a code, so that we know that the mailbox is yours.",
    mails: "We tell you by mail when the wait begins, in its middle and at its end. Each mail can cancel it.",
    factors: "Signing in with one of your second factors cancels it, too.",
    after:
      "After the wait you come back to this browser, sign in with your password and set up new second factors.",
  },
  ask: "Mail me a code",
  asked: (email: Printable) => html`We have mailed a code to ${email}.`,
  label: "Code from the mail",
  help: "The 8 digits of the newest mail. They work for ten minutes.",
  wrong: "This is not the code of the newest mail.",
  expired: "This code is too old, or there were too many wrong ones. Have a new one mailed.",
  throttled: "No code was mailed, because too many were asked for. Try again later.",
  begin: "Begin the wait",
  waiting: (when: Printable) => html`The wait has begun. Come back to this browser after ${when}.`,
  told: "A mail tells you when it is over. If you find one of your second factors meanwhile, just sign in with it.",
  elsewhere: (when: Printable) =>
    html`A wait until ${when} was begun in another browser. Go on there, or cancel it by the link of its mail and begin again here.`,
  ready: "The wait is over. Your old second factors are removed, and you are signed out everywhere.",
  finish: "Set up new second factors",
  /** On the page of the second factor. */
  atSignIn: {
    waiting: (when: Printable) =>
      html`You wait for new second factors. You can set them up in this browser after ${when}. Signing in with one that you have cancels the wait.`,
    elsewhere: (when: Printable) =>
      html`Somebody says in another browser that all your second factors are lost. They can set up new ones after ${when}. Signing in with one that you have cancels that.`,
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
    lead: "Somebody waits to replace the second factors of your account. If that is not you, cancel it.",
    submit: "Cancel it",
    doneTitle: "Cancelled",
    done: "Your second factors stay. Somebody knows your password and can read your mail: change both passwords.",
    deadTitle: "Nothing to cancel",
    dead: "What this link was about is over or was cancelled before.",
    secure: "Secure your account",
  },
  code: {
    subject: (server: string) => `Your code for ${server}`,
    says: (server: string) =>
      `Somebody who knows the password of your account at ${server} says that they lost all of its second factors. This code lets them ask for new ones:`,
    caution:
      "Give it to nobody, and type it only where you began to sign in. If that was not you, change your password.",
  },
  mails: {
    recovery_started: (when: string) => `New second factors can be set up after ${when}, not before.`,
    recovery_halfway: (when: string) => `New second factors can be set up after ${when}, not before.`,
    recovery_ready: (when: string) =>
      `Open the browser in which you asked and sign in there. You can do that until ${when}.`,
  },
};

export type RecoveryWords = typeof recoveryWords;
