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

/** Argon2id for passwords and client secrets, a bounded number at a time (L-11, L-12, C-10). */
export interface PasswordHasher {
  /**
   * A PHC string with a fresh salt, of the composed form (NFC), because keyboards differ in composing marks.
   * Throws a RangeError if the composed password exceeds 1024 bytes of UTF-8 or is not well-formed Unicode,
   * and an OverloadedError when too many jobs wait in the queue. Callers take turns.
   */
  hash(password: string, hashQueue?: HashingQueue, caller?: string): Promise<string>;
  /**
   * Whether this is the password, to the character: nothing is trimmed, folded or cut (L-13). An uncomposed
   * password is tried as typed, too, for hashes of that form (docs/decisions/passwords.md). `text` is an
   * Argon2id hash, or one of another program in any form that `readForeignHash` reads (MG-3). False, without
   * hashing, for another text and for a password that `hash` refuses. Throws an OverloadedError if too many
   * are waiting in the queue.
   */
  verify(text: string, password: string, hashQueue?: HashingQueue, caller?: string): Promise<boolean>;
  /**
   * Costs what `verify` costs and is always false: for an account or client that does not exist (L-9, C-4).
   */
  verifyAgainstNothing(password: string, hashQueue?: HashingQueue, caller?: string): Promise<false>;
  /**
   * Learns how long these hashes of other programs take, one of each scheme that is new in the queue. From then
   * on each answer of the queue takes as long as the slowest does (MG-3). Throws an OverloadedError.
   */
  learn(texts: readonly string[], hashQueue: HashingQueue): Promise<void>;
  /** Throws the OverloadedError that a hash would now, for work that comes before it. */
  admit(hashQueue: HashingQueue, caller: string): void;
  /** Takes about as long as hashes took lately, and no slot: where a hash could change nothing. */
  pause(): Promise<void>;
  /**
   * Whether a hash is weaker than those made now, so that the next successful login should replace it (L-11).
   */
  needsRehash(phc: string): boolean;
  /** The running and the waiting jobs. */
  load(): HashingLoad;
}

interface HashingLoad {
  /** In all queues, with the limit. */
  readonly running: number;
  readonly slots: number;
  /** In the fullest queue, with the limit of each. */
  readonly waiting: number;
  readonly most_waiting: number;
  readonly queues: Readonly<Record<HashingQueue, QueueLoad>>;
}

/** OWASP's first choice for Argon2id (L-11). */
const defaultParameters: Argon2Parameters = { m: 19456, t: 2, p: 1 };

/** How long hashes of one kind took lately, milliseconds: the smoothed mean and deviation (RFC 6298 section 2). */
interface Pace {
  mean: number;
  deviation: number;
}

/** The assumed duration of a hash before the first measurement. */
const usualPace = { mean: 50, deviation: 0 };

function note(pace: Pace, took: number): void {
  pace.deviation += (Math.abs(took - pace.mean) - pace.deviation) / 4;
  pace.mean += (took - pace.mean) / 8;
}

/** Few take longer than this. */
const longestOf = ({ mean, deviation }: Pace): number => mean + 2 * deviation;

/**
 * Queues that strangers can use, who could infer stored schemes from the time of an answer; in a revocation,
 * the same secrets as in client authentication.
 */
const paddedAs: Partial<Record<HashingQueue, HashingQueue>> = {
  sign_in: "sign_in",
  client_authentication: "client_authentication",
  revocation: "client_authentication",
};

/**
 * A hasher that runs at most `concurrency` hashes concurrently, lets at most `queue` more wait in each queue,
 * and sheds the rest. Hashes run in libuv's thread pool, as signing does. Keep `concurrency` two or more
 * below its size (4 unless `UV_THREADPOOL_SIZE` sets it), so that tokens stay quick. Throws a RangeError for
 * a `concurrency` that is not a positive integer.
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
  /** Hears of every hash how long it waited for its turn and how long it then took, in seconds. */
  onHash?: ((hashQueue: HashingQueue, waited: number, took: number) => void) | undefined;
}): PasswordHasher {
  const queues = hashPool(concurrency, queue);
  // Drawn, not computed: no password matches it, and verifying against it costs the same.
  const hashOfNothing = phcOf(parameters, randomBytes(saltBytes), randomBytes(hashBytes));
  const pace: Pace = { ...usualPace };
  /** Imported schemes seen in each queue: few, with few names. */
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

  /** The longest that one hash of the queue takes; zero while only Argon2id was met in it. */
  function floorOf(hashQueue: HashingQueue): number {
    const as = paddedAs[hashQueue];
    const met = as && foreign.get(as);
    if (met === undefined) return 0;
    return Math.max(longestOf(pace), ...[...met.values()].map(longestOf));
  }

  /** Waits, outside of the slot, until the time of the answer reveals nothing about the scheme. */
  async function pad(hashQueue: HashingQueue, took: number, passes: number): Promise<void> {
    const missing = floorOf(hashQueue) * passes - took;
    if (missing > 0) await wait(missing);
  }

  /** Hashes of programs in C take a second one for a password with a NUL. */
  const passesOf = (forms: number, password: string) => forms * (password.includes("\0") ? 2 : 1);

  /**
   * Both forms in one turn: a comparison in progress is never shed, and so never counted as an untried guess.
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
    // A right one may have been found before the last form.
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
 * Whether a text is an Argon2id PHC string that `verify` accepts: well formed, a salt of 8 to 64 bytes and a
 * hash of 16 to 64. It may take at most 256 MiB of memory, 1 GiB of memory written over all passes and 16
 * lanes.
 */
export function isArgon2id(text: string): boolean {
  return readPhc(text) !== undefined;
}

function readPhc(text: string): Argon2Hash | undefined {
  const found = readArgon2id(text);
  return found !== undefined && isAffordable(found) ? found : undefined;
}
