import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { ApiResource, NewRow } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../../records/formats/check.ts";
import { identifierKey, isOfServer } from "../../records/names/resource_identifiers.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input } from "../access/errors.ts";
import { changeRecord, type Expected, insertRecord, type Transaction } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";
import { deleteRecord } from "../changes/removal.ts";
import { unlistResources } from "./removals.ts";
import { missingKeys } from "./signing_keys.ts";

function draftResource({ store, now, issuer }: AdminContext, input: Input): Checked<NewRow<"resources">> {
  const at = now();
  const { identifier } = input;
  const { errors, record } = checkNew("resources", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    identifier_key: typeof identifier === "string" ? (identifierKey(identifier) ?? null) : null,
    created_at: at,
    updated_at: at,
  });
  const isReserved =
    typeof identifier === "string" && isOfServer(identifier, issuer, record.organization_id ?? null);
  return {
    errors: isReserved ? [...errors, fieldError("/identifier", "reserved_identifier")] : errors,
    record,
  };
}

/** Errors that do not apply to identifiers of APIs that apps named in `metadata`. */
const errorsOfCarried: readonly string[] = ["reserved_identifier", "not_resource", "user_information"];

/**
 * Returns a new API from a manifest entry with its errors. An entry with an id comes from an export. Its
 * identifier may be an old one that a new API could not have, such as a URL of this server.
 */
export function draftExportedResource(context: AdminContext, input: Input): Checked<NewRow<"resources">> {
  const { errors, record } = draftResource(context, input);
  const isExported = input.id !== undefined && input.identifier !== "";
  const isCarried = ({ path, code }: FieldError) => path === "/identifier" && errorsOfCarried.includes(code);
  return { errors: isExported ? errors.filter((error) => !isCarried(error)) : errors, record };
}

export function draftResourceChange(
  _: AdminContext,
  current: ApiResource,
  input: Input,
): Checked<Partial<ApiResource>> {
  return checkChange("resources", current, input);
}

/** Returns the signing key for the API's `access_token_signing_alg` if it does not exist yet. */
export function missingAccessTokenKey(context: AdminContext, { access_token_signing_alg }: Input) {
  return missingKeys(context, { access_token_signing_alg });
}

async function withAppIds(
  reads: Pick<Verbs, "find">,
  input: Input,
  had: readonly string[],
): Promise<{ input: Input; errors: FieldError[] }> {
  const { app_ids: values } = input;
  if (!Array.isArray(values)) return { input, errors: [] };
  const errors: FieldError[] = [];
  const app_ids = await Promise.all(
    values.map(async (name: unknown, index) => {
      if (typeof name !== "string" || had.includes(name)) return name;
      const where = isUuid(name) ? { id: name.toLowerCase() } : { client_id: name };
      const app = await reads.find("oauth_apps", where);
      if (app === undefined) errors.push(fieldError(`/app_ids/${index}`, "no_record", { record: "app" }));
      return app?.id ?? name;
    }),
  );
  return { input: { ...input, app_ids }, errors };
}

/**
 * Registers an API. Throws 422 `invalid_record`, 403 `forbidden`, 409 `conflict` if another API has an
 * equivalent identifier.
 */
export async function createResource(context: AdminContext, requested: Input): Promise<ApiResource> {
  const { input, errors: unknown } = await withAppIds(context.store, requested, []);
  const { errors, record } = draftResource(context, input);
  const missing = await referenceErrors(context, context.store, "resources", record);
  const keys = await missingAccessTokenKey(context, record);
  const valid = assertValid("resources", {
    errors: [...errors, ...unknown, ...missing, ...keys.errors],
    record,
  });
  return insertRecord(context, "resources", valid, keys.write, keys.locks);
}

/** Changes an API (RFC 7396). Throws 404 `not_found`, 422 `invalid_record`, 403 `forbidden`. */
export async function updateResource(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"resources">,
): Promise<ApiResource> {
  const keys = await missingAccessTokenKey(context, requested);
  return changeRecord(
    context,
    "resources",
    id,
    async (current, tx) => {
      const { input, errors: unknown } = await withAppIds(tx, requested, current.app_ids);
      const { errors, record } = draftResourceChange(context, current, input);
      const missing = await referenceErrors(context, tx, "resources", record);
      return assertValid("resources", {
        errors: [...errors, ...unknown, ...missing, ...keys.errors],
        record,
      });
    },
    { expected, locks: keys.locks, also: async (tx, _, __, ___, note) => keys.write?.(tx, note) },
  );
}

/** Deletes an API and removes it from the `resources` of all apps. */
export async function deleteResource(
  context: AdminContext,
  id: string,
  expected?: Expected<"resources">,
): Promise<void> {
  await deleteRecord(context, "resources", id, {
    expected,
    remove: (tx, current) => removeResource(tx, context, current),
  });
}

/**
 * Deletes an API in the caller's transaction. Removes the API from the `resources` of all apps, and its app
 * roles from all memberships and groups.
 */
export async function removeResource(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  resource: ApiResource,
): Promise<void> {
  await unlistResources(tx, context, [resource]);
  const { id, organization_id } = resource;
  await context.store.forgetRoles(
    tx,
    "app_role_ids",
    await context.store.appRoleIds(tx, id),
    organization_id,
  );
  await tx.remove("resources", { id });
}
