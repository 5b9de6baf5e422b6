import { randomBytes } from "node:crypto";
import { hash, type ParsedHashOptions, parseOptions, verify } from "@node-rs/argon2";
import { OverloadedError } from "../errors.ts";

/** Argon2's cost, under the names of the PHC string: `m` KiB of memory, `t` passes over it, `p` lanes (RFC 9106 section 3.1). */
export interface Argon2Parameters {
  readonly m: number;
  readonly t: number;
  readonly p: number;
}

/** Who waits for whom: revocation has a slot of its own and is never turned away (design 5). */
export type HashingLane = "default" | "revocation";

/** Argon2id for passwords and client secrets, a bounded number at a time (requirements L-11, L-12, C-10). */
export interface PasswordHasher {
  /**
   * A PHC string with a salt of its own. Throws a RangeError for a password over 1024 bytes of UTF-8 or that is not
   * well-formed Unicode, an OverloadedError when too many are waiting.
   */
  hash(password: string): Promise<string>;
  /**
   * Whether this is the password, to the byte: nothing is trimmed, folded or cut (L-13). False, without hashing, for what
   * `isArgon2id` refuses and for a password that `hash` would. Throws an OverloadedError when too many are waiting.
   */
  verify(phc: string, password: string, lane?: HashingLane): Promise<boolean>;
  /** Costs what `verify` costs and is always false: for an account or client that does not exist (L-9, C-4). */
  verifyAgainstNothing(password: string, lane?: HashingLane): Promise<false>;
  /** Whether a hash is weaker than those made now, so that the next successful login should replace it (L-11). */
  needsRehash(phc: string): boolean;
  /** What runs and waits now, and how many of each there may be; revocation's own slot is left out. */
  load(): HashingLoad;
}

export interface HashingLoad {
  readonly running: number;
  readonly waiting: number;
  readonly slots: number;
  readonly most_waiting: number;
}

/** OWASP's first choice for Argon2id (requirements L-11). */
const defaultParameters: Argon2Parameters = { m: 19456, t: 2, p: 1 };

const saltBytes = 16;
const hashBytes = 32;
const longestPassword = 1024;

/** The numeric value of the library's ambient `const enum Algorithm.Argon2id`, which isolated modules cannot import. */
const argon2id = 2;

/** What `verify` is ready to pay for a hash that somebody else made: about half a second on one core. */
const highest = { m: 262_144, memoryPasses: 1_048_576, p: 16 };

/** Without the optional `keyid` and `data`, which would need values that we do not have. */
const phcShape =
  /^\$argon2id\$(?:v=(?:16|19)\$)?m=\d{1,10},t=\d{1,10},p=\d{1,3}\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;

/** Rounded up from what one hash of the default cost takes, to tell a caller when to come back. */
const secondsPerHash = 0.1;

/**
 * A hasher that runs at most `concurrency` hashes at once (plus one for revocation), lets at most `queue` more wait, and
 * sheds the rest. Hashes run in libuv's thread pool, as signing does: keep `concurrency` below its size (4 unless
 * `UV_THREADPOOL_SIZE` says otherwise) by two or more, so that tokens stay quick. Throws a RangeError for a
 * `concurrency` that is not a positive integer.
 */
export function passwordHasher({
  concurrency,
  queue,
  parameters = defaultParameters,
}: {
  concurrency: number;
  queue: number;
  parameters?: Argon2Parameters;
}): PasswordHasher {
  const lanes: Record<HashingLane, Lane> = {
    default: newLane(concurrency, queue),
    revocation: newLane(1, Number.POSITIVE_INFINITY),
  };
  // Drawn, not computed: nobody knows a password for it, and verifying against it costs the same.
  const hashOfNothing = phcOf(parameters, randomBytes(saltBytes), randomBytes(hashBytes));

  async function verifyBytes(phc: string, password: string, lane: HashingLane): Promise<boolean> {
    const bytes = bytesOf(password);
    return bytes === undefined ? false : lanes[lane].run(() => verify(phc, bytes));
  }

  return {
    async hash(password) {
      const bytes = bytesOf(password);
      if (!bytes)
        throw new RangeError(`a password is well-formed Unicode of at most ${longestPassword} bytes`);
      return lanes.default.run(() =>
        hash(bytes, {
          algorithm: argon2id,
          memoryCost: parameters.m,
          timeCost: parameters.t,
          parallelism: parameters.p,
          outputLen: hashBytes,
        }),
      );
    },
    async verify(phc, password, lane = "default") {
      return isArgon2id(phc) && verifyBytes(phc, password, lane);
    },
    async verifyAgainstNothing(password, lane = "default") {
      await verifyBytes(hashOfNothing, password, lane);
      return false;
    },
    needsRehash(phc) {
      const found = readPhc(phc);
      if (!found) return true;
      const weaker =
        found.memoryCost < parameters.m || found.memoryCost * found.timeCost < parameters.m * parameters.t;
      return weaker || found.saltLen < saltBytes || found.outputLen < hashBytes || !phc.includes("$v=19$");
    },
    load: () => ({ ...lanes.default.load(), slots: concurrency, most_waiting: queue }),
  };
}

/**
 * Whether a text is an Argon2id PHC string that `verify` accepts: well formed, a salt of 8 to 64 bytes, a hash of 16 to 64,
 * at most 256 MiB of memory, 1 GiB of memory written over all passes and 16 lanes.
 */
export function isArgon2id(text: string): boolean {
  return readPhc(text) !== undefined;
}

function readPhc(text: string): ParsedHashOptions | undefined {
  if (!phcShape.test(text)) return;
  try {
    const found = parseOptions(text);
    const { memoryCost, timeCost, parallelism } = found;
    const affordable = memoryCost <= highest.m && memoryCost * timeCost <= highest.memoryPasses;
    return affordable && parallelism <= highest.p ? found : undefined;
  } catch {
    return;
  }
}

function phcOf({ m, t, p }: Argon2Parameters, salt: Buffer, output: Buffer): string {
  const [salt64, output64] = [salt, output].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt64}$${output64}`;
}

/** Bytes, because a NUL is a character and no library may think otherwise; undefined for what is never hashed. */
function bytesOf(password: string): Buffer | undefined {
  if (password.length > longestPassword || !password.isWellFormed()) return;
  const bytes = Buffer.from(password);
  return bytes.length <= longestPassword ? bytes : undefined;
}

interface Lane {
  run<T>(job: () => Promise<T>): Promise<T>;
  load(): Pick<HashingLoad, "running" | "waiting">;
}

function newLane(slots: number, queue: number): Lane {
  if (!Number.isInteger(slots) || slots < 1)
    throw new RangeError("the number of concurrent hashes is 1 or more");
  let free = slots;
  const waiting: (() => void)[] = [];
  return {
    async run(job) {
      if (free > 0) free -= 1;
      else if (waiting.length < queue) await new Promise<void>((start) => waiting.push(start));
      else throw new OverloadedError(Math.max(1, Math.ceil((waiting.length / slots) * secondsPerHash)));
      try {
        return await job();
      } finally {
        // The slot goes straight to whoever waited longest; freeing it first would let a newcomer in between.
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
    load: () => ({ running: slots - free, waiting: waiting.length }),
  };
}
