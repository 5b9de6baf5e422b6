import type { OAuthToken } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { familyLock, userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";

const reason: RevokedReason = "revoked";

/**
 * Revokes the access and refresh token of a row. If a user granted them, revokes every token of their family,
 * because the user's authorization as a whole is revoked (design 6.10). Throws 404 `not_found`.
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
      // Issuing a token of the family takes the same lock, so no token that replaces this one is missed.
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
