/**
 * The attempts on a record of each resource type, and the actors to which docs/permissions.md allows them.
 */
import {
  type Caller,
  carriedBy,
  type Fate,
  holds,
  holdsByRole,
  isAbove,
  isUnlimited,
  lets,
  mayGiveEverywhere,
  mayGiveIn,
  mayGiveTo,
  mayMakeRole,
  type Place,
  type Word,
} from "./permission_model.ts";

/** The properties of a record that matter for permissions, in addition to its owner. */
export interface Facts {
  /** The user that the record is or belongs to. */
  readonly person?: string | undefined;
  readonly organization?: string | undefined;
  readonly role?: string;
  /** The scopes of a key or service account, or the allowed scopes of an app. */
  readonly scopes?: readonly string[];
  readonly first_party?: boolean;
  readonly auth_code?: boolean;
  /** Whether a platform administrator deactivated the record. */
  readonly off?: boolean;
  /** Whether a platform administrator allows it to reach private addresses. */
  readonly internal?: boolean;
  /** The permissions of a key's owner. */
  readonly permissions?: ReadonlySet<Word>;
}

export interface Target {
  readonly resourceType: string;
  readonly name: string;
  readonly place: Place;
  readonly facts: Facts;
}

export interface Attack {
  readonly name: string;
  readonly method: "PATCH" | "DELETE" | "revoke";
  readonly body?: (ids: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>>;
  /** Returns whether the attempt succeeds for a caller who has the write permission for this record. */
  allowed(caller: Caller, target: Target): boolean;
  /** The result if it does not succeed; `forbidden` by default. */
  readonly otherwise?: Fate;
  /** Returns whether the result is not asserted, because a rule other than permissions decides it. */
  skip?(caller: Caller, target: Target): boolean;
}

const always = () => true;
const platform = ({ platform }: Caller) => platform;
const unlimitedPlatform = (caller: Caller) => caller.platform && isUnlimited(caller);
/** An endpoint sends only events that the caller who saves it may read. */
const readsFeed = (caller: Caller, { place }: Target) => holds(caller, "events:read", place);
const isSelf = ({ user }: Caller, { facts }: Target) => user !== undefined && user === facts.person;

const patch = (
  name: string,
  body: object,
  allowed: Attack["allowed"],
  more: Partial<Attack> = {},
): Attack => ({
  name,
  method: "PATCH",
  body: () => body as Readonly<Record<string, unknown>>,
  allowed,
  ...more,
});
const remove = (allowed: Attack["allowed"] = always): Attack => ({
  name: "delete",
  method: "DELETE",
  allowed,
});
const revoke: Attack = { name: "revoke", method: "revoke", allowed: always };

/**
 * Scopes that are effective beyond an organization. Granting them takes a platform administrator's
 * unrestricted credential.
 */
const isServerWide = (scope: string) => ["ssf.manage", "ssf.read", "token:introspect"].includes(scope);

/**
 * Returns whether the caller may grant the permissions in the app's management scopes: in the app's
 * organization and, if the app can act anywhere, also everywhere.
 */
function mayArm(caller: Caller, { facts }: Target): boolean {
  const words = carriedBy(facts.scopes ?? []);
  if (facts.scopes?.some(isServerWide) && !unlimitedPlatform(caller)) return false;
  const inOrganization = facts.organization === undefined || mayGiveIn(caller, facts.organization, words);
  const isEverywhere = facts.auth_code === true || facts.organization === undefined;
  return inOrganization && (!isEverywhere || mayGiveEverywhere(caller, words));
}

/**
 * Only a platform administrator with an unrestricted credential may change the redirect URIs of a first-party
 * app.
 */
const mayRedirect = (caller: Caller, target: Target) =>
  mayArm(caller, target) && (unlimitedPlatform(caller) || target.facts.first_party !== true);

/**
 * Returns whether the caller may grant these scopes to the owner of a key. The owner's own permissions limit
 * their effect.
 */
function mayWiden(caller: Caller, { facts }: Target, scopes: readonly string[]): boolean {
  const { organization, person = "", permissions } = facts;
  if (scopes.some(isServerWide) && !unlimitedPlatform(caller)) return false;
  const words = [...carriedBy(scopes)].filter((word) => permissions?.has(word));
  return organization !== undefined
    ? mayGiveIn(caller, organization, words)
    : mayGiveTo(caller, person, words);
}

/**
 * Returns whether the caller may add these scopes. Platform administrators may add any scope that has an
 * effect; other callers only those whose permissions the owner has completely.
 */
function mayAdd(caller: Caller, target: Target, scopes: readonly string[]): boolean {
  const isWhole = [...carriedBy(scopes)].every((word) => target.facts.permissions?.has(word));
  return (caller.platform || isWhole) && mayWiden(caller, target, scopes);
}

const isWider = (caller: Caller, target: Target) => !mayWiden(caller, target, target.facts.scopes ?? []);

/** Returns whether the caller's role may change the membership. Other users may only end their own. */
const ranksAsHigh = (caller: Caller, { facts, place }: Target) =>
  holdsByRole(caller, "memberships:write", place) &&
  (caller.platform || !isAbove(facts.role ?? "", caller.roles[facts.organization ?? ""]));

/** Only platform administrators reactivate or delete records that the platform deactivated. */
const stays = ({ platform }: Caller, { facts }: Target) => platform || facts.off !== true;
const isOn = (_: Caller, { facts }: Target) => facts.off !== true;

export const attacks: Readonly<Record<string, readonly Attack[]>> = {
  users: [
    patch("name", { name: "Changed" }, always),
    patch("e-mail", { email: "taken.over@evil.example" }, unlimitedPlatform, {
      body: ({ word }) => ({ email: `taken-${word}@evil.example` }),
      // Administrators who change their own email address must also enter their password.
      skip: (caller, target) => isSelf(caller, target) && caller.platform,
    }),
    patch("administrator", { is_platform_admin: true }, unlimitedPlatform, {
      skip: (_, { name }) => name === "root",
    }),
    patch("switch off", { active: false }, (caller, target) => caller.platform && !isSelf(caller, target), {
      skip: (_, { name }) => name === "root",
    }),
    remove((caller, target) => caller.platform && !isSelf(caller, target)),
  ],
  organizations: [
    patch("name", { name: "Changed" }, always),
    patch("plan", { plan: "enterprise" }, platform),
    patch("switch off", { active: false }, platform),
    // A restricted key cannot set an audience that other resource servers may trust.
    patch("audience", { settings: { audience: "https://audience.example" } }, unlimitedPlatform),
    remove((caller, { facts }) => caller.platform || caller.roles[facts.organization ?? ""] === "owner"),
  ],
  memberships: [
    patch("role of no meaning", { role: "visitor" }, ranksAsHigh),
    ...["member", "developer", "admin", "owner"].map((role) =>
      patch(
        `make ${role}`,
        { role },
        (caller, target) =>
          ranksAsHigh(caller, target) &&
          mayMakeRole(caller, target.facts.organization ?? "", role, target.facts.role),
        // The value is already set, so nothing would change.
        { skip: (_, { facts }) => facts.role === role },
      ),
    ),
    patch("permission", { permissions: ["sessions:write"] }, (caller, target) =>
      ranksAsHigh(caller, target)
        ? mayGiveIn(caller, target.facts.organization ?? "", ["sessions:write"])
        : false,
    ),
    remove((caller, target) => ranksAsHigh(caller, target) || isSelf(caller, target)),
  ],
  linked_accounts: [patch("token", { access_token: "another" }, always), remove()],
  api_keys: [
    patch("name", { name: "Changed" }, (caller, target) => !isWider(caller, target)),
    patch("no scopes", { scopes: [] }, always),
    patch("everything", { scopes: ["postern:manage"] }, (caller, target) =>
      target.facts.scopes?.includes("postern:manage") === true
        ? true
        : mayAdd(caller, target, ["postern:manage"]),
    ),
    patch("earlier end", { expires_at: "2030-01-01T00:00:01Z" }, always),
    remove(),
    revoke,
  ],
  apps: [
    patch("name", { name: "Changed" }, always),
    patch("redirect URI", { redirect_uris: ["https://evil.example/cb"] }, mayRedirect),
    patch(
      "first party",
      { first_party: true },
      (caller, target) => unlimitedPlatform(caller) && mayArm(caller, target),
      { skip: (_, { facts }) => facts.first_party === true },
    ),
    patch(
      "management scope",
      {},
      (caller, target) => mayRedirect(caller, target) && mayGiveEverywhere(caller, ["users:write"]),
      {
        body: () => ({ allowed_scopes: ["openid", "postern:users:write"] }),
        skip: (_, { facts }) => facts.scopes?.some((scope) => scope.startsWith("postern:")) === true,
      },
    ),
    patch(
      "introspection",
      { allowed_scopes: ["openid", "token:introspect"] },
      (caller, target) => mayArm(caller, target) && unlimitedPlatform(caller),
    ),
    patch("resource", {}, (caller, target) => unlimitedPlatform(caller) && mayArm(caller, target), {
      body: ({ word }) => ({ metadata: { resource: `https://${word}.example` } }),
    }),
    patch("owner", {}, (caller, target) => caller.platform && mayRedirect(caller, target), {
      body: ({ root = "" }) => ({ owner_id: root }),
      skip: (_, { name }) => name === "root's",
    }),
    patch("move", {}, (caller, target) => mayMove(caller, target), {
      body: ({ rival = "" }) => ({ organization_id: rival }),
      skip: (_, { facts }) => facts.organization === "rival",
    }),
    patch("longer lifetime", { access_token_ttl: 86_400 }, mayRedirect),
    patch("switch off", { active: false }, always),
    patch(
      "switch on",
      { active: true },
      (caller, target) => stays(caller, target) && mayArm(caller, target),
      { skip: isOn },
    ),
    remove(stays),
    revoke,
  ],
  app_secrets: [
    patch("earlier end", { expires_at: "2030-01-01T00:00:01Z" }, always),
    patch("no end", { expires_at: null }, mayRedirect),
    remove(),
    revoke,
  ],
  tokens: [revoke],
  auth_codes: [revoke],
  consents: [
    patch("narrower", { scopes: ["openid"] }, always),
    patch("wider", { scopes: ["openid", "profile", "orders:read"] }, () => false, { otherwise: "invalid" }),
    remove(),
    revoke,
  ],
  sessions: [revoke],
  service_accounts: [
    patch("name", { name: "Changed" }, always),
    patch("scope", { allowed_scopes: ["postern:apps:write"] }, (caller, { facts }) =>
      mayGiveIn(caller, facts.organization ?? "", ["apps:write"]),
    ),
    patch("everything", { allowed_scopes: ["postern:manage"] }, unlimitedPlatform),
    patch("switch on", { active: true }, stays, { skip: isOn }),
    patch("e-mail", {}, stays, { body: ({ word }) => ({ email: `${word}@machines.example` }) }),
    remove(stays),
  ],
  resources: [
    patch("name", { name: "Changed" }, always),
    patch("for every client", { who_may_ask: "any" }, always),
    patch("to the server", { organization_id: null }, unlimitedPlatform),
    remove(),
  ],
  roles: [
    patch("name", {}, always, { body: ({ word }) => ({ name: `role ${word}` }) }),
    patch("permissions", { permissions: ["invoices:pay"] }, always),
    patch("to another organization", {}, () => false, {
      body: ({ rival = "" }) => ({ organization_id: rival }),
      otherwise: "invalid",
      skip: (_, { name }) => name === "of rival",
    }),
    remove(),
  ],
  groups: [
    patch("name", {}, always, { body: ({ word }) => ({ display_name: `group ${word}` }) }),
    patch("a role that does not exist", { role_ids: ["00000000-0000-7000-8000-000000000000"] }, () => false, {
      otherwise: "invalid",
    }),
    remove(),
  ],
  group_members: [remove()],
  app_roles: [
    patch("description", { description: "Changed" }, always),
    patch("a scope that the API lacks", { scopes: ["users:write"] }, () => false, { otherwise: "invalid" }),
    remove(),
  ],
  attributes: [patch("label", { label: "Changed" }, always), remove()],
  providers: [
    patch("label", { label: "Changed" }, always),
    patch(
      "another issuer",
      {},
      (caller, { facts }) => facts.organization !== undefined || unlimitedPlatform(caller),
      { body: ({ word }) => ({ issuer: `https://${word}.example` }) },
    ),
    patch(
      "believed for its domains",
      { email_trust: "domains", email_domains: ["acme.example"] },
      unlimitedPlatform,
    ),
    patch("believed by its own word", { email_trust: "claim" }, unlimitedPlatform),
    patch("accounts for anybody", { sign_up: "anyone" }, unlimitedPlatform),
    patch("accounts for the invited", { sign_up: "invited" }, always),
    patch("links by itself", { link: "automatic" }, unlimitedPlatform),
    patch("believed about second factors", { trust_amr: true }, unlimitedPlatform),
    patch("at private addresses", { internal: true }, unlimitedPlatform),
    patch(
      "believed about attributes",
      { attribute_claims: {} },
      (caller, { facts: { organization }, place }) =>
        organization === undefined ? unlimitedPlatform(caller) : holds(caller, "memberships:write", place),
    ),
    patch("switch on", { active: true }, stays, { skip: isOn }),
    patch("to the server", { organization_id: null }, unlimitedPlatform),
    remove(stays),
  ],
  key_pairs: [patch("switch off", { active: false }, always), remove(), revoke],
  signing_keys: [remove()],
  audit_events: [],
  refusals: [],
  deliveries: [],
  events: [],
  webhook_endpoints: [
    patch("types", { types: ["user.created"] }, readsFeed),
    patch(
      "address",
      { url: "https://moved.example/in" },
      (caller, target) => readsFeed(caller, target) && (!target.facts.internal || unlimitedPlatform(caller)),
    ),
    patch(
      "to private addresses",
      { internal: true },
      (caller, target) => readsFeed(caller, target) && unlimitedPlatform(caller),
      {
        skip: (_, { facts }) => facts.internal === true,
      },
    ),
    patch("switch off", { active: false }, always),
    remove(),
  ],
};

/**
 * An app is moved by an owner or admin of both organizations, or by a platform administrator, who must also
 * be allowed to create it in the new one.
 */
function mayMove(caller: Caller, target: Target): boolean {
  const { organization, first_party, scopes = [] } = target.facts;
  if (!mayArm(caller, target)) return false;
  if (caller.platform)
    return mayGiveEverywhere(caller, carriedBy(scopes)) && (!first_party || unlimitedPlatform(caller));
  // For an app without an organization, the permission of its owner suffices.
  const isAdmin = (of: string | undefined) => of === undefined || !isAbove("admin", caller.roles[of]);
  const hasReserved = scopes.some((scope) => scope.startsWith("postern:") || isServerWide(scope));
  return (
    isAdmin(organization) && isAdmin("rival") && lets(caller, "apps:write") && !first_party && !hasReserved
  );
}
