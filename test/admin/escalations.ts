/**
 * Every way in which a credential could make something that does more than itself, as data: what the attempt
 * is made with, and what would have been given. Tests hold every single write permission of a platform
 * administrator to it.
 */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/faults.ts";
import { createRecord, removeRecord, updateRecord } from "../../src/admin/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { ResourceType } from "../../src/records/permissions.ts";
import {
  aKeyPair,
  anApiKey,
  anApp,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aResource,
  aSecret,
  aServiceAccount,
  aUser,
  later,
  start,
} from "../support/builders.ts";
import { aMembership, type ManagementWorld } from "../support/management_world.ts";

export interface Escalation {
  readonly name: string;
  /** The permission that the attempt itself takes. */
  readonly needs: `${ResourceType}:write`;
  /** What it gives, to whomever: permissions, or `everything`. */
  readonly gives: readonly string[];
  attempt(context: AdminContext, world: ManagementWorld): Promise<unknown>;
}

/**
 * Everything that a machine of an organization can do at most, or that a role carries, is more than any one
 * permission.
 */
const everything = ["everything"];

const manage = ["postern:manage"];
const distinct = () => randomUUID().slice(24);
const soon = later(60);
const far = later(86_400 * 3650).toISOString();

const make = (context: AdminContext, resourceType: ResourceType, input: Input) =>
  createRecord(context, resourceOf(resourceType), input);
const patch = (
  context: AdminContext,
  resourceType: ResourceType,
  { id }: { readonly id: string },
  input: Input,
) => updateRecord(context, resourceOf(resourceType), id, input);

const public_key_pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const rootKey = ({ store, people }: ManagementWorld, given: object) =>
  anApiKey(store, { user_id: people.root.id, ...given });
const powerfulApp = ({ store }: ManagementWorld, given: object = {}) =>
  anApp(store, { allowed_scopes: ["openid", ...manage], ...given });
const powerfulAccount = ({ store, acme, people }: ManagementWorld, given: object = {}) =>
  aServiceAccount(store, {
    organization_id: acme.id,
    created_by: people.owner.id,
    allowed_scopes: manage,
    ...given,
  });

const keys: readonly Escalation[] = [
  ...["postern:manage", "postern:read", "postern:users:write"].map(
    (scope): Escalation => ({
      name: `a new key of one's own with ${scope}`,
      needs: "api_keys:write",
      gives: [scope],
      attempt: (context, { people }) =>
        make(context, "api_keys", { name: "x", user_id: people.root.id, scopes: [scope] }),
    }),
  ),
  {
    name: "a new key of one's own that does what the credential does",
    needs: "api_keys:write",
    gives: ["api_keys:write"],
    attempt: (context, { people }) =>
      make(context, "api_keys", { name: "x", user_id: people.root.id, scopes: ["postern:api_keys:write"] }),
  },
  {
    name: "a new key of an organization with postern:manage",
    needs: "api_keys:write",
    gives: everything,
    attempt: (context, { acme }) =>
      make(context, "api_keys", { name: "x", organization_id: acme.id, scopes: manage }),
  },
  {
    name: "a new key of another administrator",
    needs: "api_keys:write",
    gives: everything,
    attempt: async (context, { store }) => {
      const { id: user_id } = await aUser(store, { is_platform_admin: true });
      return make(context, "api_keys", { name: "x", user_id, scopes: manage });
    },
  },
  ...["postern:manage", "postern:read", "postern:apps:write"].map(
    (scope): Escalation => ({
      name: `${scope} for a key that one has`,
      needs: "api_keys:write",
      gives: [scope],
      attempt: async (context, world) =>
        patch(context, "api_keys", await rootKey(world, { scopes: ["postern:api_keys:write"] }), {
          scopes: ["postern:api_keys:write", scope],
        }),
    }),
  ),
  ...([{ expires_at: null }, { expires_at: far }, { name: "Mine" }] as const).map(
    (change): Escalation => ({
      name: `${JSON.stringify(change)} for a wider key`,
      needs: "api_keys:write",
      gives: everything,
      attempt: async (context, world) =>
        patch(context, "api_keys", await rootKey(world, { scopes: manage, expires_at: soon }), change),
    }),
  ),
  {
    name: "a later end of an expired wider key",
    needs: "api_keys:write",
    gives: everything,
    attempt: async (context, world) => {
      const scopes = ["postern:apps:read"];
      return patch(context, "api_keys", await rootKey(world, { scopes, expires_at: start }), {
        expires_at: far,
      });
    },
  },
  ...([{ expires_at: later(30).toISOString() }, { scopes: [] }, { revoked: true }] as const).map(
    (change): Escalation => ({
      name: `${JSON.stringify(change)}, which ends or narrows a wider key`,
      needs: "api_keys:write",
      gives: [],
      attempt: async (context, world) =>
        patch(context, "api_keys", await rootKey(world, { scopes: manage, expires_at: soon }), change),
    }),
  ),
];

