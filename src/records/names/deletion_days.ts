/** Days during which a user can cancel the deletion of their account (SS-12). */
export const deletionDays = 14;

const wait = deletionDays * 86_400_000;

/** Returns when an account is deleted if its deletion was requested at this time. */
export const deletionDue = (asked_at: Date): Date => new Date(asked_at.getTime() + wait);

/** Returns when the deletion was requested of an account that is deleted at this time. */
export const deletionRequested = (due_at: Date): Date => new Date(due_at.getTime() - wait);
