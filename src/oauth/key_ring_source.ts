/** The current signing keys follow a rotation by any process without a restart (D-4). */
import type { Sealer } from "../crypto/sealing.ts";
import type { SigningPublicJwk } from "../crypto/signing_algorithms.ts";
import { type KeyRing, openKeyRing } from "../crypto/signing_keys.ts";
import type { SigningThread } from "../crypto/signing_thread.ts";
import { UnavailableError } from "../errors.ts";
import type { Commits, Keys, Rows } from "../storage/ports.ts";
import type { AuthorizationServer } from "./core/server.ts";

/** Milliseconds that a caller with `remembered` waits for the database before it gets the last known keys. */
const maxWait = 250;

/**
 * Returns the function that provides the current signing keys. The function throws `SealError` if a key
 * cannot be decrypted; the server never replaces such a key with a new one (design 6.21).
 */
export function keyRingSource(
  store: Rows & Keys & Commits,
  sealer: Sealer,
  thread?: SigningThread,
): AuthorizationServer["keys"] {
  let ring: Promise<KeyRing> | undefined;
  let known: KeyRing | undefined;
  let last: { readonly read: number; readonly ring: KeyRing } | undefined;
  let reads = 0;
  let opened: { fingerprint: string; ring: KeyRing } | undefined;
  store.onChange(() => {
    ring = known = undefined;
  });

  async function read(): Promise<KeyRing> {
    const rows = await store.listSigningKeys();
    const fingerprint = JSON.stringify(
      rows.map(({ kid, activates_at, retires_at, expires_at }) => [
        kid,
        activates_at,
        retires_at,
        expires_at,
      ]),
    );
    if (opened?.fingerprint !== fingerprint) {
      const records = rows.map((row) => ({
        ...row,
        public_jwk: row.public_jwk as unknown as SigningPublicJwk,
      }));
      opened = { fingerprint, ring: await openKeyRing(records, sealer, thread) };
    }
    return opened.ring;
  }

  async function current(): Promise<KeyRing> {
    if (!store.isCurrent() || ring === undefined) {
      const number = reads++;
      const reading = read();
      ring = reading;
      known = undefined;
      reading.then(
        (found) => {
          if (ring === reading) known = found;
          // A read that began before a change may end after one that saw the change, so an older read never
          // replaces a newer one.
          if (last === undefined || last.read < number) last = { read: number, ring: found };
        },
        () => {
          if (ring === reading) ring = undefined;
        },
      );
    }
    return ring;
  }

  async function remembered(last: KeyRing): Promise<KeyRing> {
    const late = Promise.withResolvers<KeyRing>();
    const timer = setTimeout(() => late.resolve(last), maxWait);
    try {
      return await Promise.race([current(), late.promise]);
    } catch (error) {
      if (error instanceof UnavailableError) return last;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  return async (options) => {
    // Every token needs the keys, which change only once in months. This path therefore creates no promise
    // chain and no timer.
    if (store.isCurrent() && known !== undefined) return known;
    return options?.remembered && last !== undefined ? remembered(last.ring) : current();
  };
}
