import { credentialPrefix, newCredential, prefixOf } from "../../crypto/credentials.ts";
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError, reason, unknownField } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, OAuthAppSecret } from "../../records/definition/definition.ts";
import { checkChange, isUuid } from "../../records/formats/check.ts";
import { appSecretsLock } from "../../records/names/lock_names.ts";
import type { Transaction } from "../../storage/database/database.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { assertValid, type Input, invalidRecord, withoutServerSet } from "../access/errors.ts";
import { hashingCaller } from "../access/hashing_caller.ts";
import { changeRecord, type Expected, insertRecord, writeChange } from "../changes/changes.ts";
import { guardNew } from "../guards/guards.ts";
import {
  type GivenSecret,
  isActiveSecret,
  mostSecrets,
  readSecrets,
  tooManySecrets,
} from "./given_secrets.ts";
import { isSameForeignHash, storedForeignHash } from "./password_input.ts";

/** Returns a new client secret. */
export function newClientSecret(now: Date): string {
  return newCredential(credentialPrefix.client_secret, now);
}

/**
 * Returns the row of a secret: its hash and, for display, its first characters as `secret_prefix` (spec 2.7).
 * The prefix is empty if the input is a hash.
 */
export async function draftSecret(
  context: AdminContext,
  app_id: string,
  { value, hash, expires_at = null, revoked = false }: GivenSecret,
): Promise<NewRow<"oauth_app_secrets">> {
  const { store, passwords, now, actor } = context;
  const at = now();
  return {
    id: store.newId(at),
    app_id,
    secret_hash:
      hash === undefined
        ? await passwords.hash(value, "management", hashingCaller(actor))
        : await storedForeignHash(hash, "client_authentication", context),
    secret_prefix: hash === undefined ? prefixOf(value) : "",
    expires_at,
    revoked,
    revoked_at: revoked ? at : null,
    created_at: at,
  };
}

/**
 * Returns the rows of several secrets. The secrets are hashed one at a time, so that a request uses only one
 * worker.
 */
export async function draftSecrets(
  context: AdminContext,
  app_id: string,
  input: readonly GivenSecret[],
): Promise<NewRow<"oauth_app_secrets">[]> {
  const rows: NewRow<"oauth_app_secrets">[] = [];
  for (const each of input) rows.push(await draftSecret(context, app_id, each));
  return rows;
}

/** Takes a lock, so that secrets of concurrent requests are counted too. */
async function requireFew(tx: Transaction, app_id: string, now: Date): Promise<void> {
  await tx.lock(appSecretsLock(app_id));
  const secrets = await tx.list("oauth_app_secrets", { app_id });
  if (secrets.filter((secret) => isActiveSecret(secret, now)).length > mostSecrets)
    throw tooManySecrets("/app_id");
}

async function findSecret(
  context: Pick<AdminContext, "passwords" | "actor">,
  secrets: readonly OAuthAppSecret[],
  { value, hash }: GivenSecret,
): Promise<OAuthAppSecret | undefined> {
  const { passwords, actor } = context;
  const prefix = prefixOf(value);
  for (const secret of secrets) {
    if (hash !== undefined) {
      if (await isSameForeignHash(hash, secret.secret_hash, context)) return secret;
      continue;
    }
    if (secret.secret_prefix !== prefix) continue;
    if (await passwords.verify(secret.secret_hash, value, "management", hashingCaller(actor))) return secret;
  }
  return undefined;
}

/** Maximum of `expire_others_in`, in seconds. */
const longestOverlap = 31_536_000;

/**
 * Adds a secret to an app, so that a client can change to it before the old secrets expire (C-9). The input
 * has `app_id` and optionally `value` or `hash` (MG-7), `expires_at`, and `expire_others_in`: seconds until
 * the other secrets expire. Without `value` and `hash`, returns a generated secret. Throws 422
 * `invalid_record` or `too_many_secrets`, 409 `conflict`, 403 `forbidden`.
 */
