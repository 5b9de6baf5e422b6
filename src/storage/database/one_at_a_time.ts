/**
 * Returns a function that runs `work`, which writes queued entries, for one caller at a time. When a call
 * returns, everything queued before it has been written. If `work` throws, only the caller whose turn it was
 * gets the error.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const turn = last.catch(() => {}).then(work);
    last = turn;
    return turn;
  };
}
