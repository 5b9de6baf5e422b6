import { revokedOneByOne } from "../../records/definition/account_events.ts";
import type { User } from "../../records/definition/definition.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import { endsUpTo } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { requirePermission, requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, notFound } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";
import { revokeRecord } from "../manage/manage.ts";
import { consents } from "./apps.ts";
import { apiKeys } from "./machines.ts";
import { endSessionsOf } from "./sign_out.ts";

const revocable = { api_keys: apiKeys, oauth_consents: consents };

/** A credential with few scopes would otherwise end only a part of the user's access. */
async function requireMayEnd(
  context: AdminContext,
  id: string,
  ...ended: readonly ResourceType[]
): Promise<void> {
  await requirePlatform(context);
  for (const resourceType of ended) await requirePermission(context, `${resourceType}:write`, "users", id);
}

/** Ends all sessions of a user and the tokens that depend on them (design 6.8). */
export async function signOutUser(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"users">,
): Promise<User> {
  await requireMayEnd(context, id, "sessions");
  const user = await context.store.find("users", { id });
  if (user === undefined) throw notFound("users", id);
  expected?.(user);
  await endSessionsOf(context, id);
  return user;
}

/**
 * Ends a user's sessions, tokens, authorization codes and remembered browsers, and revokes the user's API
 * keys and consents. If it fails halfway, it can be repeated.
 */
export async function revokeEverything(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"users">,
): Promise<User> {
  await requireMayEnd(context, id, "sessions", "tokens", "api_keys", "consents");
  const at = context.now();
  const { store } = context;
  const user = await changeRecord(
    context,
    "users",
    id,
    (current) => ({ tokens_not_before: endsUpTo(at, current) }),
    { expected, verb: "access_revoked", locks: [userLock(id)] },
  );
  // The sessions and tokens have been invalid since the commit; this stores the reason in their rows.
  await store.endEverythingOf(id, "revoked", at);
  for (const table of revokedOneByOne)
    for (const record of await store.list(table, { user_id: id, revoked: false }))
      await revokeRecord(context, revocable[table], record.id);
  return user;
}
