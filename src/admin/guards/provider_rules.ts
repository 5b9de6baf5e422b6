/**
 * Rules for external identity providers (EP-1). A provider decides which user is signed in, so its settings
 * are guarded like access to the accounts of users.
 */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { presetOf } from "../../providers/presets/all_presets.ts";
import { isBuiltInSlug } from "../../providers/presets/preset_errors.ts";
import { type ProviderDraft, wholeDraft } from "../../providers/presets/provider_draft.ts";
import { addressFields, hasOwnAddress, originOf } from "../../providers/presets/provider_origin.ts";
import type { Provider } from "../../records/definition/definition.ts";
import { attributesOfProvider } from "../../records/rules/provided_attributes.ts";
import { hasPermission } from "../access/access.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { mayVouch } from "../access/giving.ts";
import { definitionsLock } from "./attribute_rules.ts";
import {
  type Change,
  credentialErrors,
  type Rules,
  refuseAny,
  refuseInvalid,
  requireSwitch,
  requireSwitchStays,
  vouchingErrors,
} from "./rules.ts";

type Whole = ProviderDraft & Pick<Provider, "link" | "organization_id" | "attribute_claims" | "internal">;

/**
 * Returns, for each sensitive setting, whether its value lets the provider affect users whom its owner does
 * not manage, or cause requests to private networks.
 */
function believed(provider: Whole): Readonly<Record<string, boolean>> {
  const { email_trust, sign_up, link, trust_amr, attribute_claims, organization_id, internal } = provider;
  return {
    email_trust: email_trust === "domains" || (email_trust === "claim" && hasOwnAddress(provider)),
    sign_up: sign_up === "domains" || sign_up === "anyone",
    link: link === "automatic",
    trust_amr,
    attribute_claims: attribute_claims !== null && organization_id === null,
    internal,
  };
}

/**
 * Returns whether only a platform administrator may give this setting of an organization's provider the value.
 * URLs that the preset needs count as given.
 */
export function isReservedSetting(
  name: string,
  value: unknown,
  record: Partial<Whole> & Pick<Provider, "preset">,
): boolean {
  const { needs } = presetOf(record);
  const provider: Whole = {
    link: "ask",
    organization_id: "",
    attribute_claims: null,
    internal: false,
    ...wholeDraft({
      ...(needs.includes("issuer") && { issuer: "" }),
      ...(needs.includes("endpoints") && { authorization_endpoint: "" }),
      ...record,
    }),
    [name]: value,
  };
  return believed(provider)[name] === true;
}

/**
 * The provider's claims set attributes of the organization's memberships, so the actor must be allowed to
 * write these attributes.
 */
function writingErrors(
  actorPermissions: EffectivePermissions,
  { attribute_claims, organization_id }: Whole,
): FieldError[] {
  if (attribute_claims === null || organization_id === null) return [];
  const owner = { user_id: null, organization_ids: [organization_id] };
  if (hasPermission(actorPermissions, "memberships:write", owner)) return [];
  return [fieldError("/attribute_claims", "role_beyond", { permissions: ["memberships:write"] })];
}

/**
 * `client_id` is included because at some providers the owner of a client decides who may sign in with it.
 */
const reaching = [...addressFields, "client_id"] as const satisfies readonly (keyof Provider)[];

const deciding = [
  ...reaching,
  "settings",
  "email_domains",
  "allowed_tenants",
] as const satisfies readonly (keyof Provider)[];

/**
 * For a platform administrator with a restricted credential, returns errors for changes that could redirect
 * sign-ins to another provider.
 */
function vouchedErrors(
  actorPermissions: EffectivePermissions,
  current: Provider,
  changes: Partial<Provider>,
): FieldError[] {
  const { settings = current.settings } = changes;
  const isRevokedElsewhere = settings.revocation_endpoint !== current.settings.revocation_endpoint;
  const changed = [
    ...(changes.organization_id === undefined ? [] : ["organization_id"]),
    ...(current.organization_id === null ? reaching.filter((name) => changes[name] !== undefined) : []),
    ...(current.organization_id === null && isRevokedElsewhere ? ["settings/revocation_endpoint"] : []),
  ];
  return credentialErrors(actorPermissions, Object.fromEntries(changed.map((name) => [name, true])));
}

