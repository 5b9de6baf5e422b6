/**
 * Every way for a credential to create something with more permissions than itself, as data. It is tried with
 * each single write permission of a platform administrator.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { Actor, AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { type ResourceType, resourceTypes } from "../../src/records/definition/permissions.ts";
import type { Store } from "../../src/storage/store.ts";
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
import { databasesInForm } from "../support/databases.ts";
import { aMembership, type ManagementFixture, managementFixture } from "../support/management_fixture.ts";
import { testContext } from "./context.ts";
import { filled, type Placeholders, placeholdersAt } from "./placeholders.ts";

const placeholders = (fixture: ManagementFixture): Placeholders => {
  const { store, people } = fixture;
  return {
    ...placeholdersAt(fixture),
    $administrator: async () => (await aUser(store, { is_platform_admin: true })).id,
    $app: async () => (await app().make(fixture)).id,
    $account: async () => (await account().make(fixture)).id,
    $id: async () => randomUUID(),
    /** An organization with a member. */
    async $organization() {
      const [{ id: user_id }, { id: organization_id }] = [await aUser(store), await anOrganization(store)];
      await aMembership(store, { user_id, organization_id });
      return organization_id;
    },
    $provider: async () => (await aProvider(store)).slug,
    /** A slug whose linked accounts have no provider record yet. */
    async $slug() {
      const provider = `new-${randomUUID().slice(24)}`;
      await anOAuthAccount(store, { user_id: people.root.id, provider, provider_id: null });
      return provider;
    },
  };
};

/** A record that an attempt changes. */
interface Target {
  readonly type: ResourceType;
  readonly overrides?: object;
  make(fixture: ManagementFixture): Promise<{ readonly id: string }>;
}

const target =
  (
    type: ResourceType,
    build: (store: Store, overrides: never) => Promise<{ readonly id: string }>,
    usual: object = {},
  ) =>
  (overrides: object = {}): Target => ({
    type,
    overrides,
    make: async (fixture) =>
      build(fixture.store, (await filled({ ...usual, ...overrides }, placeholders(fixture))) as never),
  });

const manage = ["postern:manage"];
const key = target("api_keys", anApiKey, { user_id: "$root" });
const user = target("users", aUser);
const membership = target("memberships", aMembership, { user_id: "$user", organization_id: "$acme" });
const organization = target("organizations", anOrganization);
const app = target("apps", anApp, { allowed_scopes: ["openid", ...manage] });
const secret = target("app_secrets", aSecret, { app_id: "$app" });
const account = target("service_accounts", aServiceAccount, {
  organization_id: "$acme",
  created_by: "$owner",
  allowed_scopes: manage,
});
const pair = target("key_pairs", aKeyPair, { service_account_id: "$account" });
const provider = target("providers", aProvider);
const api = target("resources", aResource, {
  identifier: "https://$word.example/",
  who_may_ask: "listed",
  dpop_bound_access_tokens_required: true,
});
const root: Target = { type: "users", make: async ({ people }) => people.root };
const owner: Target = { type: "users", make: async ({ people }) => people.owner };

const soon = later(60);
const far = later(86_400 * 3650).toISOString();
const public_key_pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

/** The attempt would grant more than any single permission does. */
const all = ["everything"];
const nothing: readonly string[] = [];

/**
 * The permissions that an attempt would grant, its target (a record to create or to change), and the input.
 */
type Escalation = readonly [gives: readonly string[], ResourceType | Target, Input | "delete"];

const ownKey = { name: "x", user_id: "$root" };
const keyOfKeys = { scopes: ["postern:api_keys:write"] };
const widerKey = key({ scopes: manage, expires_at: soon });
const keys: readonly Escalation[] = [
  [["api_keys:write"], "api_keys", { ...ownKey, ...keyOfKeys }],
  ...["postern:manage", "postern:read", "postern:users:write"].flatMap((scope): Escalation[] => [
    [[scope], "api_keys", { ...ownKey, scopes: [scope] }],
    [[scope], key(keyOfKeys), { scopes: [...keyOfKeys.scopes, scope] }],
  ]),
  [all, "api_keys", { name: "x", organization_id: "$acme", scopes: manage }],
  [all, "api_keys", { name: "x", user_id: "$administrator", scopes: manage }],
  [all, widerKey, { expires_at: null }],
  [all, widerKey, { expires_at: far }],
  [all, widerKey, { name: "Mine" }],
  [all, key({ scopes: ["postern:apps:read"], expires_at: start }), { expires_at: far }],
  [nothing, widerKey, { expires_at: later(30).toISOString() }],
  [nothing, widerKey, { scopes: [] }],
  [nothing, widerKey, { revoked: true }],
];

