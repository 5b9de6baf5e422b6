/** Limits calls to an external signer, and reports all its failures as one error. */
import type { OutsideSigner } from "../../crypto/outside_signer.ts";
import { OverloadedError } from "../../errors.ts";

export interface SignerBounds {
  readonly at_once: number;
  readonly waiting: number;
  /** In milliseconds, including the time in the queue. */
  readonly time: number;
}

export const usualBounds: SignerBounds = { at_once: 16, waiting: 256, time: 5000 };

/**
 * The timeout for key generation is multiplied by this, because hardware modules generate RSA keys slowly.
 */
export const generationFactor = 12;

const retryAfter = 2;

/**
 * Returns the signer with limits. A call throws an OverloadedError, for status 503, if too many calls are
 * waiting, or if it fails or times out.
 */
export function boundedSigner(
  signer: OutsideSigner,
  { at_once, waiting, time }: SignerBounds = usualBounds,
): OutsideSigner {
  let running = 0;
  const queue = new Set<() => void>();

  /** A call that timed out in the queue must not run when its turn comes. */
  async function turn(late: Promise<never>): Promise<void> {
    if (running < at_once) {
      running += 1;
      return;
    }
    if (queue.size >= waiting)
      throw new OverloadedError(retryAfter, "too many calls are waiting for the signer");
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
    const timer = setTimeout(() => late.reject(new Error(`no response within ${longest} ms`)), longest);
    try {
      await turn(late.promise);
      const working = work();
      // The slot is freed when the work ends, not at the timeout. A hung signer therefore has at most
      // `at_once` running calls.
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
    generate: (algorithm) => call("create a key", () => signer.generate(algorithm), time * generationFactor),
    sign: (reference, algorithm, input) => call("sign", () => signer.sign(reference, algorithm, input)),
    close: () => signer.close(),
  };
}