/**
 * The server sends requests to the URLs of its own providers even in private networks, so an unrestricted
 * credential is required.
 */
function addressErrors(actorPermissions: EffectivePermissions, provider: Whole): FieldError[] {
  if (provider.organization_id !== null || !hasOwnAddress(provider)) return [];
  const own = addressFields.filter((name) => name !== "preset" && provider[name] != null);
  return credentialErrors(actorPermissions, Object.fromEntries(own.map((name) => [name, true])));
}

/**
 * Only an unrestricted platform administrator may take a slug that linked accounts wait for, because the
 * provider would sign these accounts in.
 */
async function slugErrors({ tx, actorPermissions }: Change, after: Whole): Promise<FieldError[]> {
  if (after.organization_id !== null && isBuiltInSlug(after.slug) && !actorPermissions.platform) {
    return [fieldError("/slug", "reserved_slug")];
  }
  if (mayVouch(actorPermissions)) return [];
  const retired = await tx.find("retired_providers", { slug: after.slug });
  const isOther = retired !== undefined && retired.endpoint !== originOf(after);
  if (isOther) return [fieldError("/slug", "retired_slug")];
  // An administrator may create linked accounts for a slug before its provider exists.
  const awaiting = await tx.list("oauth_accounts", { provider: after.slug, provider_id: null }, { limit: 1 });
  if (awaiting.length === 0) return [];
  return [fieldError("/slug", after.organization_id === null ? "full_credential_only" : "reserved_slug")];
}

/**
 * A provider of the server writes attributes of users, and an organization's provider writes attributes of
 * the organization's memberships (OC-7). The attribute must have no other writer, because its values would
 * then have two sources.
 */
async function attributeErrors({ tx }: Change, provider: Whole): Promise<FieldError[]> {
  const { attribute_claims, organization_id } = provider;
  if (attribute_claims === null || Object.keys(attribute_claims).length === 0) return [];
  await tx.lock(definitionsLock());
  const owners = new Set([null, organization_id]);
  const definitions = await Promise.all(
    [...owners].map((owner) => tx.list("attribute_definitions", { organization_id: owner })),
  );
  const names = attributesOfProvider(provider, definitions.flat()).map(({ name }) => name);
  return Object.keys(attribute_claims)
    .filter((name) => !names.includes(name))
    .map((name) => fieldError(`/attribute_claims/${name}`, "no_provided_attribute", { names }));
}

export const providerRules: Rules<"providers"> = {
  platform: { kept: ["organization_id"] },

  async onNew(change, record) {
    const after: Whole = {
      link: "ask",
      organization_id: null,
      attribute_claims: null,
      internal: false,
      ...wholeDraft(record),
    };
    refuseAny([
      ...change.errors,
      ...vouchingErrors(change.actorPermissions, believed(after)),
      ...addressErrors(change.actorPermissions, after),
      ...writingErrors(change.actorPermissions, after),
      ...(await slugErrors(change, after)),
    ]);
    refuseInvalid("providers", await attributeErrors(change, after));
  },

  async onChange(change, current, changes) {
    const { actorPermissions, errors } = change;
    requireSwitch(actorPermissions, current, changes);
    const after = { ...current, ...changes };
    const isMoved = deciding.some((name) => changes[name] !== undefined);
    const input = Object.entries(believed(after)).map(([name, is]) => {
      const isNew = changes[name as keyof Provider] !== undefined;
      return [name, is && (isNew || isMoved)] as const;
    });
    refuseAny([
      ...errors,
      ...vouchingErrors(actorPermissions, Object.fromEntries(input)),
      ...vouchedErrors(actorPermissions, current, changes),
      ...(isMoved || changes.attribute_claims !== undefined ? writingErrors(actorPermissions, after) : []),
      ...(changes.slug === undefined ? [] : await slugErrors(change, after)),
    ]);
    if (changes.attribute_claims !== undefined || changes.organization_id !== undefined)
      refuseInvalid("providers", await attributeErrors(change, after));
  },

  onRemoval: ({ actorPermissions }, current) => requireSwitchStays(actorPermissions, current),
};