const people: readonly Escalation[] = [
  ...[{ email: "$word@evil.example" }, { password: "correct horse battery" }].flatMap((change) =>
    [root, owner, user(), user({ is_platform_admin: true })].map((of): Escalation => [all, of, change]),
  ),
  [all, user(), { is_platform_admin: true }],
  [all, user({ is_platform_admin: true, active: false }), { active: true }],
  [all, "users", { name: "x", email: "$word@evil.example", is_platform_admin: true }],
  [nothing, "users", { name: "x", email: "$word@example.com" }],
  [nothing, root, { name: "$word" }],
  ...["owner", "admin", "developer", "member"].map((role): Escalation => {
    const overrides = { user_id: "$root", organization_id: "$organization", role };
    return [[`everything of a ${role}`], "memberships", overrides];
  }),
  [nothing, "memberships", { user_id: "$user", organization_id: "$acme", role: "guest" }],
  [all, membership(), { role: "owner" }],
  [all, membership(), { permissions: ["apps:write"] }],
  [all, "consents", { user_id: "$root", app_id: "$app", scopes: ["openid", ...manage] }],
  [all, "consents", { user_id: "$user", app_id: "$app", scopes: ["openid", ...manage] }],
  [
    ["consents:write"],
    "consents",
    { user_id: "$root", app_id: "$app", scopes: ["openid", "postern:consents:write"] },
  ],
  // Records with which an administrator signs in.
  [
    all,
    "linked_accounts",
    { user_id: "$root", provider: "$provider", provider_user_id: "$word", access_token: "token" },
  ],
];

const newAccount = { name: "x", email: "$word@machines.example", organization_id: "$acme" };
const machines: readonly Escalation[] = [
  [all, "service_accounts", { ...newAccount, allowed_scopes: manage }],
  [all, account({ allowed_scopes: [] }), { allowed_scopes: manage }],
  [all, account({ active: false }), { active: true }],
  [all, account(), { organization_id: "$other" }],
  [nothing, account(), { name: "x" }],
  [all, "key_pairs", { service_account_id: "$account", public_key_pem }],
  [all, pair({ active: false }), { active: true }],
  [all, pair(), { active: false, public_key_pem, algorithm: "ES256" }],
  [all, "app_secrets", { app_id: "$app" }],
  [all, secret({ expires_at: soon }), { expires_at: far }],
  [nothing, secret(), { expires_at: soon.toISOString() }],
];

const apps: readonly Escalation[] = [
  [all, "apps", { name: "x", allowed_scopes: manage, public: true }],
  [["apps:write"], "apps", { name: "x", allowed_scopes: ["postern:apps:write"], public: true }],
  [["what can be read"], app({ allowed_scopes: ["openid"] }), { allowed_scopes: ["openid", "postern:read"] }],
  [all, app(), { redirect_uris: ["https://evil.example/cb"] }],
  [all, app(), { first_party: true }],
  [all, app(), { allowed_grants: ["auth_code", "client_credentials"] }],
  [all, app(), { allowed_scopes: ["openid", ...manage, "orders:read"] }],
  [all, app(), { public: true }],
  [all, app(), { access_token_ttl: 86_400 }],
  [all, app(), { refresh_token_ttl: 86_400 * 365 }],
  [all, app(), { refresh_token_rotation: false }],
  [all, app(), { metadata: { post_logout_redirect_uris: ["https://evil.example/"] } }],
  [all, app(), { post_logout_redirect_uris: ["https://evil.example/"] }],
  [all, app(), { token_endpoint_auth_method: "client_secret_post" }],
  [all, app(), { jwks: { keys: [] } }],
  [all, app(), { jwks_uri: "https://evil.example/jwks" }],
  [all, app(), { client_assertion_audience: "issuer_or_token_endpoint" }],
  // These changes remove a value that restricts the app.
  [all, app({ require_acr: "urn:postern:acr:mfa" }), { require_acr: null }],
  [all, app({ require_pkce: true }), { require_pkce: false }],
  [all, app({ dpop_bound_access_tokens: true }), { dpop_bound_access_tokens: false }],
  [all, app({ profile: "fapi2" }), { profile: null }],
  [all, app({ active: false }), { active: true }],
  [all, app(), { owner_id: "$outsider" }],
  [all, app({ organization_id: "$acme" }), { organization_id: "$other" }],
  [nothing, app(), { name: "x", allowed_scopes: ["openid"], access_token_ttl: 60, active: false }],
];

