/**
 * Writes lines to a file descriptor synchronously, and survives errors of the descriptor: a full disk, or a
 * reader that has exited or is slow.
 */

export interface LineWriter {
  /** The line includes its newline. Never throws. */
  write(line: string): void;
  onDrop(listener: () => void): void;
  /** Tries briefly to write the waiting lines at the end of the process. */
  finish(): void;
}

interface LineWriterOptions {
  readonly writeBytes: (bytes: Buffer) => number;
  readonly dropped: (count: number) => string;
  readonly limit?: number;
  readonly later?: (retry: () => void) => void;
}

const usualLimit = 1_048_576;

const lastWait = 500;

/**
 * Returns a writer of complete lines in order. Lines that cannot be written wait for a retry; if more than
 * `limit` bytes are waiting, new lines are dropped and counted.
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
  /** After `EAGAIN` the reader is slow, so a short wait may help. After any other error, it does not. */
  let slow = false;

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
      // The error is not thrown: the next attempt shows whether it was temporary.
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
