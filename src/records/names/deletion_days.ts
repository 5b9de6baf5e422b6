/** Days for which a user can cancel the deletion of their account (SS-12). */
export const deletionDays = 14;

const wait = deletionDays * 86_400_000;

/** When an account is removed whose deletion was requested at this time. */
export const deletionDue = (asked_at: Date): Date => new Date(asked_at.getTime() + wait);

/** When the deletion of an account removed at this time was requested. */
export const deletionRequested = (due_at: Date): Date => new Date(due_at.getTime() - wait);
