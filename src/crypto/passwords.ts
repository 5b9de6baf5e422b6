import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ForeignHash } from "./foreign_hashes/foreign_hash.ts";
import { findForeignHash, verifyForeignHash } from "./foreign_hashes/foreign_hashes.ts";
import { type HashingQueue, hashPool, type QueueLoad } from "./hash_pool.ts";
import {
  type Argon2Engine,
  type Argon2Hash,
  type Argon2Parameters,
  argon2Engine,
  hashBytes,
  isAffordable,
  phcOf,
  readArgon2id,
  saltBytes,
} from "./hashing/argon2id.ts";
import { bytesOf, composedPassword, formsOf, longestPassword } from "./hashing/composed_password.ts";

/** Hashes passwords and client secrets with Argon2id, with bounded concurrency (L-11, L-12, C-10). */
export interface PasswordHasher {
  /**
   * Returns a PHC string for the password in NFC, with a random salt. Throws a RangeError if the password
   * exceeds 1024 bytes or is ill-formed Unicode, and an OverloadedError if the queue is full.
   */
  hash(password: string, hashQueue?: HashingQueue, caller?: string): Promise<string>;
  /**
   * Returns whether the hash matches the password in NFC or as typed. The password is not trimmed, and
   * Argon2id does not truncate it (L-13). `text` is an Argon2id PHC string or a supported hash of another
   * program (MG-3). Throws an OverloadedError if the queue is full.
   */
  verify(text: string, password: string, hashQueue?: HashingQueue, caller?: string): Promise<boolean>;
  /**
   * Takes as long as `verify` and returns false. Call this if the account or client does not exist (L-9,
   * C-4).
   */
  verifyAgainstNothing(password: string, hashQueue?: HashingQueue, caller?: string): Promise<false>;
  /**
   * Measures how long hashes of other programs take. From then on, every verification in the queue takes at
   * least as long as the slowest scheme (MG-3). Throws an OverloadedError if the queue is full.
   */
  learn(texts: readonly string[], hashQueue: HashingQueue): Promise<void>;
  /** Throws the OverloadedError that hashing would throw now. Call this before expensive preparations. */
  admit(hashQueue: HashingQueue, caller: string): void;
  /**
   * Waits about as long as a hash takes, without computing one. Call this where a hash could not change the
   * result.
   */
  pause(): Promise<void>;
  /** Returns whether the hash is weaker than new hashes and should be replaced at the next sign-in (L-11). */
  needsRehash(phc: string): boolean;
  load(): HashingLoad;
}

interface HashingLoad {
  readonly running: number;
  readonly slots: number;
  /** Waiting jobs of the fullest queue; `most_waiting` is the limit per queue. */
  readonly waiting: number;
  readonly most_waiting: number;
  readonly queues: Readonly<Record<HashingQueue, QueueLoad>>;
}

/**
 * The minimum parameters that OWASP recommends for Argon2id (L-11): 19 MiB of memory, two passes and one
 * lane.
 */
const defaultParameters: Argon2Parameters = { m: 19456, t: 2, p: 1 };

/**
 * Smoothed mean and deviation of how long hashes of one scheme take, in milliseconds (RFC 6298, section 2).
 */
interface Pace {
  mean: number;
  deviation: number;
}

const usualPace = { mean: 50, deviation: 0 };

function note(pace: Pace, took: number): void {
  // Only slower jobs increase the deviation. Otherwise, faster jobs after a slow first measurement would
  // raise the result of `longestOf`.
  pace.deviation += (Math.max(0, took - pace.mean) - pace.deviation) / 4;
  pace.mean += (took - pace.mean) / 8;
}

const longestOf = ({ mean, deviation }: Pace): number => mean + 2 * deviation;

/**
 * Anonymous callers use these queues, so each verification takes at least as long as the slowest scheme that
 * was measured. The values name the queue of that measurement; revocations verify the same secrets as client
 * authentication.
 */
const paddedAs: Partial<Record<HashingQueue, HashingQueue>> = {
  sign_in: "sign_in",
  client_authentication: "client_authentication",
  revocation: "client_authentication",
};

/**
 * Returns a hasher that runs at most `concurrency` hashes at once, with at most `queue` waiting in each
 * queue. Hashes use libuv's thread pool (4 threads by default); keep `concurrency` at least two lower, so
 * that signatures do not wait.
 */
