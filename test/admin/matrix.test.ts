/**
 * The permission matrix, cell by cell: each actor's permissions on a record of each resource type at Acme. It
 * is written by hand and compared with the results.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import {
  createRecord,
  getRecord,
  removeRecord,
  revokeRecord,
  updateRecord,
} from "../../src/admin/manage/manage.ts";
import { type Resource, resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { type ResourceType, resourceTypes } from "../../src/records/definition/permissions.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  aDelivery,
  aGroup,
  aGroupMember,
  aKeyPair,
  anApiKey,
  anApp,
  anAppRole,
  anAttribute,
  anEndpoint,
  anOrganization,
  aProvider,
  aRefusal,
  aResource,
  aRole,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  later,
  signingKeyOf,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import {
  aLinkedAccount,
  aMembership,
  anEvent,
  type ManagementFixture,
  managementFixture,
  type Requester,
  requesters,
} from "../support/management_fixture.ts";
import { testContext } from "./context.ts";
import { filled, type Placeholders, placeholdersAt } from "./placeholders.ts";

const operations = ["list", "get", "create", "update", "remove", "revoke"] as const;
type Operation = (typeof operations)[number];

/**
 * One line for each kind of record, one word for each actor in the order of `requesters`, and one sign for
 * each operation: `+` succeeds, `.` 403 forbidden, `?` 404 not found, `0` a list without the record, `-` not
 * offered.
 *
 * The columns: platform administrator; owner, admin, developer, member, and member with
 * `service_accounts:read` at Acme; owner of another organization; the user who owns the record, whose role at
 * Acme is unknown to this server; API key of Acme; API key of the admin with scopes for apps only; service
 * account and client of Acme; client without an organization; read-only access token of the owner.
 */
