/** Which workers of a server listen, until all of them do. */
export function workerStarts(workers: number) {
  const listening = new Set<number>();
  let complete = false;
  return {
    /** Notes that a worker listens; true for the one with which all do, and never again. */
    listens(id: number): boolean {
      listening.add(id);
      if (complete || listening.size < workers) return false;
      complete = true;
      return true;
    },
    /**
     * Notes that a worker has ended; true where it never listened, and neither will those that follow it. One
     * that was killed says nothing about the next one.
     */
    failed(id: number, signal: string | null): boolean {
      const listened = listening.delete(id);
      return !complete && !listened && signal === null;
    },
  };
}