const people: readonly Escalation[] = [
  ...([{ email: true }, { password: "correct horse battery" }] as const).flatMap((change) => {
    const given = () => ("email" in change ? { email: `${distinct()}@evil.example` } : change);
    const [field] = Object.keys(change);
    const others: readonly (readonly [string, boolean])[] = [
      ["somebody", false],
      ["another administrator", true],
    ];
    return [
      {
        name: `one's own ${field}`,
        needs: "users:write",
        gives: everything,
        attempt: (context, world) => patch(context, "users", world.people.root, given()),
      },
      {
        name: `the ${field} of an owner`,
        needs: "users:write",
        gives: everything,
        attempt: (context, world) => patch(context, "users", world.people.owner, given()),
      },
      ...others.map(
        ([who, is_platform_admin]): Escalation => ({
          name: `the ${field} of ${who}`,
          needs: "users:write",
          gives: everything,
          attempt: async (context, { store }) =>
            patch(context, "users", await aUser(store, { is_platform_admin }), given()),
        }),
      ),
    ] satisfies Escalation[];
  }),
  {
    name: "an administrator made of somebody",
    needs: "users:write",
    gives: everything,
    attempt: async (context, { store }) =>
      patch(context, "users", await aUser(store), { is_platform_admin: true }),
  },
  {
    name: "a new administrator",
    needs: "users:write",
    gives: everything,
    attempt: (context) =>
      make(context, "users", { name: "x", email: `${distinct()}@evil.example`, is_platform_admin: true }),
  },
  {
    name: "an administrator who was switched off, switched on",
    needs: "users:write",
    gives: everything,
    attempt: async (context, { store }) =>
      patch(context, "users", await aUser(store, { is_platform_admin: true, active: false }), {
        active: true,
      }),
  },
  {
    name: "a new user, who may do nothing",
    needs: "users:write",
    gives: [],
    attempt: (context) => make(context, "users", { name: "x", email: `${distinct()}@example.com` }),
  },
  {
    name: "one's own name",
    needs: "users:write",
    gives: [],
    attempt: (context, world) => patch(context, "users", world.people.root, { name: distinct() }),
  },
  ...["owner", "admin", "developer", "member"].map(
    (role): Escalation => ({
      name: `a membership as ${role} for oneself`,
      needs: "memberships:write",
      gives: [`everything of a ${role}`],
      attempt: async (context, { store, people: { root } }) => {
        const organization = (await aMembership(store, { ...(await freshMembership(store)) }))
          .organization_id;
        return make(context, "memberships", { user_id: root.id, organization_id: organization, role });
      },
    }),
  ),
  ...([{ role: "owner" }, { permissions: ["apps:write"] }] as const).map(
    (change): Escalation => ({
      name: `${JSON.stringify(change)} for a membership`,
      needs: "memberships:write",
      gives: everything,
      attempt: async (context, { store, acme }) => {
        const { id: user_id } = await aUser(store);
        const row = await aMembership(store, { user_id, organization_id: acme.id });
        return patch(context, "memberships", row, change);
      },
    }),
  ),
  {
    name: "a membership whose role grants nothing",
    needs: "memberships:write",
    gives: [],
    attempt: async (context, { store, acme }) =>
      make(context, "memberships", {
        user_id: (await aUser(store)).id,
        organization_id: acme.id,
        role: "guest",
      }),
  },
  ...[false, true].map(
    (own): Escalation => ({
      name: `a consent to postern:manage in ${own ? "one's own" : "somebody else's"} name`,
      needs: "consents:write",
      gives: everything,
      attempt: async (context, world) =>
        make(context, "consents", {
          user_id: own ? world.people.root.id : (await aUser(world.store)).id,
          app_id: (await powerfulApp(world)).id,
          scopes: ["openid", ...manage],
        }),
    }),
  ),
  {
    name: "a consent to what the credential does",
    needs: "consents:write",
    gives: ["consents:write"],
    attempt: async (context, world) =>
      make(context, "consents", {
        user_id: world.people.root.id,
        app_id: (await powerfulApp(world)).id,
        scopes: ["openid", "postern:consents:write"],
      }),
  },
];