const matrix = `
                            platf. owner  admin  devel. member extra  outsi. theirs orgkey narrow s.acc. client nobody reader
users                       +++++- ++...- ++...- 0?.??- 0?.??- 0?.??- 0?.??- ++.+.- ++...- .....- ++...- ++...- +++++- ++...-
organizations               +++++- ++.++- ++.+.- ++...- ++...- ++...- 0?.??- 0?.??- ++.+.- .....- ++.+.- ++.+.- +++++- ++...-
memberships                 +++++- +++++- +++++- ++...- ++...- ++...- 0????- ++?.+- ++.++- .....- ++.++- ++.++- +++++- ++...-
linked_accounts             +++++- 0????- 0????- 0????- 0????- 0????- 0????- ++.++- 0????- .....- 0????- 0????- +++++- 0?...-
api_keys_of_organization    ++++++ ++++++ ++++++ 0????? 0????? 0????? 0????? 0????? ++++++ ...... ++++++ ++++++ ++++++ ++....
api_keys_of_user            ++++++ 0????? 0????? 0????? 0????? 0????? 0????? ++++++ 0????? ...... 0????? 0????? ++++++ 0?....
apps_of_organization        ++++++ ++++++ ++++++ ++++++ ++.... ++.... 0????? 0????? ++++++ ++++++ ++++++ ++++++ ++++++ ++....
apps_of_user                ++++++ 0?.??? 0?.??? 0?.??? 0?.??? 0?.??? 0?.??? ++.+++ 0?.??? 0?.??? 0?.??? 0?.??? ++++++ 0?....
app_secrets_of_organization ++++++ ++++++ ++++++ ++++++ 0????? 0????? 0????? 0????? ++++++ ...... ++++++ ++++++ ++++++ ++....
app_secrets_of_user         ++++++ 0????? 0????? 0????? 0????? 0????? 0????? ++++++ 0????? ...... 0????? 0????? ++++++ 0?....
tokens                      ++---+ ++---+ ++---+ ++---+ 0?---? 0?---? 0?---? ++---+ ++---+ ..---. ++---+ ++---+ ++---+ ++---.
auth_codes                  ++---+ ++---+ ++---+ ++---+ 0?---? 0?---? 0?---? ++---+ ++---+ ..---. ++---+ ++---+ ++---+ ++---.
consents                    ++++++ ++?+++ ++?+++ 0????? 0????? 0????? 0????? ++.+++ ++?+++ ...... ++?+++ ++?+++ ++++++ ++....
sessions                    ++---+ 0?---? 0?---? 0?---? 0?---? 0?---? 0?---? ++---+ 0?---? ..---. 0?---? 0?---? ++---+ 0?---.
resources_of_organization   +++++- +++++- +++++- +++++- ++...- ++...- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
resources_of_server         +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
roles_of_organization       +++++- +++++- +++++- ++...- ++...- ++...- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
roles_of_server             +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
groups                      +++++- +++++- +++++- ++...- ++...- ++...- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
group_members               +++-+- +++-+- +++-+- ++.-.- ++.-.- ++.-.- 0??-?- 0??-?- +++-+- ...-.- +++-+- +++-+- +++-+- ++.-.-
app_roles_of_organization   +++++- +++++- +++++- +++++- ++...- ++...- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
app_roles_of_server         +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
providers_of_organization   +++++- +++++- +++++- 0????- 0????- 0????- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
providers_of_server         +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
attributes_of_organization  +++++- +++++- +++++- 0????- 0????- 0????- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
attributes_of_server        +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
endpoints_of_organization   +++++- +++++- +++++- 0????- 0????- 0????- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
endpoints_of_server         +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
service_accounts            +++++- +++++- +++++- +++++- 0????- ++...- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
key_pairs                   ++++++ ++++++ ++++++ ++++++ 0????? 0????? 0????? 0????? ++++++ ...... ++++++ ++++++ ++++++ ++....
signing_keys                +++-+- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- ...-.- .?.-?- .?.-?- +++-+- .?.-.-
audit_events                ++---- ++---- ++---- 0?---- 0?---- 0?---- 0?---- ++---- ++---- ..---- ++---- ++---- ++---- ++----
refusals_of_organization    ++---- ++---- ++---- ++---- 0?---- 0?---- 0?---- 0?---- ++---- ..---- ++---- ++---- ++---- ++----
refusals_of_user            ++---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- ++---- 0?---- ..---- 0?---- 0?---- ++---- 0?----
refusals_of_nobody          ++---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- ..---- 0?---- 0?---- ++---- 0?----
deliveries_of_organization  ++---- ++---- ++---- ++---- 0?---- 0?---- 0?---- 0?---- ++---- ..---- ++---- ++---- ++---- ++----
deliveries_of_server        ++---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- ..---- 0?---- 0?---- ++---- 0?----
`;

function expected(): Map<string, Record<Requester, string>> {
  const [, , ...lines] = matrix.trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [kind = "", ...cells] = line.split(/ +/);
      assert.equal(cells.length, requesters.length, kind);
      return [
        kind,
        Object.fromEntries(requesters.map((requester, index) => [requester, cells[index]])) as never,
      ];
    }),
  );
}

/**
 * A kind of record: how a record of Acme or of the subject is created, and the input that creates or changes
 * one.
 */
type Kind = readonly [
  ResourceType,
  make: (fixture: ManagementFixture, requester: Requester) => Promise<{ readonly id: string }>,
  input?: Input,
  change?: Input,
];

/** Returns a function that creates a record with these members. */
const row =
  (build: (store: Store, overrides: never) => Promise<{ readonly id: string }>, overrides: object = {}) =>
  async (fixture: ManagementFixture) =>
    build(fixture.store, (await filled(overrides, placeholders(fixture))) as never);

const placeholders = (fixture: ManagementFixture): Placeholders => ({
  ...placeholdersAt(fixture),
  $name_of_acme: () => `${fixture.acme.id}:${randomUUID().slice(24)}`,
  $its_app: () => fixture.app.id,
  $its_account: () => fixture.account.id,
  $group: async () => (await aGroup(fixture.store, { organization_id: fixture.acme.id })).id,
  $api_of_acme: async () => (await aResource(fixture.store, { organization_id: fixture.acme.id })).id,
  $api_of_server: async () => (await aResource(fixture.store)).id,
  // A new app each time, because an app can have only a few secrets, and a user can consent to an app only
  // once.
  $app: async () => (await anApp(fixture.store, { organization_id: fixture.acme.id })).id,
  $own_app: async () => (await anApp(fixture.store, { owner_id: fixture.people.guest.id })).id,
});

