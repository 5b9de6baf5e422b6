import type { NewRow, ServiceAccount } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew } from "../../records/formats/check.ts";
import { emailKey } from "../../records/names/email.ts";
import { withPerson } from "../access/acting_person.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, withoutServerSet } from "../access/errors.ts";
import { heldOff } from "../access/own_columns.ts";
import { changeRecord, type Expected, insertRecord } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";

const serverSet = ["last_used_at"] as const;

/**
 * Returns a new service account with the errors of the input. Whether its organization and creator exist is
 * checked later.
 */
export function draftServiceAccount(
  { store, now }: AdminContext,
  requested: Input,
): Checked<NewRow<"service_accounts">> {
  const at = now();
  const { input, errors } = withoutServerSet(requested, serverSet);
  const checked = checkNew("service_accounts", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    email_key: emailKey(typeof input.email === "string" ? input.email : ""),
    created_at: at,
    updated_at: at,
  });
  return { errors: [...errors, ...checked.errors], record: checked.record };
}

export function draftServiceAccountChange(
  current: ServiceAccount,
  requested: Input,
): Checked<Partial<ServiceAccount>> {
  const { input, errors } = withoutServerSet(requested, serverSet);
  const checked = checkChange("service_accounts", current, input);
  const { email } = checked.record;
  const changes = email !== undefined && email !== current.email;
  const record = changes ? { ...checked.record, email_key: emailKey(email) } : checked.record;
  return { errors: [...errors, ...checked.errors], record };
}

/** Creates a service account. Throws 422 `invalid_record`, 409 `conflict`. */
export async function createServiceAccount(context: AdminContext, requested: Input): Promise<ServiceAccount> {
  const { errors, record } = draftServiceAccount(context, await withPerson(context, requested, "created_by"));
  const missing = await referenceErrors(context, context.store, "service_accounts", record);
  const draft = assertValid("service_accounts", { errors: [...errors, ...missing], record });
  return insertRecord(context, "service_accounts", draft);
}

/**
 * Changes a service account. `active: false` ends its tokens (design 6.18). Throws 404 `not_found`, 422
 * `invalid_record`, 409 `conflict`.
 */
export async function updateServiceAccount(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"service_accounts">,
): Promise<ServiceAccount> {
  return changeRecord(
    context,
    "service_accounts",
    id,
    async (current, tx) => {
      const { errors, record } = draftServiceAccountChange(current, requested);
      const missing = await referenceErrors(context, tx, "service_accounts", record);
      const held = await heldOff(context, "service_accounts", current, requested);
      return assertValid("service_accounts", {
        errors: [...errors, ...missing],
        record: { ...record, ...held },
      });
    },
    { expected },
  );
}
