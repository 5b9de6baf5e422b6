/**
 * Warns if the issuer differs from that of the last start. A new issuer invalidates tokens and, if its host
 * differs, passkeys.
 */

import type { Config } from "../config.ts";
import { sha256 } from "../crypto/digest.ts";
import type { Log } from "../ops/log.ts";
import { lastMoment } from "../records/names/liveness.ts";
import type { Codes, Rows } from "../storage/ports.ts";

const kind = "issuer";
const key = sha256("last issuer");

/**
 * Returns the issuer of the last start; undefined if it is unknown or unchanged, or if no tokens are stored.
 */
export async function formerIssuer(
  store: Codes & Rows,
  issuer: string,
  now: Date,
): Promise<string | undefined> {
  const kept = await store.findEphemeral(kind, key, now);
  if (kept === undefined || kept === issuer) return undefined;
  const [token] = await store.list("oauth_tokens", {}, { limit: 1 });
  return token === undefined ? undefined : kept;
}

/** Returns a warning for operators about the consequences of a changed issuer. */
export function sentenceOfFormer(former: string, issuer: string): string {
  return (
    `the issuer changed from ${former} to ${issuer}: clients and APIs with the former issuer refuse new tokens, ` +
    "this server's own endpoints refuse earlier access tokens, and redirect URIs at external providers " +
    "must be changed. With another host, users must sign in again and passkeys do not work. " +
    "If this was not intended, restore POSTERN_BASE_URL"
  );
}

/** Logs a warning if the issuer has changed since the last start, and stores the new one. */
export async function followIssuer(
  { base_url: issuer }: Pick<Config, "base_url">,
  {
    store,
    log,
    now,
  }: { readonly store: Codes & Rows; readonly log: Pick<Log, "warn">; readonly now: () => Date },
): Promise<void> {
  // Without a base URL, the server is local and its issuer depends on the port. A change is then harmless.
  if (issuer === undefined) return;
  const at = now();
  const former = await formerIssuer(store, issuer, at);
  if (former !== undefined) log.warn({ former, issuer }, sentenceOfFormer(former, issuer));
  if ((await store.findEphemeral(kind, key, at)) !== issuer) {
    await store.storeEphemeral(kind, key, issuer, lastMoment, at);
  }
}