const public_key_pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const [ofAcme, ofGuest] = [{ organization_id: "$acme" }, { user_id: "$guest" }];
const pair = { service_account_id: "$its_account", key_type: "ec", algorithm: "ES256" };
const provider = {
  ...{ slug: "at-$word", label: "New", preset: "oidc" },
  ...{ issuer: "https://$word.example", client_id: "postern" },
};
const renamed = { name: "Changed" };
const far = { expires_at: later(86_400).toISOString() };

const kinds: Readonly<Record<string, Kind>> = {
  users: [
    "users",
    async ({ store, acme, people }, requester) => {
      if (requester === "subject") return people.guest;
      const user = await aUser(store);
      await aMembership(store, { user_id: user.id, organization_id: acme.id });
      return user;
    },
    { name: "New", email: "$word@example.com" },
    renamed,
  ],
  organizations: [
    "organizations",
    // A separate organization, which the owner owns too, because later cells need Acme.
    async ({ store, acme, people }, requester) => {
      if (requester !== "owner" && requester !== "platform_administrator" && requester !== "client_of_nobody")
        return acme;
      const organization = await anOrganization(store);
      const { id: user_id } = people.owner;
      await aMembership(store, { user_id, organization_id: organization.id, role: "owner" });
      return organization;
    },
    { name: "New", slug: "new-$word" },
    renamed,
  ],
  memberships: [
    "memberships",
    async (fixture, requester) => {
      const theirs = { user_id: "$guest", organization_id: "$organization" };
      const ids = requester === "subject" ? theirs : { user_id: "$user", organization_id: "$acme" };
      return row(aMembership, { ...ids, role: "guest" })(fixture);
    },
    { email: "$email", ...ofAcme, role: "member" },
    { role: "member" },
  ],
  linked_accounts: [
    "linked_accounts",
    async ({ store, people }) => {
      const { id } = people.guest;
      // Users cannot remove their own last sign-in method.
      await store.update("users", { id }, { password_hash: "x" });
      return aLinkedAccount(store, id);
    },
    { ...ofGuest, provider: "example", provider_user_id: "$word", access_token: "upstream" },
    { access_token: "another" },
  ],
  api_keys_of_organization: ["api_keys", row(anApiKey, ofAcme), { name: "New", ...ofAcme }, renamed],
  api_keys_of_user: ["api_keys", row(anApiKey, ofGuest), { name: "New", ...ofGuest }, renamed],
  apps_of_organization: [
    "apps",
    row(anApp, ofAcme),
    { name: "New", ...ofAcme, public: true },
    { ...renamed, redirect_uris: ["https://changed.example/cb"] },
  ],
  apps_of_user: [
    "apps",
    row(anApp, { owner_id: "$guest" }),
    { name: "New", owner_id: "$guest", public: true },
    renamed,
  ],
  app_secrets_of_organization: ["app_secrets", row(aSecret, { app_id: "$its_app" }), { app_id: "$app" }, far],
  app_secrets_of_user: ["app_secrets", row(aSecret, { app_id: "$own_app" }), { app_id: "$own_app" }, far],
  tokens: ["tokens", row(aToken, { app_id: "$its_app", ...ofGuest })],
  auth_codes: ["auth_codes", row(aCode, { app_id: "$its_app", ...ofGuest })],
  consents: [
    "consents",
    row(aConsent, { ...ofGuest, app_id: "$app", scopes: ["openid", "profile"] }),
    { ...ofGuest, app_id: "$app", scopes: ["openid"] },
    { scopes: ["openid"] },
  ],
  sessions: ["sessions", row(aSession, ofGuest)],
  resources_of_organization: [
    "resources",
    row(aResource, ofAcme),
    { name: "New", ...ofAcme, identifier: "urn:postern:organization:$name_of_acme" },
    { who_may_ask: "any" },
  ],
  resources_of_server: [
    "resources",
    row(aResource),
    { name: "New", identifier: "https://$word.example" },
    renamed,
  ],
  roles_of_organization: [
    "roles",
    row(aRole, ofAcme),
    { name: "role $word", ...ofAcme },
    { permissions: ["a"] },
  ],
  roles_of_server: ["roles", row(aRole), { name: "role $word" }, { permissions: ["a"] }],
  groups: [
    "groups",
    row(aGroup, ofAcme),
    { display_name: "group $word", ...ofAcme },
    { external_id: null, app_role_ids: [] },
  ],
  group_members: [
    "group_members",
    async ({ store, acme }) => {
      const user_id = (await aUser(store)).id;
      return aGroupMember(store, await aMembership(store, { user_id, organization_id: acme.id }));
    },
    { group_id: "$group", user_id: "$owner" },
  ],
  app_roles_of_organization: [
    "app_roles",
    async ({ store, acme }) =>
      anAppRole(store, { resource_id: (await aResource(store, { organization_id: acme.id })).id }),
    { name: "role $word", resource_id: "$api_of_acme" },
    { description: "Changed" },
  ],
  app_roles_of_server: [
    "app_roles",
    row(anAppRole),
    { name: "role $word", resource_id: "$api_of_server" },
    { description: "Changed" },
  ],
  providers_of_organization: [
    "providers",
    row(aProvider, ofAcme),
    { ...provider, ...ofAcme },
    { label: "Changed" },
  ],
  providers_of_server: ["providers", row(aProvider), provider, { label: "Changed" }],
  attributes_of_organization: [
    "attributes",
    row(anAttribute, { ...ofAcme, record_type: "memberships" }),
    { name: "a_$word", record_type: "memberships", ...ofAcme },
    { label: "Desk" },
  ],
  attributes_of_server: [
    "attributes",
    row(anAttribute),
    { name: "a_$word", record_type: "users" },
    { label: "Desk" },
  ],
  endpoints_of_organization: [
    "webhook_endpoints",
    row(anEndpoint, ofAcme),
    { url: "https://$word.example/in", ...ofAcme },
    { types: ["user.created"] },
  ],
  endpoints_of_server: [
    "webhook_endpoints",
    row(anEndpoint),
    { url: "https://$word.example/in" },
    { types: ["user.created"] },
  ],
  service_accounts: [
    "service_accounts",
    row(aServiceAccount, { ...ofAcme, created_by: "$owner" }),
    { name: "New", email: "$word@machines.example", ...ofAcme },
    renamed,
  ],
  key_pairs: ["key_pairs", row(aKeyPair, { ...pair, public_key_pem }), pair, { active: false }],
  signing_keys: [
    "signing_keys",
    async ({ store }) => {
      const key = signingKeyOf();
      await store.insert("signing_keys", key);
      return key;
    },
    {},
  ],
  audit_events: ["audit_events", row(anEvent, { actor_id: "$guest", ...ofAcme })],
  refusals_of_organization: ["refusals", row(aRefusal, { app_id: "$its_app", ...ofGuest })],
  refusals_of_user: ["refusals", row(aRefusal, { app_id: "$own_app" })],
  refusals_of_nobody: ["refusals", row(aRefusal, ofGuest)],
  deliveries_of_organization: ["deliveries", row(aDelivery, ofAcme)],
  deliveries_of_server: ["deliveries", row(aDelivery)],
};

