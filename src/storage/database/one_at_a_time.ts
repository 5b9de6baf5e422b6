/**
 * Returns a function that runs `work` (writing a queue) for one caller at a time. Entries that were queued
 * before a call are written when the call returns.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const turn = last.catch(() => {}).then(work);
    last = turn;
    return turn;
  };
}
