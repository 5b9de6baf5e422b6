import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
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
} from "./argon2id.ts";
import { bytesOf, composedPassword, formsOf, longestPassword } from "./composed_password.ts";
import { type HashingQueue, hashPool, type QueueLoad } from "./hash_pool.ts";

/** Argon2id for passwords and client secrets, a bounded number at a time (L-11, L-12, C-10). */
export interface PasswordHasher {
  /**
   * A PHC string with a salt of its own; of the composed form (NFC), since keyboards differ in sending marks
   * apart. Throws a RangeError for a password of which that is over 1024 bytes of UTF-8 or that is no
   * well-formed Unicode, and an OverloadedError when too many jobs wait in the lane. Callers take turns.
   */
  hash(password: string, hashQueue?: HashingQueue, caller?: string): Promise<string>;
  /**
   * Whether this is the password, to the character: nothing is trimmed, folded or cut (L-13). What is not
   * composed is tried as it was typed, too, for hashes that were made of that (docs/decisions/passwords.md).
   * False, without hashing, for a hash that `isArgon2id` refuses and for a password that `hash` refuses. Throws
   * an OverloadedError when too many are waiting in the lane.
   */
  verify(phc: string, password: string, hashQueue?: HashingQueue, caller?: string): Promise<boolean>;
  /**
   * Costs what `verify` costs and is always false: for an account or client that does not exist (L-9, C-4).
   */
  verifyAgainstNothing(password: string, hashQueue?: HashingQueue, caller?: string): Promise<false>;
  /** Does other slow work, such as comparing with a hash of another program, in a turn of its own. */
  inTurn<T>(job: () => Promise<T>, hashQueue?: HashingQueue, caller?: string): Promise<T>;
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
  /** In all lanes, and how many there may be. */
  readonly running: number;
  readonly slots: number;
  /** In the lane that is fullest, and how many there may be in each. */
  readonly waiting: number;
  readonly most_waiting: number;
  readonly queues: Readonly<Record<HashingQueue, QueueLoad>>;
}

/** OWASP's first choice for Argon2id (L-11). */
const defaultParameters: Argon2Parameters = { m: 19456, t: 2, p: 1 };

/** Milliseconds that a hash is taken to need before the first was made. */
const usualHash = 50;

/**
 * A hasher that runs at most `concurrency` hashes at once, lets at most `queue` more wait in each lane, and
 * sheds the rest. Hashes run in libuv's thread pool, as signing does. Keep `concurrency` two or more below
 * its size (4 unless `UV_THREADPOOL_SIZE` sets it), so that tokens stay quick. Throws a RangeError for a
 * `concurrency` that is not a positive integer.
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
  let lately = usualHash;

  async function run<T>(
    hashQueue: HashingQueue,
    caller: string,
    job: () => Promise<T>,
    isUsual = true,
  ): Promise<T> {
    const requested = onHash === undefined ? 0 : performance.now();
    return queues.run(hashQueue, caller, async () => {
      const started = performance.now();
      const answer = await job();
      const took = performance.now() - started;
      if (isUsual) lately += (took - lately) / 8;
      onHash?.(hashQueue, (started - requested) / 1000, took / 1000);
      return answer;
    });
  }

  /** Both forms in one turn: what was compared is never shed, and so never taken for a guess unmade. */
  async function verifyForms(phc: string, password: string, hashQueue: HashingQueue, caller: string) {
    const forms = formsOf(password);
    if (forms.length === 0) return false;
    return run(hashQueue, caller, async () => {
      for (const bytes of forms) if (await engine.verify(phc, bytes)) return true;
      return false;
    });
  }

  return {
    async hash(password, hashQueue = "sign_in", caller = "") {
      const bytes = bytesOf(composedPassword(password));
      if (bytes === undefined)
        throw new RangeError(`a password is well-formed Unicode of at most ${longestPassword} bytes`);
      return run(hashQueue, caller, () => engine.hash(bytes, parameters));
    },
    async verify(phc, password, hashQueue = "sign_in", caller = "") {
      return isArgon2id(phc) && verifyForms(phc, password, hashQueue, caller);
    },
    async verifyAgainstNothing(password, hashQueue = "sign_in", caller = "") {
      await verifyForms(hashOfNothing, password, hashQueue, caller);
      return false;
    },
    inTurn: (job, hashQueue = "sign_in", caller = "") => run(hashQueue, caller, job, false),
    admit: queues.admit,
    async pause() {
      await wait(lately);
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
