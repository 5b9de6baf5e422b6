/**
 * The issuer at the last start. A new issuer invalidates tokens, and passkeys too if its host differs; no
 * other warning reports this.
 */

import type { Config } from "../config.ts";
import { sha256 } from "../crypto/digest.ts";
import type { Log } from "../ops/log.ts";
import { lastMoment } from "../records/names/liveness.ts";
import type { Codes, Rows } from "../storage/ports.ts";

const kind = "issuer";
const key = sha256("last issuer");

/**
 * Returns the former issuer; undefined if it is unknown or unchanged, or if the database contains no tokens.
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

/** Describes the consequences of a change of the issuer, for operators. */
export function sentenceOfFormer(former: string, issuer: string): string {
  return (
    `the issuer changed from ${former} to ${issuer}: clients and APIs with the former issuer refuse new tokens, ` +
    "this server's own endpoints refuse earlier access tokens, and redirect URIs at external providers " +
    "must be changed. With another host, users must sign in again and passkeys do not work. " +
    "If this was not intended, restore POSTERN_BASE_URL"
  );
}

/**
 * Warns if the issuer has changed since the last start, and stores the new issuer so that the next start does
 * not warn again.
 */
export async function followIssuer(
  { base_url: issuer }: Pick<Config, "base_url">,
  {
    store,
    log,
    now,
  }: { readonly store: Codes & Rows; readonly log: Pick<Log, "warn">; readonly now: () => Date },
): Promise<void> {
  // Without a base URL the server is local, and its issuer changes with the port, so a change needs no
  // warning.
  if (issuer === undefined) return;
  const at = now();
  const former = await formerIssuer(store, issuer, at);
  if (former !== undefined) log.warn({ former, issuer }, sentenceOfFormer(former, issuer));
  if ((await store.findEphemeral(kind, key, at)) !== issuer) {
    await store.storeEphemeral(kind, key, issuer, lastMoment, at);
  }
}
