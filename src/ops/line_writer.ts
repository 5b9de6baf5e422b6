/**
 * Writes lines to a descriptor at once, and outlives a descriptor that takes none: a full disk, a reader that
 * is gone or slow.
 */

export interface LineWriter {
  /** Writes a line that ends in a newline. Never throws. */
  write(line: string): void;
  /** Called for each line that is given up. */
  onDrop(listener: () => void): void;
  /** Tries for a moment to write the waiting lines: for the end of the process. */
  finish(): void;
}

export interface LineWriterOptions {
  /** Writes bytes and answers how many it took; throws the system's errors. */
  readonly writeBytes: (bytes: Buffer) => number;
  /** The line that says how many were given up, once lines can be written again. */
  readonly dropped: (count: number) => string;
  /** Bytes of lines that wait at most. */
  readonly limit?: number;
  /** Tries again later; `undefined` tries at the next line only. */
  readonly later?: (retry: () => void) => void;
}

/** A slow reader has this much to catch up with. */
const usualLimit = 1_048_576;

/** Milliseconds that the end of the process waits for a slow reader. */
const lastWait = 500;

/**
 * Lines are written in order and whole: of one that is written in part, the rest comes before anything else.
 * Lines that cannot be written wait; past the limit the newest ones are dropped and counted.
 */
export function lineWriter({
  writeBytes,
  dropped,
  limit = usualLimit,
  later,
}: LineWriterOptions): LineWriter {
  const listeners: (() => void)[] = [];
  let waiting: Buffer[] = [];
  let size = 0;
  let missing = 0;
  let retrying = false;
  /** The reader is there and slow; after any other error a short wait does not help. */
  let slow = false;

  /** Writes the waiting lines as far as it can; true when none is left. */
  function drain(): boolean {
    let done = 0;
    try {
      for (let line = waiting[0]; line !== undefined; line = waiting[done]) {
        const taken = writeBytes(line);
        size -= taken;
        if (taken < line.length) waiting[done] = line.subarray(taken);
        else done += 1;
      }
    } catch (error) {
      // Another error: the next try tells whether it has passed.
      slow = (error as NodeJS.ErrnoException).code === "EAGAIN";
    }
    if (done > 0) waiting = waiting.slice(done);
    return waiting.length === 0;
  }

  function add(line: string): void {
    const bytes = Buffer.from(line);
    waiting.push(bytes);
    size += bytes.length;
  }

  function flush(): void {
    if (drain() && missing > 0) {
      add(dropped(missing));
      missing = 0;
      drain();
    }
    if (waiting.length === 0 || retrying || later === undefined) return;
    retrying = true;
    later(() => {
      retrying = false;
      flush();
    });
  }

  return {
    write(line) {
      if (size > limit) flush();
      if (size <= limit) {
        add(line);
        flush();
        return;
      }
      missing += 1;
      for (const listener of listeners) listener();
    },
    onDrop: (listener) => listeners.push(listener),
    finish() {
      const deadline = performance.now() + lastWait;
      for (flush(); waiting.length > 0 && slow && performance.now() < deadline; flush()) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    },
  };
}