export function passwordHasher({
  concurrency,
  queue,
  parameters = defaultParameters,
  engine = argon2Engine(),
  onHash,
}: {
  concurrency: number;
  queue: number;
  parameters?: Argon2Parameters;
  engine?: Argon2Engine;
  /** `waited` and `took` are in seconds. */
  onHash?: ((hashQueue: HashingQueue, waited: number, took: number) => void) | undefined;
}): PasswordHasher {
  const queues = hashPool(concurrency, queue);
  // Verifying this random hash costs as much as verifying a real one.
  const hashOfNothing = phcOf(parameters, randomBytes(saltBytes), randomBytes(hashBytes));
  const pace: Pace = { ...usualPace };
  const foreign = new Map<HashingQueue, Map<string, Pace>>();

  async function run<T>(hashQueue: HashingQueue, caller: string, job: () => Promise<T>) {
    const requested = onHash === undefined ? 0 : performance.now();
    return queues.run(hashQueue, caller, async () => {
      const started = performance.now();
      const answer = await job();
      const took = performance.now() - started;
      onHash?.(hashQueue, (started - requested) / 1000, took / 1000);
      return { answer, took };
    });
  }

  function floorOf(hashQueue: HashingQueue): number {
    const as = paddedAs[hashQueue];
    const met = as && foreign.get(as);
    if (met === undefined) return 0;
    return Math.max(longestOf(pace), ...[...met.values()].map(longestOf));
  }

  /** Waits until the response time no longer reveals the scheme. */
  async function pad(hashQueue: HashingQueue, took: number, passes: number): Promise<void> {
    const missing = floorOf(hashQueue) * passes - took;
    if (missing > 0) await wait(missing);
  }

  /** A password with a NUL is hashed twice, as a whole and up to the NUL, because C programs end it there. */
  const passesOf = (forms: number, password: string) => forms * (password.includes("\0") ? 2 : 1);

  /** All forms are verified in one job, so that a started comparison is never rejected for overload. */
  async function verifyForms(phc: string, password: string, hashQueue: HashingQueue, caller: string) {
    const forms = formsOf(password);
    if (forms.length === 0) return false;
    const { answer, took } = await run(hashQueue, caller, async () => {
      for (const [index, bytes] of forms.entries())
        if (await engine.verify(phc, bytes)) return { right: true, compared: index + 1 };
      return { right: false, compared: forms.length };
    });
    note(pace, took / answer.compared);
    await pad(hashQueue, took, passesOf(forms.length, password));
    return answer.right;
  }

  async function verifyForeign(hash: ForeignHash, password: string, hashQueue: HashingQueue, caller: string) {
    const passes = passesOf(formsOf(password).length, password);
    if (passes === 0) return false;
    const { answer, took } = await run(hashQueue, caller, () => verifyForeignHash(hash, password));
    const as = paddedAs[hashQueue];
    if (as === undefined) return answer;
    const met = foreign.get(as) ?? new Map<string, Pace>();
    foreign.set(as, met);
    const known = met.get(hash.scheme);
    if (known === undefined) met.set(hash.scheme, { mean: took / passes, deviation: 0 });
    // After the first measurement, only the times of wrong passwords are recorded: a correct one may not have
    // needed every pass.
    else if (!answer) note(known, took / passes);
    await pad(hashQueue, took, passes);
    return answer;
  }

  return {
    async hash(password, hashQueue = "sign_in", caller = "") {
      const bytes = bytesOf(composedPassword(password));
      if (bytes === undefined)
        throw new RangeError(`a password is well-formed Unicode of at most ${longestPassword} bytes`);
      const { answer, took } = await run(hashQueue, caller, () => engine.hash(bytes, parameters));
      note(pace, took);
      return answer;
    },
    async verify(text, password, hashQueue = "sign_in", caller = "") {
      if (isArgon2id(text)) return verifyForms(text, password, hashQueue, caller);
      const hash = findForeignHash(text);
      return hash !== undefined && verifyForeign(hash, password, hashQueue, caller);
    },
    async verifyAgainstNothing(password, hashQueue = "sign_in", caller = "") {
      await verifyForms(hashOfNothing, password, hashQueue, caller);
      return false;
    },
    async learn(texts, hashQueue) {
      for (const text of texts) {
        const hash = isArgon2id(text) ? undefined : findForeignHash(text);
        if (hash !== undefined && !foreign.get(hashQueue)?.has(hash.scheme))
          await verifyForeign(hash, "another", hashQueue, "");
      }
    },
    admit: queues.admit,
    async pause() {
      await wait(Math.max(pace.mean, floorOf("revocation")));
    },
    needsRehash(phc) {
      const found = readPhc(phc);
      if (!found) return true;
      const { version, m, t, salt, output } = found;
      const weaker = m < parameters.m || m * t < parameters.m * parameters.t;
      return weaker || salt.length < saltBytes || output.length < hashBytes || version !== 19;
    },
    load() {
      const each = queues.load();
      const loads = Object.values(each);
      return {
        running: loads.reduce((sum, { running }) => sum + running, 0),
        slots: concurrency,
        waiting: Math.max(...loads.map(({ waiting }) => waiting)),
        most_waiting: queue,
        queues: each,
      };
    },
  };
}

/** Returns whether a string is an Argon2id PHC string that `verify` accepts. */
export function isArgon2id(text: string): boolean {
  return readPhc(text) !== undefined;
}

function readPhc(text: string): Argon2Hash | undefined {
  const found = readArgon2id(text);
  return found !== undefined && isAffordable(found) ? found : undefined;
}
