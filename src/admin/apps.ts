import { type FieldFault, Problem } from "../errors.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../records/check.ts";
import type { NewRow, OAuthApp, Organization, User } from "../records/definition.ts";
import { isReservedScope } from "../records/names.ts";
import { type Actor, type AdminContext, isPlatformAdministrator } from "./actor.ts";
import { draftSecret, newClientSecret, readSecrets } from "./app_secrets.ts";
import { changeRecord, deleteRecord, differing, finishEndings, writeChange, writeNew } from "./changes.ts";
import { type Input, isText, missingReferences, notFound, orConflict, sound, without } from "./faults.ts";
import { listPage, type Page, type PageOptions } from "./pages.ts";

/** Scopes that give power over this server are a platform administrator's to give (design 6.7). */
function reservedScopeFaults(actor: Actor, scopes: unknown, had: readonly string[] = []): FieldFault[] {
  if (isPlatformAdministrator(actor) || !Array.isArray(scopes)) return [];
  return scopes.flatMap((scope, index) =>
    typeof scope === "string" && isReservedScope(scope) && !had.includes(scope)
      ? [
          {
            path: `/allowed_scopes/${index}`,
            message: "is reserved: only a platform administrator may give it",
          },
        ]
      : [],
  );
}

/** A new app as the caller describes it, checked but for whether its owner and organization exist. */
export function draftApp({ store, now, actor }: AdminContext, input: Input): Checked<NewRow<"oauth_apps">> {
  const at = now();
  const { faults, record } = checkNew("oauth_apps", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    ...(input.client_id === undefined ? { client_id: store.newId(at) } : {}),
    created_at: at,
    updated_at: at,
  });
  return { faults: [...faults, ...reservedScopeFaults(actor, record.allowed_scopes)], record };
}

/** A change of an app, checked: a revoked app stays revoked. */
export function draftAppChange(
  { actor }: Pick<AdminContext, "actor">,
  current: OAuthApp,
  input: Input,
): Checked<Partial<OAuthApp>> {
  const { faults, record } = checkChange("oauth_apps", current, input);
  const all = [...faults, ...reservedScopeFaults(actor, record.allowed_scopes, current.allowed_scopes)];
  const { revoked_at } = record;
  if (
    current.revoked_at !== null &&
    revoked_at !== undefined &&
    revoked_at?.getTime() !== current.revoked_at.getTime()
  ) {
    all.push({ path: "/revoked_at", message: "cannot change: an app is revoked for good" });
  }
  return { faults: all, record };
}

/**
 * Registers an app. `client_id` is made when absent. `secrets` are strings or `{ value, expires_at?, revoked? }`; when the
 * member is absent and the app is not public, one is made, and its text is in the answer and nowhere else.
 * Throws 422 `invalid_record`, 409 `conflict`.
 */
export async function createApp(
  context: AdminContext,
  asked: Input,
): Promise<{ app: OAuthApp; secret: string | undefined }> {
  const { faults, record } = draftApp(context, without(asked, ["secrets"]));
  const secret =
    asked.secrets === undefined && record.public !== true ? newClientSecret(context.now()) : undefined;
  const secrets = readSecrets(
    asked.secrets ?? (secret === undefined ? [] : [secret]),
    record.public === true,
  );
  const missing = await missingReferences(context.store, "oauth_apps", record);
  sound("oauth_apps", { faults: [...faults, ...secrets.faults, ...missing], record });
  const rows = await Promise.all(secrets.record.map((given) => draftSecret(context, record.id, given)));
  await orConflict(
    context.store.transaction(async (tx) => {
      await writeNew(tx, context, "oauth_apps", record);
      for (const row of rows) await writeNew(tx, context, "oauth_app_secrets", row);
    }),
  );
  return { app: await getApp(context, record.client_id), secret };
}

export function listApps(
  { store }: AdminContext,
  of: { owner_id?: User["id"]; organization_id?: Organization["id"] } = {},
  options?: PageOptions,
): Promise<Page<OAuthApp>> {
  return listPage(store, "oauth_apps", of, options);
}

/** The app of this client_id or id; a client_id that looks like a UUID goes first. */
export async function findApp(
  { store }: Pick<AdminContext, "store">,
  name: string,
): Promise<OAuthApp | undefined> {
  if (!isText(name)) return undefined;
  const app = await store.find("oauth_apps", { client_id: name });
  return app ?? (isUuid(name) ? store.find("oauth_apps", { id: name.toLowerCase() }) : undefined);
}

/** The app of this client_id or id; throws 404 `not_found`. */
export async function getApp(context: Pick<AdminContext, "store">, name: string): Promise<OAuthApp> {
  const app = await findApp(context, name);
  if (app === undefined) throw notFound("oauth_apps", name);
  return app;
}

/**
 * Changes an app; members that are left out stay (RFC 7396). `active: false` and `revoked_at` end its tokens at once. An
 * app that becomes public loses its secrets, because a public app stores none.
 */
export async function updateApp(context: AdminContext, name: string, asked: Input): Promise<OAuthApp> {
  const current = await getApp(context, name);
  const { faults, record } = draftAppChange(context, current, asked);
  const missing = await missingReferences(context.store, "oauth_apps", record);
  const changes = differing<"oauth_apps">(
    current,
    sound("oauth_apps", { faults: [...faults, ...missing], record }),
  );
  if (Object.keys(changes).length === 0) return current;
  const at = context.now();
  await orConflict(
    context.store.transaction(async (tx) => {
      await writeChange(tx, context, "oauth_apps", current, changes, at);
      if (changes.public) await tx.remove("oauth_app_secrets", { app_id: current.id });
    }),
  );
  await finishEndings(context, "oauth_apps", current, changes, at);
  return getApp(context, current.client_id);
}

/** Switches an app off: every token of it ends (design 6.18). */
export async function deactivateApp(context: AdminContext, name: string): Promise<OAuthApp> {
  return updateApp(context, name, { active: false });
}

/** Switches an app on again; nothing that ended comes back. Throws 409 `revoked` for one that was revoked. */
export async function reactivateApp(context: AdminContext, name: string): Promise<OAuthApp> {
  const app = await getApp(context, name);
  if (app.revoked_at !== null) throw new Problem(409, "revoked", "the app was revoked for good");
  return updateApp(context, app.client_id, { active: true });
}

/** Revokes an app for good (spec 2.6 `revoked_at`). */
export async function revokeApp(context: AdminContext, name: string): Promise<OAuthApp> {
  const app = await getApp(context, name);
  if (app.revoked_at !== null) return app;
  return changeRecord(context, "oauth_apps", app, { revoked_at: context.now() });
}

/** Deletes an app with its secrets, codes, consents and tokens. */
export async function deleteApp(context: AdminContext, name: string): Promise<void> {
  const { id } = await getApp(context, name);
  await deleteRecord(context, "oauth_apps", id, () => context.store.deleteApp(id));
}
