/** The issuer that the database was last served under. Another one ends much that nothing else tells of. */
import type { Config } from "../config.ts";
import { sha256 } from "../crypto/digest.ts";
import type { Log } from "../ops/log.ts";
import type { Codes, Rows } from "../storage/ports.ts";

const kind = "issuer";
const key = sha256("last issuer");
/** The last moment that both databases can keep. */
const forever = new Date("9999-12-31T23:59:59.999Z");

/** The issuer before this one; undefined where it is the same, or no tokens were issued. */
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

/** What a change of the issuer ends, for operators. */
export function sentenceOfFormer(former: string, issuer: string): string {
  return (
    `the issuer was ${former} and is ${issuer}: clients and APIs that know the former one refuse new tokens, ` +
    "this server's own endpoints refuse the access tokens from before, and callback addresses at external providers " +
    "have to be changed; with another host people sign in again and passkeys do not work. " +
    "If it was not meant, set POSTERN_BASE_URL back"
  );
}

/** Warns of an issuer that is another one than at the last start, once, and notes it for the next one. */
export async function followIssuer(
  { base_url: issuer }: Pick<Config, "base_url">,
  {
    store,
    log,
    now,
  }: { readonly store: Codes & Rows; readonly log: Pick<Log, "warn">; readonly now: () => Date },
): Promise<void> {
  // Without a base URL the server is for this machine, and the port that the system chose is its issuer.
  if (issuer === undefined) return;
  const at = now();
  const former = await formerIssuer(store, issuer, at);
  if (former !== undefined) log.warn({ former, issuer }, sentenceOfFormer(former, issuer));
  if ((await store.findEphemeral(kind, key, at)) !== issuer) {
    await store.storeEphemeral(kind, key, issuer, forever, at);
  }
}
