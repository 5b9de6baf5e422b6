import type { User } from "../../records/definition/definition.ts";
import { tablesOfReset } from "../../records/definition/factor_kinds.ts";
import { endsUpTo } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, invalidRecord } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";
import { errorOfReason } from "./given_reason.ts";
import { requireMayTakeFactors } from "./may_take_factors.ts";

/**
 * Removes a user's passkeys, authenticator apps, recovery codes and remembered browsers, and ends all
 * sessions and tokens. The next sign-in requires a code sent by email before the user may enroll again.
 * Throws what `requireMayTakeFactors` throws, 404 `not_found`, 422 `invalid_record`.
 */
export async function resetFactors(
  context: AdminContext,
  id: string,
  input: Input,
  expected?: Expected<"users">,
): Promise<User> {
  await requireMayTakeFactors(context, id);
  const why = errorOfReason(input);
  if (why !== undefined) throw invalidRecord("users", [{ path: "/reason", ...why }]);
  const at = context.now();
  const row = await changeRecord(
    context,
    "users",
    id,
    (current) => ({ factors_reset_at: at, tokens_not_before: endsUpTo(at, current) }),
    {
      expected,
      verb: "factors_reset",
      details: { reason: String(input.reason) },
      locks: [userLock(id)],
      async also(tx) {
        for (const table of tablesOfReset) await tx.remove(table, { user_id: id });
      },
    },
  );
  // `tokens_not_before` has already made sessions and tokens inactive; this records the reason in their rows.
  await context.store.endEverythingOf(id, "revoked", at);
  return row;
}
