import { apiKeyHash, apiKeyText } from "../../crypto/api_keys.ts";
import { prefixOf } from "../../crypto/credentials.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { APIKey, NewRow } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew } from "../../records/formats/check.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, withoutServerSet } from "../access/errors.ts";
import { changeRecord, type Expected, insertRecord } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";

export const apiKeyServerSet = ["key_prefix", "key_hash", "last_used_at"] as const;

/** Returns a new API key with the errors of the input. Whether the owner exists is checked later. */
export function draftApiKey(
  { store, now }: AdminContext,
  requested: Input,
  key: string,
): Checked<NewRow<"api_keys">> {
  const at = now();
  const { input, errors } = withoutServerSet(requested, apiKeyServerSet);
  const checked = checkNew("api_keys", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    key_prefix: prefixOf(key),
    key_hash: apiKeyHash(key),
    last_used_at: null,
    created_at: at,
  });
  const { user_id = null, organization_id = null } = checked.record;
  const ownerErrors: FieldError[] = [];
  if (user_id !== null && organization_id !== null) {
    ownerErrors.push(fieldError("/organization_id", "second_owner"));
  }
  const said = input.user_id != null || input.organization_id != null;
  if (user_id === null && organization_id === null && !said) {
    ownerErrors.push(fieldError("/user_id", "no_owner"));
  }
  return { errors: [...errors, ...checked.errors, ...ownerErrors], record: checked.record };
}

/** Returns a change of an API key with its errors. */
export function draftApiKeyChange(current: APIKey, requested: Input): Checked<Partial<APIKey>> {
  const { input, errors } = withoutServerSet(requested, apiKeyServerSet);
  const checked = checkChange("api_keys", current, input);
  const { record } = checked;
  const moved = (["user_id", "organization_id"] as const).filter(
    (name) => record[name] !== undefined && record[name] !== current[name],
  );
  const all = [...errors, ...checked.errors, ...moved.map((name) => fieldError(`/${name}`, "fixed_for_key"))];
  if (current.revoked && record.revoked === false) {
    all.push(fieldError("/revoked", "key_revoked"));
  }
  return { errors: all, record };
}

/**
 * Returns the input with the calling user or organization as the key's owner, unless the input has `user_id`
 * or `organization_id`.
 */
export function withOwner({ actor }: Pick<AdminContext, "actor">, requested: Input): Input {
  if (requested.user_id !== undefined || requested.organization_id !== undefined) return requested;
  if (actor.kind === "user") return { ...requested, user_id: actor.user.id };
  return actor.kind === "organization" ? { ...requested, organization_id: actor.organization.id } : requested;
}

/**
 * Creates an API key. `key` is its text, which is not stored and cannot be read again. Throws 422
 * `invalid_record`.
 */
export async function createApiKey(
  context: AdminContext,
  requested: Input,
): Promise<{ row: APIKey; key: string }> {
  const key = apiKeyText(context.now());
  const { errors, record } = draftApiKey(context, requested, key);
  const missing = await referenceErrors(context, context.store, "api_keys", record);
  const draft = assertValid("api_keys", { errors: [...errors, ...missing], record });
  return { row: await insertRecord(context, "api_keys", draft), key };
}

/** Changes an API key. Throws 422 `invalid_record`. */
export async function updateApiKey(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"api_keys">,
): Promise<APIKey> {
  return changeRecord(
    context,
    "api_keys",
    id,
    (current) => assertValid("api_keys", draftApiKeyChange(current, requested)),
    { expected },
  );
}

/** Revokes an API key immediately and permanently. Throws 404 `not_found`. */
export async function revokeApiKey(
  context: AdminContext,
  id: string,
  expected?: Expected<"api_keys">,
): Promise<APIKey> {
  return changeRecord(context, "api_keys", id, () => ({ revoked: true }), { expected, verb: "revoked" });
}
