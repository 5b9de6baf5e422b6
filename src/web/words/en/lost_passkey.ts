import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

/** A person who no longer has their passkey has it removed after a wait. */
export const lostPasskeyWords = {
  title: "I no longer have my passkey",
  administrator:
    "You administer this server. Ask another administrator to remove your passkey; there is no other way.",
  /** Names the link “I lost all my second factors”. */
  tooLittleLeft: (lost: string) =>
    `You need a password or a linked account, and another second factor. You do not have both. Sign out and sign in with your password or linked account, and choose “${lost}” where you are asked for a second factor. Without either, ask an administrator of the server.`,
  lead: plural({
    one: (figure) => `The passkey is removed after a wait of ${figure} hour.`,
    other: (figure) => `The passkey is removed after a wait of ${figure} hours.`,
  }),
  going: "How it works:",
  steps: {
    proofs: "You confirm it with two factors that you still have, and with a code that we mail you.",
    mails:
      "We tell you by mail when the wait begins, in its middle and before its end. Each mail can cancel it.",
    use: "Using the passkey cancels it, too.",
    after:
      "After the wait your other factors confirm changes of your account, and you can add a new passkey.",
  },
  waiting: (when: Printable) =>
    html`The wait has started. The passkey is removed after ${when}. If you find it in the meantime, use it to cancel.`,
  banner: (when: Printable) =>
    html`Somebody says that they no longer have the passkey of your account. It is removed after ${when}.`,
  link: {
    title: "Keep your passkey",
    lead: "Somebody says that they no longer have the passkey of your account, and asked to remove it. If that was not you, cancel it.",
    done: "Your passkey stays. Somebody knows your password, has another factor of yours and can read your mail: change both passwords, and remove factors that are not yours.",
  },
  codeSays: (server: string) =>
    `Somebody who is signed in to your account at ${server} says that they no longer have its passkey. This code lets them have it removed:`,
  mailUntil: (when: string) => `The passkey is removed after ${when}, unless it is cancelled or used.`,
};

export type LostPasskeyWords = typeof lostPasskeyWords;
