/** Revokes tokens at providers after their links were removed (EP-19; docs/decisions/providers.md). */
import { UpstreamError } from "../../providers/upstream_error.ts";
import type { RevocationTry } from "../../storage/people/upstream_revocations.ts";
import type { IdentityContext } from "../core/context/context.ts";

type Parts = Pick<IdentityContext, "store" | "sealer" | "now" | "provider_client">;

/**
 * Makes the revocation attempts that are due, and returns their number. No attempt starts after `signal` is
 * aborted.
 */
export async function revokeStoredTokens(context: Parts, signal?: AbortSignal): Promise<number> {
  const { store, now } = context;
  const due = await store.claimRevocations(now());
  for (const each of due) {
    if (signal?.aborted) break;
    const outcome = await tryToRevoke(each, context);
    if (signal?.aborted) break;
    if (outcome === "failed" && !each.last) continue;
    await store.forgetRevocation(each);
    if (outcome !== "no_way") await audit(each, outcome, context);
  }
  return due.length;
}

/** `no_way`: the provider has no revocation endpoint. */
type Outcome = "revoked" | "no_way" | "failed";

async function tryToRevoke({ link, provider }: RevocationTry, context: Parts): Promise<Outcome> {
  const { sealer, provider_client: client } = context;
  if (client === undefined) return "failed";
  const open = (sealed: string) => sealer.open("linked_account", sealed, link.id);
  try {
    const access_token = open(link.access_token);
    const refresh_token = link.refresh_token === null ? undefined : open(link.refresh_token);
    return (await client.revoke(provider, { access_token, refresh_token })) ? "revoked" : "no_way";
  } catch (error) {
    // A token that cannot be decrypted counts as failed; an attacker who reads the database cannot decrypt it
    // either.
    if (error instanceof UpstreamError || (error instanceof Error && error.name === "SealError")) {
      return "failed";
    }
    throw error;
  }
}

async function audit(
  { link }: RevocationTry,
  outcome: "revoked" | "failed",
  { store, now }: Parts,
): Promise<void> {
  const at = now();
  await store.insert("audit_events", {
    id: store.newId(at),
    type: "linked_account.tokens_revoked",
    outcome: outcome === "revoked" ? "success" : "failure",
    actor_kind: "system",
    actor_id: "end of a linked account",
    target_table: "oauth_accounts",
    target_id: link.id,
    client_ip: null,
    user_agent: null,
    request_id: null,
    details: { provider: link.provider },
    created_at: at,
  });
}