/** Returns whether the complete list contains the record. */
async function lists(context: AdminContext, resource: Resource, id: string): Promise<boolean> {
  for (let query: Record<string, string> = { limit: "200" }; ; ) {
    const { data, next_cursor } = await listRecords(context, resource, query);
    if (data.some((record) => record.id === id)) return true;
    if (next_cursor === null) return false;
    query = { limit: "200", cursor: next_cursor };
  }
}

/** Executes the operation and returns its result as a sign of the matrix. */
async function outcome(
  context: AdminContext,
  operation: Operation,
  [resourceType, , input = {}, change = {}]: Kind,
  fixture: ManagementFixture,
  id: string,
): Promise<string> {
  const resource = resourceOf(resourceType);
  try {
    if (operation === "list") return (await lists(context, resource, id)) ? "+" : "0";
    if (operation === "get") assert.equal((await getRecord(context, resource, id)).id, id);
    if (operation === "create") {
      await createRecord(context, resource, (await filled(input, placeholders(fixture))) as Input);
    }
    if (operation === "update") await updateRecord(context, resource, id, change);
    if (operation === "remove") await removeRecord(context, resource, id);
    if (operation === "revoke") await revokeRecord(context, resource, id);
    return "+";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const signs: Record<string, string> = { forbidden: ".", not_found: "?", method_not_allowed: "-" };
    return signs[error.code] ?? `(${error.code}: ${error.message} ${JSON.stringify(error.errors)})`;
  }
}

