/**
 * Makes signatures with fast algorithms in a thread. Sending work to a thread costs as much as one signature,
 * so the thread is used only for several at once (docs/decisions/performance.md).
 */
import { type KeyObject, type SignKeyObjectInput, sign } from "node:crypto";
import { Worker } from "node:worker_threads";

export interface PreparedKey {
  readonly digest: "sha256" | null;
  readonly signer: KeyObject | SignKeyObjectInput;
}

interface Batch {
  readonly new_keys: readonly (readonly [number, PreparedKey])[];
  readonly forgotten_keys: readonly number[];
  readonly keys: readonly number[];
  readonly inputs: readonly string[];
}

interface Job {
  readonly key: PreparedKey;
  readonly input: string;
  readonly resolve: (signature: string) => void;
  readonly reject: (reason: unknown) => void;
}

/** Returns the signature of a JWS input in base64url (RFC 7515, section 5.1). Blocks the event loop. */
export function signAtOnce({ digest, signer }: PreparedKey, input: string): string {
  return sign(digest, Buffer.from(input, "latin1"), signer).toString("base64url");
}

const fewest = 3;

const longestIdle = 30_000;

/** Size of the thread's young generation in MB. A batch leaves only a few kilobytes of garbage. */
const youngGeneration = 2;

export interface SigningThread {
  sign(key: PreparedKey, input: string): Promise<string>;
  /** Ends the thread; `sign` still works afterwards. */
  close(): Promise<void>;
}

export function signingThread(): SigningThread {
  let waiting: Job[] = [];
  let thread: RunningThread | undefined;
  let broken = false;

  function signWaiting(): void {
    const jobs = waiting;
    waiting = [];
    if (jobs.length >= fewest && !broken) {
      thread ??= begun();
      if (thread?.takes()) {
        thread.send(jobs);
        return;
      }
    }
    for (const job of jobs) signHere(job);
  }

  function begun(): RunningThread | undefined {
    try {
      return runThread((ended, error) => {
        if (thread === ended) thread = undefined;
        // A thread that failed is not restarted, because a new one would fail in the same way.
        if (error !== undefined) broken = true;
      });
    } catch {
      broken = true;
      return undefined;
    }
  }

  return {
    sign: (key, input) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ key, input, resolve, reject }) === 1) setImmediate(signWaiting);
      }),
    close: async () => thread?.end(),
  };
}

function signHere({ key, input, resolve, reject }: Job): void {
  try {
    resolve(signAtOnce(key, input));
  } catch (error) {
    reject(error);
  }
}

interface RunningThread {
  /**
   * Returns whether the thread has started. Until then, signatures are made on the event loop, so that they
   * need not wait.
   */
  takes(): boolean;
  send(jobs: readonly Job[]): void;
  end(): Promise<void>;
}

function runThread(onEnd: (ended: RunningThread, error?: Error) => void): RunningThread {
  const worker = new Worker(`(${serve.toString()})()`, {
    ...{ eval: true, execArgv: [], env: {} },
    resourceLimits: { maxYoungGenerationSizeMb: youngGeneration },
  });
  worker.unref();
  const sent: (readonly Job[])[] = [];
  const numbers = new WeakMap<PreparedKey, number>();
  let count = 0;
  let forgotten: number[] = [];
  // When a key is garbage-collected in the main thread, the signing thread must forget it too.
  const dropped = new FinalizationRegistry<number>((number) => forgotten.push(number));
  let runs = false;
  let usedSince = false;
  const watch = setInterval(() => {
    if (!usedSince && sent.length === 0) void running.end();
    usedSince = false;
  }, longestIdle).unref();

  const ended = (error?: Error) => {
    runs = false;
    clearInterval(watch);
    onEnd(running, error);
    for (const job of sent.splice(0).flat()) signHere(job);
  };
  worker.on("online", () => {
    runs = true;
  });
  worker.on("message", (signatures: readonly string[]) => {
    const jobs = sent.shift() ?? [];
    for (const [place, job] of jobs.entries()) {
      const signature = signatures[place];
      if (signature === undefined) signHere(job);
      else job.resolve(signature);
    }
  });
  // Without this listener, an error in the thread would end the process.
  worker.on("error", ended);
  worker.on("exit", () => ended());

  const running: RunningThread = {
    takes: () => runs,
    send(jobs) {
      const new_keys: [number, PreparedKey][] = [];
      const keys = jobs.map(({ key }) => {
        const known = numbers.get(key);
        if (known !== undefined) return known;
        const number = count++;
        numbers.set(key, number);
        dropped.register(key, number);
        new_keys.push([number, key]);
        return number;
      });
      const batch: Batch = {
        new_keys,
        forgotten_keys: forgotten,
        keys,
        inputs: jobs.map(({ input }) => input),
      };
      forgotten = [];
      usedSince = true;
      sent.push(jobs);
      worker.postMessage(batch);
    },
    async end() {
      ended();
      await worker.terminate();
    },
  };
  return running;
}

/** The source text of this function runs in the thread, so it cannot use anything defined outside. */
function serve(): void {
  const { parentPort } = process.getBuiltinModule("node:worker_threads");
  const crypto = process.getBuiltinModule("node:crypto");
  const known = new Map<number, PreparedKey>();
  parentPort?.on("message", ({ new_keys, forgotten_keys, keys, inputs }: Batch) => {
    for (const [number, key] of new_keys) known.set(number, key);
    for (const number of forgotten_keys) known.delete(number);
    const signatures = inputs.map((input, place) => {
      const key = known.get(keys[place] ?? -1);
      if (key === undefined) return undefined;
      try {
        return crypto.sign(key.digest, Buffer.from(input, "latin1"), key.signer).toString("base64url");
      } catch {
        // The main thread makes the signature again, and then reports the error.
        return undefined;
      }
    });
    parentPort.postMessage(signatures);
  });
}
