import type { OAuthAuthCode } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { stateOfCode } from "../../records/names/liveness.ts";
import { familyLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";

/**
 * Expires an unused authorization code now; a used or expired code does not change. `used` stays false
 * because the code was not redeemed (spec 2.9). Throws 404 `not_found`.
 */
export async function endAuthCode(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_auth_codes">,
): Promise<OAuthAuthCode> {
  const seen = isUuid(id)
    ? await context.store.find("oauth_auth_codes", { id: id.toLowerCase() })
    : undefined;
  if (seen === undefined) throw notFound("oauth_auth_codes", id);
  return changeRecord(
    context,
    "oauth_auth_codes",
    seen.id,
    (code) => {
      const now = context.now();
      return stateOfCode(code, now) === "active" ? { expires_at: now } : {};
    },
    // Redeeming a code takes the same lock, so a code cannot be redeemed and ended at the same time.
    { expected, verb: "revoked", locks: [familyLock(seen.id)] },
  );
}
