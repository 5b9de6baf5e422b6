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
 * Removes all second factors and remembered browsers of a user, and ends the user's sessions and tokens. If
 * the server sends email, the user must enter a mailed code at the next sign-in before setting up new
 * factors. Throws the errors of `requireMayTakeFactors`, 404 `not_found`, 422 `invalid_record`.
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
  // The sessions and tokens have been invalid since the commit; this stores the reason in their rows.
  await context.store.endEverythingOf(id, "revoked", at);
  return row;
}
