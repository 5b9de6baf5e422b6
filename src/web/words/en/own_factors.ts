import { html, type Printable } from "../../html/html.ts";

export const ownFactorsWords = {
  apps: {
    title: "Authenticator apps",
    lead: "An app on your phone shows a code that you type after your password.",
    none: "You have no authenticator app yet.",
    name: "Name",
    added: "Added",
    lastUsed: "Last used",
    never: "Not yet",
    rename: "Rename",
    renameOf: (name: Printable) => html`Rename: ${name}`,
    remove: "Remove",
    removeOf: (name: Printable) => html`Remove: ${name}`,
    add: "Add an authenticator app",
  },
  enrol: {
    title: "Add an authenticator app",
    lead: (time: string) => `Use any app for one-time codes. Add this key to it within ${time}.`,
    scan: "Scan the picture",
    qr: "The key as a QR code",
    type: "Or type the key",
    open: "Open it in an app on this device",
    name: "Name of the app or device",
    optionalName: "Name of the app or device (optional)",
    nameHelp: "Helps you tell your apps apart, for example: my phone.",
    suggested: "Authenticator app",
    tooMany: "You have the maximum number of authenticator apps. Remove one first.",
    submit: "Add",
    cancel: "Cancel",
  },
  mailbox: {
    title: "Confirm your mailbox",
    lead: (time: string) =>
      `You have used this device for less than ${time}, so a code by email is needed as well.`,
    sent: (email: Printable) => html`We are sending a code to ${email}.`,
    code: "Code from the email",
    submit: "Continue",
    wrong: "This is not the code from the latest email.",
    ended: "This code has expired or was tried too often. Start again.",
    too_many: "Too many codes were sent. Try again later.",
    back: "Back",
    noMailTitle: "Not on this device yet",
    noMail: (time: string) =>
      `This server does not send email, so you can only add your first passkey or authenticator app on a device that you have used for ${time}. That protects you if your password is stolen.`,
    noMailFrom: (when: Printable) => html`On this device you can add one from ${when} on.`,
    noMailUnknown: "To add one on this device, sign out and sign in again first.",
    mailSubject: (server: string) => `Your code for ${server}`,
    mailAsked: {
      factor: (server: string) =>
        `Use this code to add a passkey or an authenticator app to your account at ${server}:`,
      email: (server: string) => `Use this code to change the email address of your account at ${server}:`,
    },
    mailIgnore:
      "If you did not request this code, another person knows your password. Change it, and never share the code.",
  },
  renaming: { title: "Rename the authenticator app", submit: "Rename" },
  removing: {
    title: (name: string) => `Remove ${name}?`,
    lead: "Its codes no longer sign you in. Your other factors stay as they are.",
    lastLead:
      "This is your last second factor. Without it only your first factor protects your account, and your recovery codes stop working.",
    submit: "Remove",
  },
  codes: {
    title: "Recovery codes",
    lead: "Each code replaces a lost second factor once.",
    made: (day: Printable) => html`Created on ${day}.`,
    none: "You have no recovery codes yet.",
    allUsed: "You have used all of your recovery codes.",
    few: "You have few left. Create new ones soon.",
    alone:
      "You have only one second factor. If you lose it, only an administrator can help you. Create recovery codes, or add another factor.",
    make: "Create new codes",
    makeFirst: "Create recovery codes",
    newTitle: "Your recovery codes",
    newLead: "Print them or store them where you keep passwords. You won't see them again.",
    finishAdds: (name: Printable) => html`Finish this page to activate the codes and add “${name}”.`,
    finishFirst: "Finish this page to activate the codes.",
    finishReplaces: "Finish this page to activate the codes. They then replace your old ones.",
    shownBefore: "The codes were shown once. If you did not store them, create new ones.",
    stored: "I have stored these codes",
    finish: "Finish",
    makeOthers: "Create other codes",
  },
  waiting: {
    title: "Not added yet",
    lead: (name: Printable, when: Printable) =>
      html`“${name}” works once you have stored your recovery codes. Finish by ${when}.`,
    discard: "Don't add it",
  },
  undo: {
    title: "Was this not you?",
    lead: "Everything created with your account since that sign-in is revoked. Every device is signed out, and you get a link for a new password by email.",
    submit: "It was not me",
    doneTitle: "Your account is secured",
    doneLead: "Every device is signed out, and everything created since that sign-in is revoked.",
    done: "Your password may be known to others: set a new one with the link in your mailbox.",
    moved:
      "The address of your account has changed since. If you did not change it, use the link in the email about that change.",
    reset: "Request another link",
    deadTitle: "This link has expired or was already used",
    dead: (time: string) => `The link works once, for ${time}.`,
    secure: "Secure your account",
  },
};

export type OwnFactorsWords = typeof ownFactorsWords;
