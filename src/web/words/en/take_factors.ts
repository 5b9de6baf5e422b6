export const takeFactorsWords = {
  one: {
    title: "Remove one second factor",
    lead: (name: string, factor: string) => `${name} has lost ${factor} and has another second factor.`,
    removed: "The user can no longer sign in with it. The other factors stay.",
    ended: "Sessions that used it are ended. Every browser will ask for a second factor again.",
    told: "The user is notified by email.",
    submit: "Remove it",
  },
  all: {
    title: "Reset second factors",
    lead: (name: string) => `${name} has lost all second factors.`,
    removed: "All passkeys, authenticator apps, recovery codes and remembered browsers are removed.",
    ended: "All sessions and tokens of the user are revoked.",
    told: "The user is notified by email and confirms the mailbox with a code at the next sign-in.",
    reason: "Reason",
    reasonHelp: "For the audit trail. Say how you verified the identity of the user.",
    cancel: "Cancel",
    submit: "Reset second factors",
  },
};

export type TakeFactorsWords = typeof takeFactorsWords;
