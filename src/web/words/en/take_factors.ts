/** An administrator takes the second factors of a user, or one of them. */
export const takeFactorsWords = {
  one: {
    title: "Remove one second factor",
    lead: (name: string, factor: string) => `${name} has lost ${factor} and has another second factor.`,
    removed: "The user can no longer sign in with it. The other factors stay.",
    ended: "Sessions that used it end. Every browser will ask for a second factor again.",
    told: "The user is notified by mail.",
    submit: "Remove it",
  },
  all: {
    title: "Reset second factors",
    lead: (name: string) => `${name} has lost what they sign in with.`,
    removed: "All passkeys, authenticator apps, recovery codes and remembered browsers are removed.",
    ended: "All sessions and tokens of the user end.",
    told: "The user is notified by mail, and confirms the mailbox with a code at the next sign-in.",
    reason: "Reason",
    reasonHelp: "For the audit trail. Say how you verified the identity of the user.",
    cancel: "Cancel",
    submit: "Reset second factors",
  },
};

export type TakeFactorsWords = typeof takeFactorsWords;
