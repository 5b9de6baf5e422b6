import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { NewRow, OAuthApp } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { appProfiles, isReservedScope } from "../../records/names/names.ts";
import { demandsOn, profileDemands, type Switches } from "../../records/names/profiles.ts";
import { appKinds, isAppKind, kindDefaults, signsPeopleIn } from "../../records/rules/app_kinds.ts";
import { hasSecret, isOpenClient } from "../../records/rules/client_record.ts";
import { beyondLimits } from "../../records/rules/open_clients.ts";
import { withPerson } from "../access/acting_person.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { assertValid, type Input, without } from "../access/errors.ts";
import { heldOff } from "../access/own_columns.ts";
import { changeRecord, differing, type Expected, insertRecord, writeNew } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";
import { deleteRecord, writeRemoval } from "../changes/removal.ts";
import { credentialErrors, refuseAny } from "../guards/rules.ts";
import { authenticationErrors, carriedMembers } from "./app_members.ts";
import { draftSecrets, newClientSecret } from "./app_secrets.ts";
import { carryResources } from "./carried_resources.ts";
import { mostSecrets, readSecrets, tooManySecrets } from "./given_secrets.ts";
import { removeApps } from "./removals.ts";
import { type MissingKeys, missingKeys, noMissingKeys } from "./signing_keys.ts";

const unnamed = { organization_id: null, metadata: null, resources: [] } as const;

/**
 * Adds the defaults of the app's `kind`, but not those of `metadata` if a profile of the app or server
 * forbids refresh token rotation.
 */
function ofKind({ kind, ...input }: Input, switches: Switches): { input: Input; errors: FieldError[] } {
  if (kind === undefined) return { input, errors: [] };
  if (!isAppKind(kind)) return { input, errors: [fieldError("/kind", "not_one_of", { values: appKinds })] };
  const { metadata: usual, ...columns } = kindDefaults[kind];
  // Only members may sign in to an organization's app by default (OC-8).
  const isOwn = typeof input.organization_id === "string" && signsPeopleIn(kind);
  const defaults = { ...columns, ...(isOwn && { who_may_sign_in: "members" }) };
  const { metadata = {} } = input;
  const profile = appProfiles.find((name) => name === input.profile) ?? null;
  const follows = usual !== undefined && isObject(metadata) && !demandsOn({ profile }, switches).no_rotation;
  return {
    input: { ...defaults, ...input, ...(follows && { metadata: { ...usual, ...metadata } }) },
    errors: [],
  };
}

/**
 * Returns a new app with the errors of the input. Whether the app's owner and organization exist is checked
 * later.
 */
export function draftApp(context: AdminContext, requested: Input): Checked<NewRow<"oauth_apps">> {
  const at = context.now();
  const { input, errors: unkind } = ofKind(requested, context.switches);
  const { errors, record } = checkNew("oauth_apps", input, {
    ...(input.id === undefined ? { id: context.store.newId(at) } : {}),
    ...(input.client_id === undefined ? { client_id: context.store.newId(at) } : {}),
    created_at: at,
    updated_at: at,
  });
  const carried = carriedMembers(context, input, record.metadata);
  const powers = context.import_source === undefined ? [] : powerErrors(record);
  return {
    errors: [...unkind, ...errors, ...powers, ...authenticationErrors(record, record, context)],
    record: { ...record, ...carried },
  };
}

/** An import from another program must not grant reserved scopes or exempt an app from consent (MG-11). */
function powerErrors({ allowed_scopes = [], first_party }: Partial<OAuthApp>): FieldError[] {
  const reserved = allowed_scopes.flatMap((scope, index) =>
    isReservedScope(scope) ? [fieldError(`/allowed_scopes/${index}`, "scope_reserved")] : [],
  );
  return first_party === true ? [...reserved, fieldError("/first_party", "not_taken")] : reserved;
}

/**
 * Returns a change of an app that a manifest names. `kind` is checked but has no effect, because its defaults
 * apply only to new apps.
 */
export function draftAppAgain(
  context: AdminContext,
  current: OAuthApp,
  requested: Input,
): ReturnType<typeof draftAppChange> {
  const { errors: unkind } = ofKind(requested, context.switches);
  const { errors, record } = draftAppChange(context, current, without(requested, ["kind"]));
  return { errors: [...unkind, ...errors], record };
}

function draftAppChange(
  context: Pick<AdminContext, "warn" | "switches">,
  current: OAuthApp,
  input: Input,
): Checked<Partial<OAuthApp>> {
  const { switches, warn } = context;
  const { errors, record: requested } = checkChange("oauth_apps", current, input);
  const { organization_id = current.organization_id } = requested;
  const isMoved = organization_id !== current.organization_id;
  const left = isMoved && input.resources === undefined && current.resources.length > 0;
  if (left) warn?.("/resources: is empty after the move; list the APIs again if the app needs them");
  const carried = carriedMembers(context, input, requested.metadata, current);
  const record = { ...requested, ...(left && { resources: [] }), ...carried };
  const all = [
    ...errors,
    ...authenticationErrors({ ...current, ...requested }, differing<"oauth_apps">(current, requested), {
      switches,
      current,
    }),
  ];
  all.push(...openClientErrors(current, record));
  const { revoked_at } = record;
  if (
    current.revoked_at !== null &&
    revoked_at !== undefined &&
    revoked_at?.getTime() !== current.revoked_at.getTime()
  ) {
    all.push(fieldError("/revoked_at", "app_revoked"));
  }
  return { errors: all, record };
}

/**
 * A client that registered itself can get neither an owner nor settings beyond the limits for such clients
 * (PR-25).
 */