async function freshMembership(store: ManagementWorld["store"]) {
  const organization_id = store.newId(start);
  await store.insert("organizations", {
    id: organization_id,
    name: "New",
    slug: `new-${distinct()}`,
    created_at: start,
    updated_at: start,
  });
  return { user_id: (await aUser(store)).id, organization_id };
}

const machines: readonly Escalation[] = [
  {
    name: "a service account with postern:manage",
    needs: "service_accounts:write",
    gives: everything,
    attempt: (context, { acme }) =>
      make(context, "service_accounts", {
        name: "x",
        email: `${distinct()}@machines.example`,
        organization_id: acme.id,
        allowed_scopes: manage,
      }),
  },
  {
    name: "postern:manage for a service account",
    needs: "service_accounts:write",
    gives: everything,
    attempt: async (context, world) =>
      patch(context, "service_accounts", await powerfulAccount(world, { allowed_scopes: [] }), {
        allowed_scopes: manage,
      }),
  },
  {
    name: "a service account with postern:manage, switched on",
    needs: "service_accounts:write",
    gives: everything,
    attempt: async (context, world) =>
      patch(context, "service_accounts", await powerfulAccount(world, { active: false }), { active: true }),
  },
  {
    name: "a service account with postern:manage in another organization",
    needs: "service_accounts:write",
    gives: everything,
    attempt: async (context, world) =>
      patch(context, "service_accounts", await powerfulAccount(world), { organization_id: world.other.id }),
  },
  {
    name: "another name for a service account with postern:manage",
    needs: "service_accounts:write",
    gives: [],
    attempt: async (context, world) =>
      patch(context, "service_accounts", await powerfulAccount(world), { name: "x" }),
  },
  {
    name: "a key pair of a service account with postern:manage",
    needs: "key_pairs:write",
    gives: everything,
    attempt: async (context, world) =>
      make(context, "key_pairs", {
        service_account_id: (await powerfulAccount(world)).id,
        public_key_pem,
      }),
  },
  {
    name: "a key pair of a service account with postern:manage, switched on",
    needs: "key_pairs:write",
    gives: everything,
    attempt: async (context, world) => {
      const { id: service_account_id } = await powerfulAccount(world);
      const pair = await aKeyPair(world.store, { service_account_id, active: false });
      return patch(context, "key_pairs", pair, { active: true });
    },
  },
  {
    name: "another public half for a key pair of a service account with postern:manage, in the change that switches it off",
    needs: "key_pairs:write",
    gives: everything,
    attempt: async (context, world) => {
      const { id: service_account_id } = await powerfulAccount(world);
      const pair = await aKeyPair(world.store, { service_account_id });
      return patch(context, "key_pairs", pair, { active: false, public_key_pem, algorithm: "ES256" });
    },
  },
  {
    name: "a secret of an app with postern:manage",
    needs: "app_secrets:write",
    gives: everything,
    attempt: async (context, world) =>
      make(context, "app_secrets", { app_id: (await powerfulApp(world)).id }),
  },
  {
    name: "a later end of a secret of an app with postern:manage",
    needs: "app_secrets:write",
    gives: everything,
    attempt: async (context, world) => {
      const { id: app_id } = await powerfulApp(world);
      const secret = await aSecret(world.store, { app_id, expires_at: soon });
      return patch(context, "app_secrets", secret, { expires_at: far });
    },
  },
  {
    name: "an earlier end of a secret of an app with postern:manage",
    needs: "app_secrets:write",
    gives: [],
    attempt: async (context, world) => {
      const { id: app_id } = await powerfulApp(world);
      const secret = await aSecret(world.store, { app_id });
      return patch(context, "app_secrets", secret, { expires_at: soon.toISOString() });
    },
  },
];

