import { detail } from "../../errors/details.ts";
import { fieldError, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { factorTables } from "../../records/definition/factor_kinds.ts";
import { uuid } from "../../records/definition/field.ts";
import { isUuid } from "../../records/formats/check.ts";
import { recordLock, userLock } from "../../records/names/lock_names.ts";
import type { NoticeKind } from "../../records/names/notices.ts";
import { hasSecondFactor, type SecondKind } from "../../records/names/sign_in_methods.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, invalidRecord, notFound } from "../access/errors.ts";
import { type AdminEvent, logEvent, recordEvent } from "../changes/audit.ts";
import type { Expected, Transaction } from "../changes/changes.ts";
import { errorOfReason, reasonInput } from "./given_reason.ts";
import { requireMayTakeFactors } from "./may_take_factors.ts";

export const removeFactorInput = {
  factor_id: uuid("ID of the passkey or authenticator app"),
  ...reasonInput,
} as const;

/** Recovery codes cannot be removed one by one, only replaced as a set. */
type SingleKind = Exclude<SecondKind, "recovery_code">;

const ofFactorKind = {
  passkey: { factor: "passkey", notice: "passkey_removed" },
  totp: { factor: "authenticator_app", notice: "factor_removed" },
} as const satisfies Readonly<Record<SingleKind, { readonly factor: string; readonly notice: NoticeKind }>>;

const singleKinds = Object.keys(ofFactorKind) as SingleKind[];

interface Removed {
  readonly user: User;
  readonly name: string;
  readonly notice: NoticeKind;
  readonly event: AdminEvent;
}

/**
 * Removes a passkey or authenticator app of a user who has another second factor. Ends sessions that used it,
 * and forgets every remembered browser. Throws the errors of `requireMayTakeFactors`, 404 `not_found`, 409
 * `conflict` for the last second factor, 422 `invalid_record`.
 */
export async function removeFactor(
  context: AdminContext,
  id: string,
  input: Input,
  expected?: Expected<"users">,
): Promise<User> {
  await requireMayTakeFactors(context, id);
  const { factor_id } = input;
  const why = errorOfReason(input);
  const errors = [
    ...(factor_id === undefined ? [fieldError("/factor_id", "required")] : []),
    ...(why === undefined ? [] : [{ path: "/reason", ...why }]),
  ];
  if (errors.length > 0) throw invalidRecord("users", errors);
  const at = context.now();
  const factor = String(factor_id).toLowerCase();
  const { user, name, notice, event } = await context.store.transaction(async (tx) => {
    await tx.lock(userLock(id), recordLock("users", id));
    const user = await tx.find("users", { id });
    if (user === undefined) throw notFound("users", id);
    expected?.(user);
    const removed = await remove(tx, context, user, factor, String(input.reason));
    await context.store.endOpenedSessions(tx, factor, id, at);
    return removed;
  });
  logEvent(context, event);
  context.onAccountNotice?.({ kind: notice, user_id: id, name });
  return user;
}

async function remove(
  tx: Transaction,
  context: AdminContext,
  user: User,
  factor_id: string,
  given_reason: string,
): Promise<Removed> {
  const { id: user_id } = user;
  for (const kind of singleKinds) {
    const table = factorTables[kind];
    const { factor, notice } = ofFactorKind[kind];
    const row = isUuid(factor_id) ? await tx.find(table, { id: factor_id, user_id }) : undefined;
    if (row === undefined) continue;
    await tx.remove(table, { id: factor_id, user_id });
    const left = await context.store.secondFactorsOf(user_id, tx);
    if (!hasSecondFactor({ ...left, ...nothingElse })) throw new Problem("conflict", detail("last_factor"));
    // Remembered browsers skip the second factor. After any change of second factors they must use one again
    // (MF-13).
    await tx.remove("devices", { user_id });
    const event: AdminEvent = {
      type: "user.factor_removed",
      target_table: "users",
      target_id: user_id,
      details: { factor, factor_id, name: row.name, reason: given_reason },
    };
    await recordEvent(context, event, tx);
    return { user, name: row.name, notice, event };
  }
  throw invalidRecord("users", [{ path: "/factor_id", ...reason("not_factor_of_user") }]);
}

const nothingElse = { password: false, recovery_codes: 0, providers: [] };
