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

/** Argon2id for passwords and client secrets, with bounded concurrency (L-11, L-12, C-10). */
export interface PasswordHasher {
  /**
   * Returns a PHC string with a fresh salt. The password is hashed in NFC, because keyboards encode accents
   * differently. Throws a RangeError if the NFC form exceeds 1024 bytes of UTF-8 or is not well-formed
   * Unicode, and an OverloadedError if too many jobs are waiting in the queue. The callers of a queue take
   * turns.
   */
  hash(password: string, hashQueue?: HashingQueue, caller?: string): Promise<string>;
  /**
   * Returns whether this is exactly the password: nothing is trimmed, case-folded or truncated (L-13). A
   * password that is not in NFC is also tried as typed, because another program may have hashed it in that
   * form (docs/decisions/passwords.md). `text` is an Argon2id hash, or another program's hash in any format
   * that `readForeignHash` accepts (MG-3). Returns false, without hashing, for any other `text` and for a
   * password that `hash` rejects. Throws an OverloadedError if too many jobs are waiting in the queue.
   */
  verify(text: string, password: string, hashQueue?: HashingQueue, caller?: string): Promise<boolean>;
  /** Costs what `verify` costs and always returns false: for a missing account or client (L-9, C-4). */
  verifyAgainstNothing(password: string, hashQueue?: HashingQueue, caller?: string): Promise<false>;
  /**
   * Measures how long hashes of other programs take, one hash for each scheme that is new in this queue. From
   * then on, each response of the queue takes as long as the slowest scheme (MG-3). Throws an OverloadedError
   * if too many jobs are waiting in the queue.
   */
  learn(texts: readonly string[], hashQueue: HashingQueue): Promise<void>;
  /**
   * Throws the OverloadedError that a hash would throw now. Call this before work that would be wasted
   * without the hash.
   */
  admit(hashQueue: HashingQueue, caller: string): void;
  /**
   * Waits about as long as recent hashes took, without using a slot. For cases where a hash could not
   * change the result.
   */
  pause(): Promise<void>;
  /**
   * Returns whether a hash is weaker than new ones, so the next successful sign-in should replace it
   * (L-11).
   */
  needsRehash(phc: string): boolean;
  load(): HashingLoad;
}

interface HashingLoad {
  readonly running: number;
  readonly slots: number;
  /** Waiting jobs in the fullest queue, with the limit per queue. */
  readonly waiting: number;
  readonly most_waiting: number;
  readonly queues: Readonly<Record<HashingQueue, QueueLoad>>;
}

/** The cost that OWASP recommends first for Argon2id (L-11). */
const defaultParameters: Argon2Parameters = { m: 19456, t: 2, p: 1 };

/**
 * Recent durations of the hashes of one scheme, in milliseconds: smoothed mean and deviation (RFC 6298,
 * section 2).
 */
interface Pace {
  mean: number;
  deviation: number;
}

const usualPace = { mean: 50, deviation: 0 };

function note(pace: Pace, took: number): void {
  pace.deviation += (Math.abs(took - pace.mean) - pace.deviation) / 4;
  pace.mean += (took - pace.mean) / 8;
}

const longestOf = ({ mean, deviation }: Pace): number => mean + 2 * deviation;

/**
 * Anonymous callers use these queues, so their response times must not reveal which schemes are stored: each
 * response takes as long as the slowest scheme. The value is the queue in which that scheme was measured. A
 * revocation verifies the same secrets as client authentication.
 */
const paddedAs: Partial<Record<HashingQueue, HashingQueue>> = {
  sign_in: "sign_in",
  client_authentication: "client_authentication",
  revocation: "client_authentication",
};

/**
 * Returns a hasher that runs at most `concurrency` hashes concurrently, lets at most `queue` more wait in
 * each queue, and rejects the rest. Hashes and signatures run in libuv's thread pool, which has 4 threads
 * unless `UV_THREADPOOL_SIZE` is set. Keep `concurrency` at least two below that number, so that hashes do
 * not delay the signing of tokens. Throws a RangeError if `concurrency` is not a positive integer.
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
  /** Called for every hash with how long it waited for its turn and how long it then took, in seconds. */
  onHash?: ((hashQueue: HashingQueue, waited: number, took: number) => void) | undefined;
}): PasswordHasher {
  const queues = hashPool(concurrency, queue);
  // A random hash, which no password matches. Verifying against it costs as much as against a computed one.
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

  /** Waits, outside the slot, until the response time reveals nothing about the scheme. */
  async function pad(hashQueue: HashingQueue, took: number, passes: number): Promise<void> {
    const missing = floorOf(hashQueue) * passes - took;
    if (missing > 0) await wait(missing);
  }

  /** Hashes of C programs need a second pass for a password with a NUL. */
  const passesOf = (forms: number, password: string) => forms * (password.includes("\0") ? 2 : 1);

  /**
   * One turn of the queue verifies all forms, so a comparison that has started is never rejected and always
   * counts as a guess.
   */
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
    // Only a wrong password always needs every pass. A correct one may have matched before the last.
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

/**
 * Returns whether a string is an Argon2id PHC string that `verify` accepts: well formed, with a salt of 8 to
 * 64 bytes and a hash of 16 to 64. It may use at most 256 MiB of memory and 16 lanes, and write at most 1 GiB
 * over all passes.
 */
export function isArgon2id(text: string): boolean {
  return readPhc(text) !== undefined;
}

function readPhc(text: string): Argon2Hash | undefined {
  const found = readArgon2id(text);
  return found !== undefined && isAffordable(found) ? found : undefined;
}