const revoking = () => ({
  claim_names: { subject: "id" },
  revocation_endpoint: "https://$word.example/",
});
const providers: readonly Escalation[] = [
  // The provider would sign in the users of linked accounts with its slug.
  [
    all,
    "providers",
    {
      slug: "$slug",
      label: "New",
      preset: "oidc",
      issuer: "https://$word.example/",
      client_id: "c",
      client_secret: "s",
    },
  ],
  // The server would send the secret, and the tokens that the provider issued for users, to the new issuer.
  [all, provider(), { issuer: "https://$word.example/" }],
  [
    all,
    provider({
      preset: "oauth2",
      issuer: null,
      authorization_endpoint: "https://$word.example/",
      token_endpoint: "https://$word.example/",
      userinfo_endpoint: "https://$word.example/",
      settings: revoking(),
    }),
    { settings: revoking() },
  ],
  // The owner of the other client could decide which users the provider identifies.
  [all, provider(), { client_id: "$word" }],
  [all, provider({ organization_id: "$acme" }), { organization_id: null }],
  [nothing, provider(), { label: "Other" }],
];

/** Changes of the audience of tokens, and of the apps that may request them. */
const audiences: readonly Escalation[] = [
  [all, organization(), { settings: { audience: "https://$word.example/" } }],
  [
    all,
    "organizations",
    { name: "New", slug: "new-$word", settings: { audience: "https://$word.example/" } },
  ],
  [all, api(), { who_may_ask: "any" }],
  [all, api(), { dpop_bound_access_tokens_required: false }],
  [all, api(), { scopes: { "orders:read": "Harmless" } }],
  [all, api(), { active: false }],
  [all, api(), { organization_id: "$other" }],
  [all, api(), "delete"],
];

/** New records with an id or client_id that tokens already contain as their subject. */
const subjects: readonly Escalation[] = [
  [all, "users", { id: "$id", name: "x", email: "$word@evil.example" }],
  [all, "service_accounts", { ...newAccount, id: "$id" }],
  [all, "apps", { id: "$id", name: "x", client_id: "$word" }],
  [all, "organizations", { id: "$id", name: "x", slug: "$word" }],
  [all, "apps", { name: "x", client_id: "$user" }],
];

const escalations = [keys, people, machines, apps, providers, audiences, subjects].flat();

const typeOf = ([, of]: Escalation) => (typeof of === "string" ? of : of.type);
const nameOf = ([, of, input]: Escalation) => JSON.stringify([of, input]);

async function attempt([, of, input]: Escalation, context: AdminContext, fixture: ManagementFixture) {
  const resource = resourceOf(typeOf([[], of, input]));
  const id = typeof of === "string" ? "" : (await of.make(fixture)).id;
  if (input === "delete") return removeRecord(context, resource, id);
  const sent = (await filled(input, placeholders(fixture))) as Input;
  if (id === "") return createRecord(context, resource, sent);
  return updateRecord(context, resource, id, sent);
}

/** Returns the result of an attempt: `done`, `forbidden`, or another error in words. */
async function outcome(escalation: Escalation, context: AdminContext, fixture: ManagementFixture) {
  try {
    await attempt(escalation, context, fixture);
    return "done";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === "forbidden" ? "forbidden" : `${error.code} ${JSON.stringify(error.errors)}`;
  }
}

for (const database of databasesInForm)
  describe(`privilege escalation by a credential on ${database.name}`, async () => {
    const fixture = await managementFixture(await database.open());
    const base = { ...testContext(fixture.store), onInvitation() {} };
    const { root } = fixture.people;
    const credentials: Readonly<Record<string, (scopes: readonly string[]) => Actor>> = {
      "API key": (scopes) => ({ kind: "user", user: root, api_key_id: randomUUID(), scopes }),
      "access token": (scopes) => ({ kind: "user", user: root, scopes: ["openid", ...scopes] }),
    };

    for (const [credential, actorWith] of Object.entries(credentials))
      test(`G-1: an administrator's ${credential} cannot grant more than it may do itself (security findings 1, 2 and 2b)`, async () => {
        const wrong: string[] = [];
        for (const escalation of escalations)
          for (const resourceType of resourceTypes) {
            const permission = `${resourceType}:write`;
            const [gives] = escalation;
            const may =
              typeOf(escalation) === resourceType && gives.every((overrides) => overrides === permission);
            const actor = actorWith([`postern:${permission}`]);
            const came = await outcome(escalation, { ...base, actor }, fixture);
            if (came !== (may ? "done" : "forbidden"))
              wrong.push(`${permission}: ${nameOf(escalation)}: ${came}`);
          }
        assert.deepEqual(wrong, []);
      });

    test("G-1: an administrator's session may make every grant that a limited credential is refused", async () => {
      const context = { ...base, actor: fixture.actors.platform_administrator };
      for (const escalation of escalations)
        assert.equal(await outcome(escalation, context, fixture), "done", nameOf(escalation));
    });
  });
