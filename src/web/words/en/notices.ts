import { plural } from "./plural.ts";

/** Of each kind: the subject, and what happened at a moment. `name` is what the thing is called. */
export const noticeWords = {
  kinds: {
    password: {
      subject: (server: string) => `Your password at ${server} was changed`,
      says: (server: string, time: string) =>
        `The password of the account with this address at ${server} was changed on ${time}.`,
    },
    email: {
      subject: (server: string) => `The e-mail of your account at ${server} was changed`,
      says: (server: string, time: string) =>
        `The address of your account at ${server} was changed on ${time}. Mail about the account now goes to the new address.`,
    },
    email_here: {
      subject: (server: string) => `This is now the address of your account at ${server}`,
      says: (server: string, time: string) =>
        `An account at ${server} has this address since ${time}. You sign in with it, and mail about the account comes here.`,
    },
    factor_added: {
      subject: (server: string) => `An authenticator app was added at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The authenticator app “${name}” was added to your account at ${server} on ${time}.`,
    },
    factor_removed: {
      subject: (server: string) => `An authenticator app was removed at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The authenticator app “${name}” was removed from your account at ${server} on ${time}.`,
    },
    recovery_codes: {
      subject: (server: string) => `You have new recovery codes at ${server}`,
      says: (server: string, time: string) =>
        `New recovery codes were created for your account at ${server} on ${time}. Earlier codes no longer work.`,
    },
    recovery_code_used: {
      subject: (server: string) => `A recovery code was used at ${server}`,
      says: (server: string, time: string) =>
        `A recovery code of your account at ${server} was used on ${time}.`,
    },
    device_remembered: {
      subject: (server: string) => `A browser is remembered at ${server}`,
      says: (server: string, time: string) =>
        `A browser that signed in to your account at ${server} on ${time} is remembered: it is not asked for your second factor for some days. Your account lists such browsers under “Sessions”.`,
    },
    passkey_added: {
      subject: (server: string) => `A passkey was added at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The passkey “${name}” was added to your account at ${server} on ${time}.`,
    },
    passkey_removed: {
      subject: (server: string) => `A passkey was removed at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The passkey “${name}” was removed from your account at ${server} on ${time}.`,
    },
    passkey_copied: {
      subject: (server: string) => `A passkey may have been copied at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The passkey “${name}” of your account at ${server} was refused on ${time}, because it may have been copied. Remove it and add a new one.`,
    },
    link_added: {
      subject: (server: string) => `Another account was linked at ${server}`,
      says: (server: string, time: string, name: string) =>
        `An account at “${name}” was linked to your account at ${server} on ${time}.`,
    },
    link_removed: {
      subject: (server: string) => `A linked account was removed at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The link of your account at ${server} to an account at “${name}” was removed on ${time}.`,
    },
    api_key: {
      subject: (server: string) => `An API key was created at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The API key “${name}” was created for your account at ${server} on ${time}. Programs that have it can act for you.`,
    },
    api_key_changed: {
      subject: (server: string) => `An API key was changed at ${server}`,
      says: (server: string, time: string, name: string) =>
        `The scopes or the lifetime of the API key “${name}” of your account at ${server} were changed on ${time}.`,
    },
    new_device: {
      subject: (server: string) => `A sign-in from a new device at ${server}`,
      says: (server: string, time: string) =>
        `Your account at ${server} was used on ${time} to sign in from a browser that is new to it.`,
    },
    wrong_factor: {
      subject: (server: string) => `Somebody may know your password at ${server}`,
      says: (server: string, time: string) =>
        `On ${time} your account at ${server} was given the right password and then wrong codes.`,
    },
    recovery_started: {
      subject: (server: string) => `Your second factors at ${server} are to be replaced`,
      says: (server: string, time: string) =>
        `On ${time} somebody with your password and a code from this mailbox said that all second factors of your account at ${server} are lost.`,
    },
    recovery_halfway: {
      subject: (server: string) => `Your second factors at ${server} are still to be replaced`,
      says: (server: string) =>
        `Somebody is waiting to replace the second factors of your account at ${server}. Half of the time is over.`,
    },
    recovery_ready: {
      subject: (server: string) => `Your second factors at ${server} can be replaced now`,
      says: (server: string) =>
        `The wait is over. The second factors of your account at ${server} can be replaced now.`,
    },
    recovery_cancelled: {
      subject: (server: string) => `Your second factors at ${server} stay`,
      says: (server: string, time: string) =>
        `The replacement of the second factors of your account at ${server} was cancelled on ${time}.`,
    },
    recovery_finished: {
      subject: (server: string) => `Your second factors at ${server} were removed`,
      says: (server: string, time: string) =>
        `The passkeys, authenticator apps and recovery codes of your account at ${server} were removed on ${time}, after the announced wait. You are signed out everywhere.`,
    },
    removal_started: {
      subject: (server: string) => `Your passkey at ${server} is to be removed`,
      says: (server: string, time: string) =>
        `On ${time} somebody who is signed in with two other factors and has a code from this mailbox said that the passkey of your account at ${server} is lost.`,
    },
    removal_halfway: {
      subject: (server: string) => `Your passkey at ${server} is still to be removed`,
      says: (server: string) =>
        `The passkey of your account at ${server} is to be removed, because it was said to be lost. Half of the time is over.`,
    },
    removal_ready: {
      subject: (server: string) => `Your passkey at ${server} will be removed soon`,
      says: (server: string) =>
        `The passkey of your account at ${server} is to be removed, because it was said to be lost. The time is almost over.`,
    },
    removal_cancelled: {
      subject: (server: string) => `Your passkey at ${server} stays`,
      says: (server: string, time: string) =>
        `The removal of the passkey of your account at ${server} was cancelled on ${time}.`,
    },
    removal_finished: {
      subject: (server: string) => `A lost passkey was removed at ${server}`,
      says: (server: string, time: string, name: string) =>
        `After the announced wait, the passkey “${name}” of your account at ${server} was removed on ${time}. Your other factors confirm changes of your account from now on.`,
    },
    factors_reset: {
      subject: (server: string) => `Your second factors at ${server} were removed`,
      says: (server: string, time: string) =>
        `An administrator removed the passkeys, authenticator apps and recovery codes of your account at ${server} on ${time}. At your next sign-in you get a code by mail, and can then set up new ones.`,
    },
    secured: {
      subject: (server: string) => `Your account at ${server} was secured`,
      says: (server: string, time: string) =>
        `On ${time} you said that what happened in your account at ${server} was not you. What was created there since has ended.`,
    },
    deletion: {
      subject: (server: string) => `Your account at ${server} will be deleted`,
      says: (server: string, time: string) =>
        `On ${time} you were signed out everywhere, because your account at ${server} is to be deleted.`,
    },
    deleted: {
      subject: (server: string) => `Your account at ${server} is deleted`,
      says: (server: string, time: string) =>
        `The account with this address at ${server} was deleted on ${time}.`,
    },
  },
  /** In the mail about a factor that came with a set of recovery codes. */
  withCodes: "A set of recovery codes was created with it.",
  /** How many recovery codes there still are. */
  codesLeft: plural({
    one: (figure) => `You have ${figure} recovery code left.`,
    other: (figure) => `You have ${figure} recovery codes left.`,
  }),
  device: (device: string, address: string) => `Device: ${device}. Address: ${address}.`,
  onSystem: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: "unknown",
  unknownAddress: "unknown",
  own: "If that was you, you need not do anything.",
  notMe: "If it was not you, secure your account at once:",
  notMeLink: "It was not me",
  tellAdministrator: "If it was not you, tell an administrator of the server.",
  /** The page behind that link. */
  secure: {
    title: "Secure your account",
    lead: "Somebody else may have used your account. Follow these steps in order.",
    password: "Choose a new password",
    passwordHint: "It signs you out everywhere and ends the access of every app.",
    sessions: "Check where you are signed in",
    sessionsHint: "Sign out every session that you don't recognize.",
    factors: "Check how you sign in",
    factorsHint: "Remove passkeys and authenticator apps that are not yours.",
    links: "Check your linked accounts",
    linksHint: "Remove those that are not yours.",
    keys: "Check your API keys",
    keysHint: "Revoke those that you did not create.",
    ask: "If you cannot sign in, or the address of the account is no longer yours, tell an administrator of the server.",
  },
};

export type NoticeWords = typeof noticeWords;
