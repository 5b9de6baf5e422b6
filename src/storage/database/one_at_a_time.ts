/**
 * Returns a function that runs `work` for one caller at a time, to write queued entries. When a call returns,
 * everything queued before it has been written, even if an earlier call wrote part of it. If `work` throws,
 * the error goes to the caller whose turn it was.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const turn = last.catch(() => {}).then(work);
    last = turn;
    return turn;
  };
}
