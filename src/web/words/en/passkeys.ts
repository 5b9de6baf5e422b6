import type { Printable } from "../../html.ts";
import { html } from "../../html.ts";

/** Passkeys: signing in with them, and the person's own. */
export const passkeyWords = {
  signIn: "Sign in with a passkey",
  use: "Use a passkey",
  anotherWay: "Another way",
  cancelled: "No passkey was used. Try again, or choose another way.",
  known: "This device already has a passkey for your account.",
  unable: "Passkeys need a current browser with JavaScript switched on.",
  failures: {
    refused: "That passkey was not accepted. Try again, or choose another way.",
    unknown: "This server does not know that passkey. It may have been removed.",
    expired: "That took too long. Please try again.",
    second_factor_only:
      "That passkey only confirms a sign-in. Sign in with your password first, and then use it.",
    counter:
      "That passkey answered as if it had been copied, so it was not accepted. Choose another way, and replace the passkey.",
    taken: "That passkey is registered already.",
    too_many: "You have as many passkeys as this server keeps. Remove one first.",
    too_young:
      "A passkey that is less than a day old cannot vouch for this. Use an older one, or try again tomorrow.",
    last_way: "This is your only way to sign in, so it cannot be removed.",
    name: "Give it a name of 1 to 64 characters.",
  },
  card: {
    title: "Passkeys",
    lead: "A passkey signs you in with your finger, your face or the PIN of your device. Nobody can guess it or trick you out of it.",
    none: "You have no passkey yet.",
    name: "Name",
    synced: "Synced",
    deviceOnly: "This device only",
    securityKey: "Second factor only",
    added: "Added",
    lastUsed: "Last used",
    never: "Never",
    rename: "Rename",
    renameOf: (name: Printable) => html`Rename: ${name}`,
    remove: "Remove",
    removeOf: (name: Printable) => html`Remove: ${name}`,
    add: "Add a passkey",
    addKey: "Add a security key",
    single:
      "One passkey on one device is your only way to sign in. If you lose the device, you lose the account: add a second passkey, or set a password.",
    upgrades:
      "Your browser can add a passkey by itself when you sign in with your password and a code. That holds for this browser only.",
    allowUpgrades: "Let this browser add passkeys",
    forbidUpgrades: "Stop adding passkeys in this browser",
  },
  enrol: {
    title: "Add a passkey",
    lead: "Your browser will ask you to confirm with your finger, your face or the PIN of your device.",
    keyTitle: "Add a security key",
    keyLead: "A security key confirms a sign-in with your password. Have it at hand.",
    name: "Name",
    nameHelp: "So that you recognise it in your list.",
    suggested: "My passkey",
    suggestedKey: "My security key",
    submit: "Create the passkey",
    submitKey: "Register the security key",
  },
  renaming: {
    title: "Rename the passkey",
    submit: "Save",
  },
  removing: {
    title: (name: string) => `Remove ${name}?`,
    lead: "You can no longer sign in with it. Everywhere you are signed in with it, you are signed out.",
    submit: "Remove the passkey",
  },
  first: {
    lead: "With a passkey you sign in with your finger, your face or the PIN of your device, without a password.",
    submit: "Create a passkey instead",
  },
  upgrade: {
    title: "One moment",
    lead: "Your browser may add a passkey, so that you can sign in faster next time.",
    goOn: "Continue",
  },
  offer: {
    title: "Sign in faster next time",
    lead: "With a passkey you sign in with your finger, your face or the PIN of your device, without a password.",
    later: "Not now",
  },
};

export type PasskeyWords = typeof passkeyWords;
