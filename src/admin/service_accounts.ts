import { type Checked, checkChange, checkNew, isUuid } from "../records/check.ts";
import type { NewRow, Organization, ServiceAccount } from "../records/definition.ts";
import { emailKey } from "../records/email.ts";
import { withPerson } from "./acting_person.ts";
import type { AdminContext } from "./actor.ts";
import { changeRecord, deleteRecord, type Expected, insertRecord } from "./changes.ts";
import { type Input, isText, missingReferences, notFound, sound, withoutServerSet } from "./faults.ts";
import { listPage, type Page, type PageOptions } from "./pages.ts";

const serverSet = ["last_used_at"] as const;

/** A new service account as the caller describes it, checked but for whether its organization and maker exist. */
export function draftServiceAccount(
  { store, now }: AdminContext,
  asked: Input,
): Checked<NewRow<"service_accounts">> {
  const at = now();
  const { input, faults } = withoutServerSet(asked, serverSet);
  const checked = checkNew("service_accounts", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    email_key: emailKey(typeof input.email === "string" ? input.email : ""),
    created_at: at,
    updated_at: at,
  });
  return { faults: [...faults, ...checked.faults], record: checked.record };
}

/** A change of a service account, checked. */
export function draftServiceAccountChange(
  current: ServiceAccount,
  asked: Input,
): Checked<Partial<ServiceAccount>> {
  const { input, faults } = withoutServerSet(asked, serverSet);
  const checked = checkChange("service_accounts", current, input);
  const { email } = checked.record;
  const record = email === undefined ? checked.record : { ...checked.record, email_key: emailKey(email) };
  return { faults: [...faults, ...checked.faults], record };
}

/**
 * Creates a service account; `created_by` is whoever stands behind the actor when absent.
 * Throws 422 `invalid_record`, 409 `conflict`.
 */
export async function createServiceAccount(context: AdminContext, asked: Input): Promise<ServiceAccount> {
  const { faults, record } = draftServiceAccount(context, await withPerson(context, asked, "created_by"));
  const missing = await missingReferences(context.store, "service_accounts", record);
  const draft = sound("service_accounts", { faults: [...faults, ...missing], record });
  return insertRecord(context, "service_accounts", draft);
}

export function listServiceAccounts(
  { store }: AdminContext,
  of: { organization_id?: Organization["id"] } = {},
  options?: PageOptions,
): Promise<Page<ServiceAccount>> {
  return listPage(store, "service_accounts", of, options);
}

/** The service account of this id or e-mail, whatever its case. */
export async function findServiceAccount(
  { store }: Pick<AdminContext, "store">,
  name: string,
): Promise<ServiceAccount | undefined> {
  if (isUuid(name)) return store.find("service_accounts", { id: name.toLowerCase() });
  return isText(name) ? store.find("service_accounts", { email_key: emailKey(name) }) : undefined;
}

/** The service account of this id or e-mail; throws 404 `not_found`. */
export async function getServiceAccount(
  context: Pick<AdminContext, "store">,
  name: string,
): Promise<ServiceAccount> {
  const account = await findServiceAccount(context, name);
  if (account === undefined) throw notFound("service_accounts", name);
  return account;
}

/**
 * Changes a service account; `active: false` ends its tokens at once (design 6.18).
 * Throws 404 `not_found`, 422 `invalid_record`, 409 `conflict`.
 */
export async function updateServiceAccount(
  context: AdminContext,
  name: string,
  asked: Input,
  expected?: Expected<"service_accounts">,
): Promise<ServiceAccount> {
  const { id } = await getServiceAccount(context, name);
  return changeRecord(
    context,
    "service_accounts",
    id,
    async (current, tx) => {
      const { faults, record } = draftServiceAccountChange(current, asked);
      const missing = await missingReferences(tx, "service_accounts", record);
      return sound("service_accounts", { faults: [...faults, ...missing], record });
    },
    { expected },
  );
}

/** Deletes a service account with its key pairs and tokens. */
export async function deleteServiceAccount(
  context: AdminContext,
  name: string,
  expected?: Expected<"service_accounts">,
): Promise<void> {
  const { id } = await getServiceAccount(context, name);
  await deleteRecord(context, "service_accounts", id, { expected });
}