const apps: readonly Escalation[] = [
  {
    name: "an app with postern:manage",
    needs: "apps:write",
    gives: everything,
    attempt: (context) => make(context, "apps", { name: "x", allowed_scopes: manage, public: true }),
  },
  {
    name: "an app with what the credential does",
    needs: "apps:write",
    gives: ["apps:write"],
    attempt: (context) =>
      make(context, "apps", { name: "x", allowed_scopes: ["postern:apps:write"], public: true }),
  },
  {
    name: "postern:read for an app",
    needs: "apps:write",
    gives: ["everything that can be read"],
    attempt: async (context, { store }) =>
      patch(context, "apps", await anApp(store), { allowed_scopes: ["openid", "postern:read"] }),
  },
  ...(
    [
      { redirect_uris: ["https://evil.example/cb"] },
      { first_party: true },
      { allowed_grants: ["auth_code", "client_credentials"] },
      { allowed_scopes: ["openid", ...manage, "orders:read"] },
      { public: true },
      { access_token_ttl: 86_400 },
      { refresh_token_ttl: 86_400 * 365 },
      { refresh_token_rotation: false },
      { metadata: { post_logout_redirect_uris: ["https://evil.example/"] } },
      { post_logout_redirect_uris: ["https://evil.example/"] },
      { token_endpoint_auth_method: "client_secret_post" },
      { jwks: { keys: [] } },
      { jwks_uri: "https://evil.example/jwks" },
    ] as const
  ).map(
    (change): Escalation => ({
      name: `${JSON.stringify(change)} for an app with postern:manage`,
      needs: "apps:write",
      gives: everything,
      attempt: async (context, world) => patch(context, "apps", await powerfulApp(world), change),
    }),
  ),
  {
    name: "an app with postern:manage, switched on",
    needs: "apps:write",
    gives: everything,
    attempt: async (context, world) =>
      patch(context, "apps", await powerfulApp(world, { active: false }), { active: true }),
  },
  {
    name: "an app with postern:manage for another owner",
    needs: "apps:write",
    gives: everything,
    attempt: async (context, world) =>
      patch(context, "apps", await powerfulApp(world), { owner_id: world.people.outsider.id }),
  },
  {
    name: "an app with postern:manage in another organization",
    needs: "apps:write",
    gives: everything,
    attempt: async (context, world) =>
      patch(context, "apps", await powerfulApp(world, { organization_id: world.acme.id }), {
        organization_id: world.other.id,
      }),
  },
  {
    name: "less of an app with postern:manage",
    needs: "apps:write",
    gives: [],
    attempt: async (context, world) =>
      patch(context, "apps", await powerfulApp(world), {
        name: "x",
        allowed_scopes: ["openid"],
        access_token_ttl: 60,
        active: false,
      }),
  },
];

/** What holds such an app to more than others. */
const bounds: readonly (readonly [given: object, change: Input])[] = [
  [{ require_acr: "urn:postern:acr:mfa" }, { require_acr: null }],
  [{}, { client_assertion_audience: "issuer_or_token_endpoint" }],
  [{ dpop_bound_access_tokens: true }, { dpop_bound_access_tokens: false }],
  [{ profile: "fapi2" }, { profile: null }],
];

const loosenedApps: readonly Escalation[] = bounds.map(([given, change]) => ({
  name: `an app with postern:manage, and ${JSON.stringify(change)}`,
  needs: "apps:write",
  gives: everything,
  attempt: async (context, world) => patch(context, "apps", await powerfulApp(world, given), change),
}));

const anAddress = () => `https://${distinct()}.example/`;

const linked: readonly Escalation[] = [
  {
    name: "an account elsewhere that signs an administrator in",
    needs: "linked_accounts:write",
    gives: everything,
    attempt: async (context, { store, people }) => {
      const { slug } = await aProvider(store);
      const account = { provider: slug, provider_user_id: distinct(), access_token: "token" };
      return make(context, "linked_accounts", { user_id: people.root.id, ...account });
    },
  },
];