test("the permission matrix has a row for every resource type, and every row is tested", () => {
  const covered = new Set([...expected().keys()].map((kind) => kinds[kind]?.[0]));
  // Events are read as a feed, not as single records. EV-3 and the probe of every operation test who may read
  // them.
  assert.deepEqual(covered, new Set(resourceTypes.filter((type) => type !== "events")));
  assert.deepEqual([...expected().keys()], Object.keys(kinds));
});

for (const database of databasesInForm) {
  describe(`the permission matrix on ${database.name}`, async () => {
    const fixture = await managementFixture(await database.open());
    const base = {
      ...testContext(fixture.store),
      switches: { extra_features: ["events" as const] },
      onInvitation() {},
    };
    const as = (requester: Requester): AdminContext => ({ ...base, actor: fixture.actors[requester] });

    for (const [name, cells] of expected()) {
      const kind = kinds[name] as Kind;
      const [resourceType, make] = kind;

      test(`${name}: each caller has exactly the permissions in the table`, async () => {
        const { table } = resourceOf(resourceType);
        // All requesters use one record until one of them changes it, because its creator does not matter.
        const shared = await make(fixture, name === "users" ? "subject" : "member");
        const before = await fixture.store.find(table, { id: shared.id });
        const found: Record<string, string> = {};
        for (const requester of requesters) {
          const own =
            name === "memberships" && requester === "subject" ? await make(fixture, requester) : shared;
          let row = "";
          for (const [index, operation] of operations.entries()) {
            const changes = index > 2 && cells[requester][index] === "+";
            const { id } = changes ? await make(fixture, requester) : own;
            row += await outcome(as(requester), operation, kind, fixture, id);
          }
          found[requester] = row;
        }
        assert.deepEqual(found, cells);
        // For these resource types, permitted callers have changed the shared record itself.
        if (["users", "organizations", "signing_keys"].includes(name)) return;
        assert.deepEqual(await fixture.store.find(table, { id: shared.id }), before);
      });
    }

    test("an app cannot take another app's id as its client_id, and requests by id or client_id reach the right app", async () => {
      const { store, acme, other, people } = fixture;
      const apps = resourceOf("apps");
      const victim = await anApp(store, { organization_id: acme.id, client_id: randomUUID() });
      const requested = { name: "Decoy", organization_id: other.id, public: true };
      await assert.rejects(createRecord(as("outsider"), apps, { ...requested, client_id: victim.id }));
      const shadow = { organization_id: other.id, owner_id: people.outsider.id };
      const decoy = await anApp(store, { ...shadow, client_id: victim.id });
      const mask = await anApp(store, { ...shadow, id: victim.client_id });
      await updateRecord(as("owner"), apps, victim.id, { name: "Mine" });
      await updateRecord(as("outsider"), apps, mask.id, { name: "Theirs" });
      await revokeRecord(as("outsider"), apps, mask.id);
      await removeRecord(as("outsider"), apps, mask.id);
      const standing = [victim, decoy, mask].map(({ id }) => store.find("oauth_apps", { id }));
      assert.deepEqual(
        (await Promise.all(standing)).map((app) => app && [app.name, app.revoked_at]),
        [["Mine", null], ["Orders", null], undefined],
      );
    });
  });
}
