/** An administrator takes all that a user enrolled to sign in with, because the user lost it (MF-10). */
import { detail } from "../../errors/details.ts";
import { fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { User } from "../../records/definition.ts";
import { text } from "../../records/field.ts";
import { userLock } from "../../records/lock_names.ts";
import { isPlainText } from "../../records/plain_text.ts";
import { acrSince, methodsOf, mfaAcr, reachesAcr, sudoAge } from "../../records/sign_in_methods.ts";
import type { AdminContext } from "../access/actor.ts";
import { changeRecord, type Expected } from "../changes.ts";
import { type Input, invalidRecord, isText } from "../faults.ts";
import { requirePlatform } from "../reports/housekeeping.ts";

/** What is given for it. */
export const resetFactorsInput = {
  reason: text("why, for the audit", { plain: "lines", not_empty: true, max_length: 1000 }),
} as const;

/**
 * Takes a user's passkeys, authenticator apps, recovery codes and remembered browsers, and ends all sessions
 * and tokens. The next sign-in asks for a code by mail before the user may enrol anew. Throws 403 `forbidden`
 * where the actor is neither the operator nor another administrator who proved a second factor in this
 * session within minutes, 404 `not_found`, 422 `invalid_record`.
 */
export async function resetFactors(
  context: AdminContext,
  id: string,
  given: Input,
  expected?: Expected<"users">,
): Promise<User> {
  await requirePlatform(context);
  await requireSecondFactor(context, id);
  const why = faultOf(given.reason);
  if (why !== undefined) throw invalidRecord("users", [{ path: "/reason", ...why }]);
  const at = context.now();
  const row = await changeRecord(
    context,
    "users",
    id,
    () => ({ factors_reset_at: at, tokens_not_before: at }),
    {
      expected,
      verb: "factors_reset",
      details: { reason: String(given.reason) },
      locks: [userLock(id)],
      async also(tx) {
        for (const table of ["passkeys", "totp_authenticators", "recovery_codes", "devices"] as const) {
          await tx.remove(table, { user_id: id });
        }
      },
    },
  );
  // They are dead already by `tokens_not_before`; now their rows say why.
  await context.store.endEverythingOf(id, "revoked", at);
  return row;
}

async function requireSecondFactor({ actor, store, now }: AdminContext, id: string): Promise<void> {
  if (actor.kind === "system") return;
  if (actor.kind !== "user" || actor.session_id === undefined || actor.scopes !== undefined)
    throw new Problem("forbidden", detail("reset_in_browser"));
  if (actor.user.id === id) throw new Problem("forbidden", detail("own_factors"));
  const session = await store.find("sessions", { id: actor.session_id });
  const since = new Date(now().getTime() - sudoAge);
  if (session !== undefined && reachesAcr(acrSince(methodsOf(session), since), mfaAcr)) return;
  throw new Problem("forbidden", detail("reset_takes_second_factor"));
}

function faultOf(given: unknown): Reason | undefined {
  const { max_length: characters = 0 } = resetFactorsInput.reason;
  if (given === undefined) return fieldError("/reason", "required");
  if (typeof given !== "string") return reason("not_string");
  if (given.trim() === "") return reason("empty");
  if (given.length > characters) return reason("too_long", { characters });
  return isText(given) && isPlainText(given, "lines") ? undefined : reason("invisible_characters");
}
