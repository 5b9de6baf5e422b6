/** Days during which a user can cancel the deletion of their account (SS-12). */
export const deletionDays = 14;

const wait = deletionDays * 86_400_000;

export const deletionDue = (asked_at: Date): Date => new Date(asked_at.getTime() + wait);

export const deletionRequested = (due_at: Date): Date => new Date(due_at.getTime() - wait);
