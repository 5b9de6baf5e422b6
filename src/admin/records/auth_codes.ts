import type { OAuthAuthCode } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { stateOfCode } from "../../records/names/liveness.ts";
import { familyLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";

/**
 * Ends an authorization code that is still on its way: it expires now, and `used` stays as it is, for the
 * code was not exchanged (spec 2.9). One that was used or has expired stays as it is. Throws 404 `not_found`.
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
    // Spending it takes this one too (the code's id is its tokens' family), so it is either spent or ended.
    { expected, verb: "revoked", locks: [familyLock(seen.id)] },
  );
}
