import { plural } from "./plural.ts";

export const noticeWords = {
  kinds: {
    password: {
      subject: (server: string) => `Your password at ${server} was changed`,
      says: (server: string, time: string) =>
        `The password of the account with this address at ${server} was changed on ${time}.`,
    },
    email: {
      subject: (server: string) => `The email address of your account at ${server} was changed`,
      says: (server: string, time: string) =>
        `The address of your account at ${server} was changed on ${time}. Emails about the account now go to the new address.`,
    },
    email_here: {
      subject: (server: string) => `This is now the address of your account at ${server}`,
      says: (server: string, time: string) =>
        `On ${time}, this became the address of an account at ${server}. You sign in with it, and emails about the account are sent here.`,
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
        `A browser that signed in to your account at ${server} on ${time} is remembered: for some days it does not need your second factor. Your account lists remembered browsers under “Sessions”.`,
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
        `An account at “${name}” was unlinked from your account at ${server} on ${time}.`,
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
      subject: (server: string) => `Your password at ${server} may be known to others`,
      says: (server: string, time: string) =>
        `On ${time}, a sign-in to your account at ${server} had the right password, followed by wrong codes.`,
    },
    recovery_started: {
      subject: (server: string) => `Request to replace your second factors at ${server}`,
      says: (server: string, time: string) =>
        `On ${time}, all second factors of your account at ${server} were reported lost. The report was confirmed with your password and a code from this mailbox.`,
    },
    recovery_halfway: {
      subject: (server: string) => `Reminder: your second factors at ${server} will be replaced`,
      says: (server: string) =>
        `A request to replace the second factors of your account at ${server} is pending. Half of the wait is over.`,
    },
    recovery_ready: {
      subject: (server: string) => `Your second factors at ${server} can be replaced now`,
      says: (server: string) =>
        `The wait is over. The second factors of your account at ${server} can be replaced now.`,
    },
    recovery_cancelled: {
      subject: (server: string) => `The replacement of your second factors at ${server} was canceled`,
      says: (server: string, time: string) =>
        `The replacement of the second factors of your account at ${server} was canceled on ${time}.`,
    },
    recovery_finished: {
      subject: (server: string) => `Your second factors at ${server} were removed`,
      says: (server: string, time: string) =>
        `The passkeys, authenticator apps and recovery codes of your account at ${server} were removed on ${time}, after the announced wait. You are signed out everywhere.`,
    },
    removal_started: {
      subject: (server: string) => `Request to remove your passkey at ${server}`,
      says: (server: string, time: string) =>
        `On ${time}, the passkey of your account at ${server} was reported lost. The report was confirmed with two other factors and a code from this mailbox.`,
    },
    removal_halfway: {
      subject: (server: string) => `Reminder: your passkey at ${server} will be removed`,
      says: (server: string) =>
        `The passkey of your account at ${server} was reported lost and will be removed. Half of the wait is over.`,
    },
    removal_ready: {
      subject: (server: string) => `Your passkey at ${server} will be removed soon`,
      says: (server: string) =>
        `The passkey of your account at ${server} was reported lost and will be removed. The wait is almost over.`,
    },
    removal_cancelled: {
      subject: (server: string) => `The removal of your passkey at ${server} was canceled`,
      says: (server: string, time: string) =>
        `The removal of the passkey of your account at ${server} was canceled on ${time}.`,
    },
    removal_finished: {
      subject: (server: string) => `A lost passkey was removed at ${server}`,
      says: (server: string, time: string, name: string) =>
        `After the announced wait, the passkey “${name}” of your account at ${server} was removed on ${time}. From now on you confirm account changes with your other factors.`,
    },
    factors_reset: {
      subject: (server: string) => `Your second factors at ${server} were removed`,
      says: (server: string, time: string) =>
        `An administrator removed the passkeys, authenticator apps and recovery codes of your account at ${server} on ${time}. At your next sign-in you get a code by email and can then set up new ones.`,
    },
    secured: {
      subject: (server: string) => `Your account at ${server} was secured`,
      says: (server: string, time: string) =>
        `On ${time} you reported activity in your account at ${server} that was not yours. Everything created there since that activity was revoked.`,
    },
    deletion: {
      subject: (server: string) => `Your account at ${server} will be deleted`,
      says: (server: string, time: string) =>
        `On ${time} you were signed out everywhere, because your account at ${server} will be deleted.`,
    },
    deleted: {
      subject: (server: string) => `Your account at ${server} was deleted`,
      says: (server: string, time: string) =>
        `The account with this address at ${server} was deleted on ${time}.`,
    },
  },
  /** Added to the email about a factor that was created together with recovery codes. */
  withCodes: "A set of recovery codes was created with it.",
  codesLeft: plural({
    one: (figure) => `You have ${figure} recovery code left.`,
    other: (figure) => `You have ${figure} recovery codes left.`,
  }),
  device: (device: string, address: string) => `Device: ${device}. Address: ${address}.`,
  onSystem: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: "unknown",
  unknownAddress: "unknown",
  own: "If this was you, you don't need to do anything.",
  notMe: "If this was not you, secure your account now:",
  notMeLink: "It was not me",
  tellAdministrator: "If this was not you, contact an administrator of the server.",
  endpoint: {
    subject: (owner: string) => `A webhook endpoint of ${owner} was disabled`,
    gone: (owner: string, time: string) =>
      `A webhook endpoint of ${owner} was disabled on ${time}: its receiver responded that it no longer exists (410).`,
    failing: (owner: string, time: string) =>
      `A webhook endpoint of ${owner} was disabled on ${time}: it accepted no event for three days.`,
    kept: (position: number) =>
      `It received every event up to position ${position}. Later events are kept. When you activate it, choose whether it continues there or with new events.`,
    link: "Open the endpoint",
  },
  secure: {
    title: "Secure your account",
    lead: "Another person may have used your account. Follow these steps in order.",
    password: "Choose a new password",
    passwordHint: "This signs you out everywhere and revokes the access of every app.",
    sessions: "Check where you are signed in",
    sessionsHint: "Sign out every session that you don't recognize.",
    factors: "Check how you sign in",
    factorsHint: "Remove passkeys and authenticator apps that are not yours.",
    links: "Check your linked accounts",
    linksHint: "Remove those that are not yours.",
    keys: "Check your API keys",
    keysHint: "Revoke those that you did not create.",
    ask: "If you cannot sign in, or the address of the account is no longer yours, contact an administrator of the server.",
  },
};

export type NoticeWords = typeof noticeWords;
