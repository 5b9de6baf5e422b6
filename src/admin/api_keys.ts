import { newCredential, prefixOf } from "../crypto/credentials.ts";
import { sha256 } from "../crypto/digest.ts";
import { checkChange, checkNew, isUuid } from "../records/check.ts";
import type { APIKey } from "../records/definition.ts";
import type { AdminContext } from "./actor.ts";
import { changeRecord, deleteRecord, insertRecord } from "./changes.ts";
import { type Input, missingReferences, notFound, sound, withoutServerSet } from "./faults.ts";
import { listPage, type Page, type PageOptions } from "./pages.ts";

/** What an API key begins with, so that a leaked one is recognised for what it is. */
export const apiKeyPrefix = "pak_";

const serverSet = ["key_prefix", "key_hash", "last_used_at"] as const;

/** What of an API key is stored and looked up by (spec 2.5, section 5). */
export function apiKeyHash(key: string): Buffer {
  return sha256(key);
}

/**
 * Makes an API key; its text is in the answer and nowhere else. Throws 422 `invalid_record`.
 */
export async function createApiKey(
  context: AdminContext,
  asked: Input,
): Promise<{ row: APIKey; key: string }> {
  const at = context.now();
  const key = newCredential(apiKeyPrefix, at);
  const own = withoutServerSet(asked, serverSet);
  const { faults, record } = checkNew("api_keys", own.input, {
    ...(own.input.id === undefined ? { id: context.store.newId(at) } : {}),
    key_prefix: prefixOf(key),
    key_hash: apiKeyHash(key),
    last_used_at: null,
    created_at: at,
  });
  const missing = await missingReferences(context.store, "api_keys", record);
  const draft = sound("api_keys", { faults: [...own.faults, ...faults, ...missing], record });
  return { row: await insertRecord(context, "api_keys", draft), key };
}

export function listApiKeys(
  { store }: AdminContext,
  of: Partial<Pick<APIKey, "user_id" | "organization_id">> = {},
  options?: PageOptions,
): Promise<Page<APIKey>> {
  return listPage(store, "api_keys", of, options);
}

/** Throws 404 `not_found`. */
export async function getApiKey({ store }: Pick<AdminContext, "store">, id: string): Promise<APIKey> {
  const key = isUuid(id) ? await store.find("api_keys", { id: id.toLowerCase() }) : undefined;
  if (key === undefined) throw notFound("api_keys", id);
  return key;
}

/** Changes an API key. Throws 404 `not_found`, 422 `invalid_record`. */
export async function updateApiKey(context: AdminContext, id: string, asked: Input): Promise<APIKey> {
  const current = await getApiKey(context, id);
  const own = withoutServerSet(asked, serverSet);
  const { faults, record } = checkChange("api_keys", current, own.input);
  const missing = await missingReferences(context.store, "api_keys", record);
  if (current.revoked && record.revoked === false) {
    missing.push({ path: "/revoked", message: "cannot change: a key is revoked for good" });
  }
  const changes = sound("api_keys", { faults: [...own.faults, ...faults, ...missing], record });
  return changeRecord(context, "api_keys", current, changes);
}

/** Revokes an API key at once and for good. */
export async function revokeApiKey(context: AdminContext, id: string): Promise<APIKey> {
  return changeRecord(context, "api_keys", await getApiKey(context, id), { revoked: true });
}

export async function deleteApiKey(context: AdminContext, id: string): Promise<void> {
  const key = await getApiKey(context, id);
  await deleteRecord(context, "api_keys", key.id);
}
