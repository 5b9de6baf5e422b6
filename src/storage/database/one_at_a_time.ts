/**
 * A function that does `work` for one caller after the other. It is for writing what was noted: who calls it
 * finds written what was noted before, also where an earlier call has taken that along and is still writing.
 * A failure is told to the caller whose turn it was.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    const turn = last.catch(() => {}).then(work);
    last = turn;
    return turn;
  };
}
