import type { Printable } from "../../html/html.ts";
import { html } from "../../html/html.ts";

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
      "This passkey is only a second factor. Sign in with your password first, then use it.",
    counter:
      "This passkey may have been copied, so it was not accepted. Choose another way, and replace the passkey.",
    taken: "This passkey is already registered.",
    too_many: "You have the maximum number of passkeys. Remove one first.",
    last_way: "This is your only way to sign in, so it cannot be removed.",
  },
  tooYoung: (time: string) =>
    `A passkey must be at least ${time} old to confirm this. Use an older one, or try again later.`,
  card: {
    title: "Passkeys",
    lead: "A passkey signs you in with your finger, your face or the PIN of your device. It cannot be guessed or phished.",
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
      "Your browser can add a passkey automatically when you sign in with your password and a code. This applies to this browser only.",
    allowUpgrades: "Let this browser add passkeys",
    forbidUpgrades: "Stop adding passkeys in this browser",
  },
  enrol: {
    title: "Add a passkey",
    lead: "Your browser will ask you to confirm with your finger, your face or the PIN of your device.",
    keyTitle: "Add a security key",
    keyLead: "A security key confirms a sign-in with your password. Have it ready.",
    name: "Name",
    nameHelp: "A name you will recognize in your list.",
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
    lead: "You can no longer sign in with it. You are signed out wherever you signed in with it.",
    submit: "Remove the passkey",
  },
  first: {
    lead: "With a passkey you sign in with your finger, your face or the PIN of your device, without a password.",
    submit: "Create a passkey instead",
  },
  upgrade: {
    title: "One moment",
    lead: "Your browser may add a passkey, so you can sign in faster next time.",
    goOn: "Continue",
  },
  offer: {
    title: "Sign in faster next time",
    lead: "With a passkey you sign in with your finger, your face or the PIN of your device, without a password.",
    later: "Not now",
  },
};

export type PasskeyWords = typeof passkeyWords;
