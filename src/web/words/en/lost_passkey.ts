import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

/** For the removal of a lost passkey after a waiting time (MF-15). */
export const lostPasskeyWords = {
  title: "I no longer have my passkey",
  administrator: "You administer this server, so only another administrator can remove your passkey.",
  /** `lost` is the label of the link “I lost all my second factors”. */
  tooLittleLeft: (lost: string) =>
    `You need a password or a linked account, and another second factor. You do not have both. Sign out, sign in with your password or linked account, and choose “${lost}” at the second step. If you have neither a password nor a linked account, ask an administrator of the server.`,
  lead: plural({
    one: (figure) => `The passkey is removed after a wait of ${figure} hour.`,
    other: (figure) => `The passkey is removed after a wait of ${figure} hours.`,
  }),
  going: "How it works:",
  steps: {
    proofs: "You confirm it with two factors that you still have, and with a code that we email you.",
    mails:
      "We email you when the wait begins, halfway through and before it ends. Each email has a link to cancel it.",
    use: "Using the passkey cancels it as well.",
    after:
      "After the wait you confirm account changes with your other factors, and you can add a new passkey.",
  },
  waiting: (when: Printable) =>
    html`The wait has started. The passkey is removed after ${when}. If you find it in the meantime, use it to cancel.`,
  banner: (when: Printable) =>
    html`The passkey of your account was reported lost. It is removed after ${when}.`,
  link: {
    title: "Keep your passkey",
    lead: "The passkey of your account was reported lost and will be removed. If you did not report it, cancel the removal.",
    done: "Your passkey stays. The person who reported it had your password, another of your factors and access to your email: change both passwords, and remove factors that are not yours.",
  },
  codeSays: (server: string) =>
    `A person who is signed in to your account at ${server} is reporting its passkey as lost. With this code, that person can have the passkey removed:`,
  mailUntil: (when: string) => `The passkey is removed after ${when}, unless it is canceled or used.`,
};

export type LostPasskeyWords = typeof lostPasskeyWords;
