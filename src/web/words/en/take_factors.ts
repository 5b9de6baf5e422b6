/** An administrator takes the second factors of a user, or one of them. */
export const takeFactorsWords = {
  one: {
    title: "Remove one second factor",
    lead: (name: string, factor: string) => `${name} has lost ${factor} and has another second factor.`,
    removed: "It no longer signs the user in, or confirms a sign-in. What else the user has stays.",
    ended: "Sessions that rest on it end. Every browser is asked for a second factor again.",
    told: "The user is told by mail.",
    submit: "Remove it",
  },
  all: {
    title: "Reset second factors",
    lead: (name: string) => `${name} has lost what they sign in with.`,
    removed: "All passkeys, authenticator apps, recovery codes and remembered browsers are removed.",
    ended: "All sessions and tokens of the user end.",
    told: "The user is told by mail, and proves the mailbox by a code at the next sign-in.",
    reason: "Reason",
    reasonHelp: "For the audit. Say how you made sure that it is the user who asks.",
    cancel: "Cancel",
    submit: "Reset second factors",
  },
};

export type TakeFactorsWords = typeof takeFactorsWords;
