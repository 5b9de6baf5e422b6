/**
 * Returns a function that runs `work` (writing a queue) for one caller at a time. Entries that were queued
 * before a call are written when the call returns. An error of `work` is thrown only to the caller whose run
 * failed.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const turn = last.catch(() => {}).then(work);
    last = turn;
    return turn;
  };
}