const external: readonly Escalation[] = [
  {
    name: "a provider that gets the accounts which wait for its slug",
    needs: "providers:write",
    gives: everything,
    attempt: async (context, { store, people }) => {
      const slug = `new-${distinct()}`;
      await anOAuthAccount(store, { user_id: people.root.id, provider: slug, provider_id: null });
      const client = { preset: "oidc", issuer: anAddress(), client_id: "c", client_secret: "s" };
      return make(context, "providers", { slug, label: "New", ...client });
    },
  },
  {
    name: "another address for the secret of a provider of the server",
    needs: "providers:write",
    gives: everything,
    attempt: async (context, { store }) =>
      patch(context, "providers", await aProvider(store), { issuer: anAddress() }),
  },
  {
    name: "another client at a provider of the server, whose owner may say who its people are",
    needs: "providers:write",
    gives: everything,
    attempt: async (context, { store }) =>
      patch(context, "providers", await aProvider(store), { client_id: distinct() }),
  },
  {
    name: "another address for the tokens that a provider of the server gave for people",
    needs: "providers:write",
    gives: everything,
    attempt: async (context, { store }) => {
      const settings = () => ({ claim_names: { subject: "id" }, revocation_endpoint: anAddress() });
      const provider = await aProvider(store, {
        preset: "oauth2",
        issuer: null,
        authorization_endpoint: anAddress(),
        token_endpoint: anAddress(),
        userinfo_endpoint: anAddress(),
        settings: settings(),
      });
      return patch(context, "providers", provider, { settings: settings() });
    },
  },
  {
    name: "a provider of an organization made one of the server, whom it signs in everywhere",
    needs: "providers:write",
    gives: everything,
    attempt: async (context, { store, acme: { id: organization_id } }) =>
      patch(context, "providers", await aProvider(store, { organization_id }), { organization_id: null }),
  },
  {
    name: "another label for a provider of the server",
    needs: "providers:write",
    gives: [],
    attempt: async (context, { store }) =>
      patch(context, "providers", await aProvider(store), { label: "Other" }),
  },
];

const audiences: readonly Escalation[] = [
  {
    name: "whom an organization's tokens are for",
    needs: "organizations:write",
    gives: everything,
    attempt: async (context, { store }) =>
      patch(context, "organizations", await anOrganization(store), { settings: { audience: anAddress() } }),
  },
  {
    name: "a new organization whose tokens are for somebody",
    needs: "organizations:write",
    gives: everything,
    attempt: (context) =>
      make(context, "organizations", {
        name: "New",
        slug: `new-${distinct()}`,
        settings: { audience: anAddress() },
      }),
  },
  ...(
    [
      { who_may_ask: "any" },
      { dpop_bound_access_tokens_required: false },
      { scopes: { "orders:read": "Harmless" } },
      { active: false },
    ] as const
  ).map(
    (change): Escalation => ({
      name: `an API of the server, and ${JSON.stringify(change)}`,
      needs: "resources:write",
      gives: everything,
      attempt: async (context, { store }) => patch(context, "resources", await ofServer(store), change),
    }),
  ),
  {
    name: "an API of the server given to an organization",
    needs: "resources:write",
    gives: everything,
    attempt: async (context, { store, other }) =>
      patch(context, "resources", await ofServer(store), { organization_id: other.id }),
  },
  {
    name: "an API of the server deleted",
    needs: "resources:write",
    gives: everything,
    attempt: async (context, { store }) =>
      removeRecord(context, resourceOf("resources"), (await ofServer(store)).id),
  },
];

function ofServer(store: ManagementWorld["store"]) {
  return aResource(store, {
    identifier: anAddress(),
    who_may_ask: "listed",
    dpop_bound_access_tokens_required: true,
  });
}

/** Records that pass for others, because tokens name them by the same subject. */
const subjects: readonly Escalation[] = [
  {
    name: "a user whose id is that of a service account",
    needs: "users:write",
    gives: everything,
    attempt: async (context, world) =>
      make(context, "users", {
        id: (await powerfulAccount(world)).id,
        name: "x",
        email: `${distinct()}@evil.example`,
      }),
  },
  {
    name: "a service account whose id is that of a user",
    needs: "service_accounts:write",
    gives: everything,
    attempt: async (context, { store, acme }) =>
      make(context, "service_accounts", {
        id: (await aUser(store)).id,
        name: "x",
        email: `${distinct()}@evil.example`,
        organization_id: acme.id,
      }),
  },
  {
    name: "an app whose id is that of a user",
    needs: "apps:write",
    gives: everything,
    attempt: async (context, { store }) =>
      make(context, "apps", { id: (await aUser(store)).id, name: "x", client_id: distinct() }),
  },
  {
    name: "an organization whose id is that of a user",
    needs: "organizations:write",
    gives: everything,
    attempt: async (context, { store }) =>
      make(context, "organizations", { id: (await aUser(store)).id, name: "x", slug: distinct() }),
  },
  {
    name: "an app whose client_id is the id of a user",
    needs: "apps:write",
    gives: everything,
    attempt: async (context, { store }) =>
      make(context, "apps", { name: "x", client_id: (await aUser(store)).id }),
  },
];

export const escalations: readonly Escalation[] = [
  ...keys,
  ...people,
  ...linked,
  ...external,
  ...machines,
  ...apps,
  ...loosenedApps,
  ...audiences,
  ...subjects,
];
