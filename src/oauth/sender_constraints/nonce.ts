/**
 * Nonces of proofs (RFC 9449 8): a keyed hash of the time, the same in every process and kept in none.
 */
import type { AuthorizationServer } from "../server.ts";

/** Milliseconds for which one nonce is handed out; it is good for as long again. */
const window = 150_000;

type Nonces = Pick<AuthorizationServer, "sealer" | "issuer" | "now">;

const windowOf = (now: Date) => Math.floor(now.getTime() / window);
const textOf = (issuer: string, number: number) => `${issuer} ${number}`;

/** The nonce to use in the next proof. */
export function currentNonce({ sealer, issuer, now }: Nonces): string {
  return sealer.mac("dpop_nonce", textOf(issuer, windowOf(now())));
}

/**
 * When the nonce ends, at most five minutes after it was handed out; undefined where it is not of this
 * server, or has ended. The clock of the process that made it may be ahead.
 */
export function nonceEnd({ sealer, issuer, now }: Nonces, nonce: string): Date | undefined {
  const current = windowOf(now());
  const of = [current, current - 1, current + 1].find((number) =>
    sealer.macIs("dpop_nonce", textOf(issuer, number), nonce),
  );
  return of === undefined ? undefined : new Date((of + 2) * window);
}
