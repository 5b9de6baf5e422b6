import type { OAuthToken } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { familyLock, userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";

const reason: RevokedReason = "revoked";

/**
 * Revokes the access and refresh token in a row of `oauth_tokens`. If a user granted them, revokes all tokens
 * from the same authorization (design 6.10), which share a `family_id`. Throws 404 `not_found`.
 */
export async function revokeToken(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_tokens">,
): Promise<OAuthToken> {
  const { store } = context;
  const seen = isUuid(id) ? await store.find("oauth_tokens", { id: id.toLowerCase() }) : undefined;
  if (seen === undefined) throw notFound("oauth_tokens", id);
  const revoked_at = context.now();
  const ended = { revoked: true, revoked_at, revoked_reason: reason };
  const token = await changeRecord(
    context,
    "oauth_tokens",
    seen.id,
    ({ revoked }) => (revoked ? {} : ended),
    {
      expected,
      verb: "revoked",
      // Issuing a token with this `family_id` takes the same lock, so a concurrently issued one is revoked
      // too.
      locks: [familyLock(seen.family_id), ...(seen.user_id === null ? [] : [userLock(seen.user_id)])],
      async also(tx, { family_id, user_id }, _, at) {
        if (user_id !== null)
          await store.endGrant(tx, { grant: "family", user_id, id: family_id }, reason, at);
      },
    },
  );
  await store.markSomeTokens(seen.family_id);
  return token;
}
