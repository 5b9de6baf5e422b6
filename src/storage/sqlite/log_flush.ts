/**
 * The flush of SQLite's log to disk, by a thread of the pool: the event loop answers others meanwhile
 * (docs/decisions/0015). A commit with `synchronous=NORMAL` has written its pages to the log when it returns;
 * the flush begins after it and takes every earlier page along, for the log has one end.
 */
import fs from "node:fs";
import { UnavailableError } from "../../errors.ts";

export interface LogFlush {
  /**
   * Resolves when everything that was committed before the call is on disk. Once one has failed, each call
   * throws.
   */
  flush(): Promise<void>;
  /** Throws once a flush has failed. */
  prove(): void;
  close(): void;
}

/**
 * Of a database file that is open in WAL mode and stays so until `close`; `most` is how many flushes are
 * under way at once.
 */
export function logFlushOf(path: string, most: number): LogFlush {
  // Linux tells each descriptor of a lost page once: of two flushes on one, the second would succeed.
  // Windows flushes only what may be written. SQLite's locks are none of this file's.
  const logs = Array.from({ length: most }, () => fs.openSync(`${path}-wal`, "r+"));
  const free = [...logs];
  let fault: UnavailableError | undefined;
  const prove = () => {
    if (fault !== undefined) throw fault;
  };
  return {
    prove,
    flush: () =>
      new Promise((resolve, reject) => {
        prove();
        const log = free.pop();
        if (log === undefined) throw new Error(`${most} flushes are under way`);
        fs.fdatasync(log, (error) => {
          free.push(log);
          if (error === null) return resolve();
          // A second flush would succeed without the pages of the first: the system counts them as written.
          const sentence = `the disk did not take what was written: mend it and restart: ${error.message}`;
          fault ??= new UnavailableError("away", sentence, error);
          reject(fault);
        });
      }),
    close() {
      for (const log of logs) fs.closeSync(log);
    },
  };
}