function openClientErrors(current: OAuthApp, changes: Partial<OAuthApp>): FieldError[] {
  if (!isOpenClient(current)) return [];
  const beyond: string[] = [...beyondLimits({ ...changes, provenance: current.provenance })];
  if (changes.owner_id !== undefined && changes.owner_id !== current.owner_id) beyond.push("owner_id");
  return beyond.map((name) => fieldError(`/${name}`, "not_for_open_client"));
}

/** Returns the signing keys that the app requires and that do not exist yet. */
export async function missingTokenKeys(
  context: AdminContext,
  { id_token_signed_response_alg, profile }: Input,
): Promise<MissingKeys> {
  if (id_token_signed_response_alg === undefined && profile === undefined) return noMissingKeys;
  const own = appProfiles.find((name) => name === profile);
  const [usual] = (own && profileDemands[own].token_algorithms) ?? [];
  return missingKeys(context, { id_token_signed_response_alg, profile: usual });
}

/**
 * Registers an app. `secrets` is a list as in `readSecrets`. If the app requires a secret and none is given,
 * returns a generated one, which cannot be read again. Throws 422 `invalid_record` or `too_many_secrets`, 409
 * `conflict`, 403 `forbidden`.
 */
export async function createApp(
  context: AdminContext,
  requested: Input,
): Promise<{ app: OAuthApp; secret: string | undefined }> {
  if (Array.isArray(requested.secrets) && requested.secrets.length > mostSecrets)
    throw tooManySecrets("/secrets");
  const input = await withPerson(context, without(requested, ["secrets"]), "owner_id");
  const { errors, record } = draftApp(context, input);
  const secret =
    requested.secrets === undefined && hasSecret(record) ? newClientSecret(context.now()) : undefined;
  const secrets = readSecrets(
    requested.secrets === undefined ? (secret === undefined ? [] : [secret]) : requested.secrets,
    record.public === true,
    context,
  );
  const actorPermissions = await permissionsOfActor(context);
  // Verifying a hash from another program can take seconds of processor time, even for an anonymous caller
  // with a wrong secret.
  if (!actorPermissions.platform)
    refuseAny(
      secrets.record.flatMap(({ hash }, index) =>
        hash === undefined ? [] : [fieldError(`/secrets/${index}/hash`, "platform_only")],
      ),
    );
  const missing = await referenceErrors(context, context.store, "oauth_apps", record);
  const keys = await missingTokenKeys(context, record);
  const confusing = clientIdErrors(actorPermissions, requested);
  assertValid("oauth_apps", {
    errors: [...errors, ...confusing, ...keys.errors, ...secrets.errors, ...missing],
    record,
  });
  const rows = await draftSecrets(context, record.id, secrets.record);
  const app = await insertRecord(
    context,
    "oauth_apps",
    record,
    async (tx, note) => {
      await keys.write?.(tx, note);
      await carryResources(tx, context, undefined, { ...unnamed, ...record }, note);
      for (const row of rows) note((await writeNew(tx, context, "oauth_app_secrets", row)).event);
    },
    keys.locks,
  );
  return { app, secret };
}

/**
 * A client_id in UUID form could equal the id of a user, which is a subject in tokens (RFC 9700, section
 * 4.15).
 */
function clientIdErrors(actorPermissions: EffectivePermissions, { client_id }: Input): FieldError[] {
  if (!isUuid(client_id)) return [];
  refuseAny(credentialErrors(actorPermissions, { client_id: true }));
  return actorPermissions.platform ? [] : [fieldError("/client_id", "client_id_like_id")];
}

/**
 * Changes an app; omitted fields do not change (RFC 7396). `active: false` and `revoked_at` end its tokens.
 * An app that becomes public loses its secrets. Throws 404 `not_found`, 403 `forbidden`, 422
 * `invalid_record`, 409 `conflict`.
 */
export async function updateApp(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"oauth_apps">,
): Promise<OAuthApp> {
  const keys = await missingTokenKeys(context, requested);
  return changeRecord(
    context,
    "oauth_apps",
    id,
    async (current, tx) => {
      const { errors, record } = draftAppChange(context, current, requested);
      const missing = await referenceErrors(context, tx, "oauth_apps", record);
      const held = await heldOff(context, "oauth_apps", current, requested);
      return assertValid("oauth_apps", {
        errors: [...errors, ...missing, ...keys.errors],
        record: { ...record, ...held },
      });
    },
    {
      expected,
      locks: keys.locks,
      async also(tx, current, changes, _, note) {
        await keys.write?.(tx, note);
        if (changes.metadata !== undefined || changes.resources !== undefined) {
          await carryResources(tx, context, current, { ...current, ...changes }, note);
        }
        if (changes.public !== true) return;
        for (const secret of await tx.list("oauth_app_secrets", { app_id: id })) {
          note(await writeRemoval(tx, context, "oauth_app_secrets", secret));
        }
      },
    },
  );
}

/** Revokes an app permanently and ends its tokens (spec 2.6 `revoked_at`). Throws 404 `not_found`. */
export async function revokeApp(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_apps">,
): Promise<OAuthApp> {
  return changeRecord(
    context,
    "oauth_apps",
    id,
    ({ revoked_at }) => (revoked_at === null ? { revoked_at: context.now() } : {}),
    { expected, verb: "revoked" },
  );
}

/** Deletes an app with its secrets, codes, consents and tokens. */
export async function deleteApp(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_apps">,
): Promise<void> {
  await deleteRecord(context, "oauth_apps", id, { expected, remove: (tx) => removeApps(tx, { id }) });
}