export async function createAppSecret(
  context: AdminContext,
  requested: Input,
): Promise<{ row: OAuthAppSecret; secret: string | undefined }> {
  const own = withoutServerSet(requested, appSecretServerSet);
  const { app_id, value, hash, expires_at, expire_others_in, ...unknown } = own.input;
  const made = value === undefined && hash === undefined ? newClientSecret(context.now()) : undefined;
  const chosen_by =
    hash === undefined ? { value: value ?? made } : { hash, ...(value !== undefined && { value }) };
  // `readSecrets` reports paths in a list, but here the fields of the secret are at the top level.
  const ownPath = (text: string) => text.replace("/secrets/0", "");
  const [app, read] = [
    isUuid(app_id) ? await context.store.find("oauth_apps", { id: app_id.toLowerCase() }) : undefined,
    readSecrets([{ ...chosen_by, ...(expires_at === undefined ? {} : { expires_at }) }], false, {
      actor: context.actor,
      warn: (message) => context.warn?.(ownPath(message)),
    }),
  ];
  const errors: FieldError[] = [
    ...own.errors,
    ...Object.keys(unknown).map((name) => unknownField(name)),
    ...read.errors.map((each) => ({ ...each, path: ownPath(each.path) })),
  ];
  if (app === undefined) {
    const why = app_id === undefined ? reason("required") : reason("no_record", { record: "app" });
    errors.push({ path: "/app_id", ...why });
  }
  if (app?.public === true) errors.push(fieldError("/app_id", "public_app"));
  const seconds = expire_others_in as number | undefined;
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 0 && seconds <= longestOverlap)) {
    errors.push(fieldError("/expire_others_in", "out_of_range", { min: 0, max: longestOverlap }));
  }
  const [chosen] = read.record;
  if (errors.length > 0 || app === undefined || chosen === undefined) {
    throw invalidRecord("oauth_app_secrets", errors);
  }
  if (chosen.hash !== undefined && !(await permissionsOfActor(context)).platform)
    throw new Problem("forbidden", detail("platform_only"), [fieldError("/hash", "platform_only")]);
  const existing = await context.store.list("oauth_app_secrets", { app_id: app.id });
  const now = context.now();
  const live = seconds === 0 ? 0 : existing.filter((secret) => isActiveSecret(secret, now)).length;
  if (live >= mostSecrets) {
    // The guards run first: an actor without permission gets 403 and does not learn how many secrets the app
    // has.
    const actorPermissions = await permissionsOfActor(context);
    const nothing = { id: app.id, app_id: app.id, secret_hash: "", secret_prefix: "", created_at: now };
    await context.store.transaction((tx) => guardNew(tx, actorPermissions, "oauth_app_secrets", nothing));
    throw tooManySecrets("/app_id");
  }
  if (made === undefined) {
    if ((await findSecret(context, existing, chosen)) !== undefined) {
      throw new Problem("conflict", detail("secret_exists"));
    }
  }
  const row = await insertSecret(context, await draftSecret(context, app.id, chosen), seconds);
  return { row, secret: made };
}

async function insertSecret(
  context: AdminContext,
  row: NewRow<"oauth_app_secrets">,
  expire_others_in: number | undefined,
): Promise<OAuthAppSecret> {
  const at = context.now();
  return insertRecord(context, "oauth_app_secrets", row, async (tx, note) => {
    if (expire_others_in === undefined) return requireFew(tx, row.app_id, at);
    const expires_at = new Date(at.getTime() + expire_others_in * 1000);
    for (const other of await tx.list("oauth_app_secrets", { app_id: row.app_id })) {
      const endsSooner = other.expires_at !== null && other.expires_at <= expires_at;
      if (other.id === row.id || other.revoked || endsSooner) continue;
      note((await writeChange(tx, context, "oauth_app_secrets", other, { expires_at }, at)).event);
    }
    await requireFew(tx, row.app_id, at);
  });
}

export const appSecretServerSet = [
  "id",
  "secret_hash",
  "secret_prefix",
  "last_used_at",
  "revoked",
  "revoked_at",
] as const;

/** Changes the expiry of a secret. Throws 404 `not_found`, 422 `invalid_record` or `too_many_secrets`. */
export async function updateAppSecret(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"oauth_app_secrets">,
): Promise<OAuthAppSecret> {
  return changeRecord(
    context,
    "oauth_app_secrets",
    id,
    (current) => {
      const own = withoutServerSet(requested, appSecretServerSet);
      const { errors, record } = checkChange("oauth_app_secrets", current, own.input);
      const moved = record.app_id !== undefined && record.app_id !== current.app_id;
      const all = [...own.errors, ...errors];
      if (moved) all.push(fieldError("/app_id", "fixed_for_secret"));
      return assertValid("oauth_app_secrets", { errors: all, record });
    },
    {
      expected,
      async also(tx, current, changes, at) {
        // A later expiry can make an expired secret active again, so the limit is checked.
        const { revoked, expires_at } = { ...current, ...changes };
        if (!isActiveSecret(current, at) && isActiveSecret({ revoked, expires_at }, at))
          await requireFew(tx, current.app_id, at);
      },
    },
  );
}

/**
 * Revokes a secret permanently. Access tokens that the app obtained with it stay valid. Throws 404
 * `not_found`.
 */
export async function revokeAppSecret(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_app_secrets">,
): Promise<OAuthAppSecret> {
  const revoked_at = context.now();
  return changeRecord(
    context,
    "oauth_app_secrets",
    id,
    ({ revoked }) => (revoked ? {} : { revoked: true, revoked_at }),
    { expected, verb: "revoked" },
  );
}
