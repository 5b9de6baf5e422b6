/** Tracks which workers of a server are listening, until all of them are. */
export function workerStarts(workers: number) {
  const listening = new Set<number>();
  let complete = false;
  return {
    /** Records that a worker is listening. Returns true once, for the last of all workers. */
    listens(id: number): boolean {
      listening.add(id);
      if (complete || listening.size < workers) return false;
      complete = true;
      return true;
    },
    /**
     * Records the end of a worker. Returns true if it never listened, because its successors would not
     * listen either. A killed worker returns false, because its successors may listen.
     */
    failed(id: number, signal: string | null): boolean {
      const listened = listening.delete(id);
      return !complete && !listened && signal === null;
    },
  };
}
