/** What holds for every signer outside: calls at once, their time, and one error for all that fails. */
import type { OutsideSigner } from "../../crypto/outside_signer.ts";
import { OverloadedError } from "../../errors.ts";

export interface SignerBounds {
  /** Calls under way. */
  readonly at_once: number;
  /** Calls that wait for their turn; one more is refused. */
  readonly waiting: number;
  /** Milliseconds for a call, with the wait for its turn. */
  readonly time: number;
}

export const usualBounds: SignerBounds = { at_once: 16, waiting: 256, time: 5000 };

/** A module of hardware takes its time for the primes of an RSA key. */
export const generationFactor = 12;

/** Seconds after which a client may come back. */
const retryAfter = 2;

/**
 * The signer with bounds: a call throws an OverloadedError where too many wait, where it takes too long, and
 * with the cause of whatever else fails. The caller answers 503 and has stored nothing (design 6.21).
 */
export function boundedSigner(
  signer: OutsideSigner,
  { at_once, waiting, time }: SignerBounds = usualBounds,
): OutsideSigner {
  let running = 0;
  const queue = new Set<() => void>();

  /** Resolves when it is the caller's turn; who has left the queue by then gets none. */
  async function turn(late: Promise<never>): Promise<void> {
    if (running < at_once) {
      running += 1;
      return;
    }
    if (queue.size >= waiting) throw new OverloadedError(retryAfter, "too many calls of the signer wait");
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.add(resolve);
    try {
      await Promise.race([promise, late]);
    } finally {
      queue.delete(resolve);
    }
  }

  function done(): void {
    const [next] = queue;
    if (next === undefined) running -= 1;
    else {
      queue.delete(next);
      next();
    }
  }

  async function call<R>(what: string, work: () => Promise<R>, longest = time): Promise<R> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${longest} ms`)), longest);
    try {
      await turn(late.promise);
      const working = work();
      // Its turn ends with the work and not with the wait: a signer that hangs is asked no faster.
      working.then(done, done);
      return await Promise.race([working, late.promise]);
    } catch (error) {
      if (error instanceof OverloadedError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const overloaded = new OverloadedError(retryAfter, `the signer failed to ${what}: ${reason}`);
      overloaded.cause = error;
      throw overloaded;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    generate: (algorithm) => call("make a key", () => signer.generate(algorithm), time * generationFactor),
    sign: (reference, algorithm, input) => call("sign", () => signer.sign(reference, algorithm, input)),
    close: () => signer.close(),
  };
}
