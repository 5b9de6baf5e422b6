/**
 * The permission matrix, cell by cell: what everybody may do with a record of each family at Acme. It is
 * written out here by hand and compared with what happens.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/faults.ts";
import { listRecords } from "../../src/admin/list_records.ts";
import { createRecord, getRecord, removeRecord, revokeRecord, updateRecord } from "../../src/admin/manage.ts";
import { type Resource, resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { type ResourceType, resourceTypes } from "../../src/records/permissions.ts";
import {
  aCode,
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  anOrganization,
  aProvider,
  aRefusal,
  aResource,
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
  type Asker,
  aLinkedAccount,
  aMembership,
  anEvent,
  askers,
  type ManagementWorld,
  managementWorld,
} from "../support/management_world.ts";
import { testContext } from "./context.ts";

const operations = ["list", "get", "create", "update", "remove", "revoke"] as const;
type Operation = (typeof operations)[number];

/**
 * One line for each kind of record, one word for each asker in the order of `askers`, one sign for each
 * operation: `+` it happens, `.` 403 forbidden, `?` 404 not found, `0` a list without it, `-` nobody can do
 * this.
 *
 * The columns: platform administrator; owner, admin, developer, member and member with
 * `service_accounts:read` at Acme; owner of another organization; the user whose thing it is, whose role at
 * Acme is unknown to this server; API key of Acme; API key of the admin for apps alone; service account, and
 * client, of Acme; client of no organization; access token of the owner for reading alone.
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
providers_of_organization   +++++- +++++- +++++- 0????- 0????- 0????- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
providers_of_server         +++++- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- 0?.??- .....- 0?.??- 0?.??- +++++- 0?...-
service_accounts            +++++- +++++- +++++- +++++- 0????- ++...- 0????- 0????- +++++- .....- +++++- +++++- +++++- ++...-
key_pairs                   ++++++ ++++++ ++++++ ++++++ 0????? 0????? 0????? 0????? ++++++ ...... ++++++ ++++++ ++++++ ++....
signing_keys                +++-+- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- .?.-?- ...-.- .?.-?- .?.-?- +++-+- .?.-.-
audit_events                ++---- ++---- ++---- 0?---- 0?---- 0?---- 0?---- ++---- ++---- ..---- ++---- ++---- ++---- ++----
refusals_of_organization    ++---- ++---- ++---- ++---- 0?---- 0?---- 0?---- 0?---- ++---- ..---- ++---- ++---- ++---- ++----
refusals_of_user            ++---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- ++---- 0?---- ..---- 0?---- 0?---- ++---- 0?----
refusals_of_nobody          ++---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- 0?---- ..---- 0?---- 0?---- ++---- 0?----
`;

function expected(): Map<string, Record<Asker, string>> {
  const [, , ...lines] = matrix.trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [kind = "", ...cells] = line.split(/ +/);
      assert.equal(cells.length, askers.length, kind);
      return [kind, Object.fromEntries(askers.map((asker, index) => [asker, cells[index]])) as never];
    }),
  );
}

/** A kind of record: how one comes to be at Acme, and what is sent to make or change one. */
interface Kind {
  readonly resourceType: ResourceType;
  /** A record of the subject's or of Acme's, for this asker to end or to change. */
  make(world: ManagementWorld, asker: Asker): Promise<{ readonly id: string }>;
  input?(world: ManagementWorld): Input | Promise<Input>;
  readonly change?: Input;
}

const distinct = () => randomUUID().slice(24);

const newProvider = () => {
  const slug = `at-${distinct()}`;
  return { slug, label: "New", preset: "oidc", issuer: `https://${slug}.example`, client_id: "postern" };
};

const public_key_pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const kinds: Readonly<Record<string, Kind>> = {
  users: {
    resourceType: "users",
    async make({ store, acme, people }, asker) {
      if (asker === "subject") return people.guest;
      const user = await aUser(store);
      await aMembership(store, { user_id: user.id, organization_id: acme.id });
      return user;
    },
    input: () => ({ name: "New", email: `${distinct()}@example.com` }),
    change: { name: "Changed" },
  },
  organizations: {
    resourceType: "organizations",
    // Acme itself is needed until the end; the owner owns this one too.
    async make({ store, acme, people }, asker) {
      if (asker !== "owner" && asker !== "platform_administrator" && asker !== "client_of_nobody")
        return acme;
      const organization = await anOrganization(store);
      const { id: user_id } = people.owner;
      await aMembership(store, { user_id, organization_id: organization.id, role: "owner" });
      return organization;
    },
    input: () => ({ name: "New", slug: `new-${distinct()}` }),
    change: { name: "Changed" },
  },
  memberships: {
    resourceType: "memberships",
    async make({ store, acme, people }, asker) {
      const isSubject = asker === "subject";
      return aMembership(store, {
        user_id: isSubject ? people.guest.id : (await aUser(store)).id,
        organization_id: isSubject ? (await anOrganization(store)).id : acme.id,
        role: "guest",
      });
    },
    input: async ({ store, acme }) => ({
      email: (await aUser(store)).email,
      organization_id: acme.id,
      role: "member",
    }),
    change: { role: "member" },
  },
  linked_accounts: {
    resourceType: "linked_accounts",
    async make({ store, people }) {
      const { id } = people.guest;
      // Nobody removes their own last way in.
      await store.update("users", { id }, { password_hash: "x" });
      return aLinkedAccount(store, id);
    },
    input: ({ people }) => ({
      user_id: people.guest.id,
      provider: "example",
      provider_user_id: randomUUID(),
      access_token: "upstream",
    }),
    change: { access_token: "another" },
  },
  api_keys_of_organization: {
    resourceType: "api_keys",
    make: ({ store, acme }) => anApiKey(store, { organization_id: acme.id }),
    input: ({ acme }) => ({ name: "New", organization_id: acme.id }),
    change: { name: "Changed" },
  },
  api_keys_of_user: {
    resourceType: "api_keys",
    make: ({ store, people }) => anApiKey(store, { user_id: people.guest.id }),
    input: ({ people }) => ({ name: "New", user_id: people.guest.id }),
    change: { name: "Changed" },
  },
  apps_of_organization: {
    resourceType: "apps",
    make: ({ store, acme }) => anApp(store, { organization_id: acme.id }),
    input: ({ acme }) => ({ name: "New", organization_id: acme.id, public: true }),
    change: { name: "Changed", redirect_uris: ["https://changed.example/cb"] },
  },
  apps_of_user: {
    resourceType: "apps",
    make: ({ store, people }) => anApp(store, { owner_id: people.guest.id }),
    input: ({ people }) => ({ name: "New", owner_id: people.guest.id, public: true }),
    change: { name: "Changed" },
  },
  app_secrets_of_organization: {
    resourceType: "app_secrets",
    make: ({ store, app }) => aSecret(store, { app_id: app.id }),
    // One app has few secrets.
    input: async ({ store, acme }) => ({ app_id: (await anApp(store, { organization_id: acme.id })).id }),
    change: { expires_at: later(86_400).toISOString() },
  },
  app_secrets_of_user: {
    resourceType: "app_secrets",
    make: async ({ store, people }) =>
      aSecret(store, { app_id: (await anApp(store, { owner_id: people.guest.id })).id }),
    input: async ({ store, people }) => ({ app_id: (await anApp(store, { owner_id: people.guest.id })).id }),
    change: { expires_at: later(86_400).toISOString() },
  },
  tokens: {
    resourceType: "tokens",
    make: ({ store, app, people }) => aToken(store, { app_id: app.id, user_id: people.guest.id }),
  },
  auth_codes: {
    resourceType: "auth_codes",
    make: ({ store, app, people }) => aCode(store, { app_id: app.id, user_id: people.guest.id }),
  },
  consents: {
    resourceType: "consents",
    make: async ({ store, acme, people }) =>
      aConsent(store, {
        user_id: people.guest.id,
        app_id: (await anApp(store, { organization_id: acme.id })).id,
        scopes: ["openid", "profile"],
      }),
    input: async ({ store, acme, people }) => ({
      user_id: people.guest.id,
      app_id: (await anApp(store, { organization_id: acme.id })).id,
      scopes: ["openid"],
    }),
    change: { scopes: ["openid"] },
  },
  sessions: {
    resourceType: "sessions",
    make: ({ store, people }) => aSession(store, { user_id: people.guest.id }),
  },
  resources_of_organization: {
    resourceType: "resources",
    make: ({ store, acme }) => aResource(store, { organization_id: acme.id }),
    input: ({ acme }) => ({
      name: "New",
      organization_id: acme.id,
      identifier: `urn:postern:organization:${acme.id}:${distinct()}`,
    }),
    change: { who_may_ask: "any" },
  },
  resources_of_server: {
    resourceType: "resources",
    make: ({ store }) => aResource(store),
    input: () => ({ name: "New", identifier: `https://${distinct()}.example` }),
    change: { name: "Changed" },
  },
  providers_of_organization: {
    resourceType: "providers",
    make: ({ store, acme }) => aProvider(store, { organization_id: acme.id }),
    input: ({ acme }) => ({ ...newProvider(), organization_id: acme.id }),
    change: { label: "Changed" },
  },
  providers_of_server: {
    resourceType: "providers",
    make: ({ store }) => aProvider(store),
    input: newProvider,
    change: { label: "Changed" },
  },
  service_accounts: {
    resourceType: "service_accounts",
    make: ({ store, acme, people }) =>
      aServiceAccount(store, { organization_id: acme.id, created_by: people.owner.id }),
    input: ({ acme }) => ({ name: "New", email: `${distinct()}@machines.example`, organization_id: acme.id }),
    change: { name: "Changed" },
  },
  key_pairs: {
    resourceType: "key_pairs",
    make: ({ store, account }) =>
      aKeyPair(store, { service_account_id: account.id, key_type: "ec", algorithm: "ES256", public_key_pem }),
    input: ({ account }) => ({ service_account_id: account.id, key_type: "ec", algorithm: "ES256" }),
    change: { active: false },
  },
  signing_keys: {
    resourceType: "signing_keys",
    async make({ store }) {
      const row = signingKeyOf();
      await store.insert("signing_keys", row);
      return row;
    },
    input: () => ({}),
  },
  audit_events: {
    resourceType: "audit_events",
    make: ({ store, acme, people }) =>
      anEvent(store, { actor_id: people.guest.id, organization_id: acme.id }),
  },
  refusals_of_organization: {
    resourceType: "refusals",
    make: ({ store, app, people }) => aRefusal(store, { app_id: app.id, user_id: people.guest.id }),
  },
  refusals_of_user: {
    resourceType: "refusals",
    make: async ({ store, people }) =>
      aRefusal(store, { app_id: (await anApp(store, { owner_id: people.guest.id })).id }),
  },
  refusals_of_nobody: {
    resourceType: "refusals",
    make: ({ store, people }) => aRefusal(store, { user_id: people.guest.id }),
  },
};

/** Whether a list that goes on to its end has the record. */
async function lists(context: AdminContext, resource: Resource, id: string): Promise<boolean> {
  for (let query: Record<string, string> = { limit: "200" }; ; ) {
    const { data, next_cursor } = await listRecords(context, resource, query);
    if (data.some((record) => record.id === id)) return true;
    if (next_cursor === null) return false;
    query = { limit: "200", cursor: next_cursor };
  }
}

/** Does it, and says with one sign of the matrix what came of it. */
async function outcome(
  context: AdminContext,
  operation: Operation,
  { resourceType, input, change = {} }: Kind,
  world: ManagementWorld,
  id: string,
): Promise<string> {
  const resource = resourceOf(resourceType);
  try {
    if (operation === "list") return (await lists(context, resource, id)) ? "+" : "0";
    if (operation === "get") assert.equal((await getRecord(context, resource, id)).id, id);
    if (operation === "create") await createRecord(context, resource, (await input?.(world)) ?? {});
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

test("the matrix has a line for every family of records, and every line is tried", () => {
  const covered = new Set([...expected().keys()].map((kind) => kinds[kind]?.resourceType));
  assert.deepEqual(covered, new Set(resourceTypes));
  assert.deepEqual([...expected().keys()], Object.keys(kinds));
});

for (const database of databasesInForm) {
  describe(`the permission matrix on ${database.name}`, async () => {
    const world = await managementWorld(await database.open());
    const base = { ...testContext(world.store), onInvitation() {} };
    const as = (asker: Asker): AdminContext => ({ ...base, actor: world.actors[asker] });

    for (const [name, cells] of expected()) {
      const kind = kinds[name] as Kind;

      test(`${name}: everybody may do what is written, and nothing else`, async () => {
        const { table } = resourceOf(kind.resourceType);
        // The member's sight of it does not hang on who makes it: one record stands for all until somebody
        // changes it.
        const shared = await kind.make(world, name === "users" ? "subject" : "member");
        const before = await world.store.find(table, { id: shared.id });
        const found: Record<string, string> = {};
        for (const asker of askers) {
          const own = name === "memberships" && asker === "subject" ? await kind.make(world, asker) : shared;
          let row = "";
          for (const [index, operation] of operations.entries()) {
            const changes = index > 2 && cells[asker][index] === "+";
            const { id } = changes ? await kind.make(world, asker) : own;
            row += await outcome(as(asker), operation, kind, world, id);
          }
          found[asker] = row;
        }
        assert.deepEqual(found, cells);
        // These are changed by those who may, because nobody could do without them or they follow from each
        // other.
        if (["users", "organizations", "signing_keys"].includes(name)) return;
        assert.deepEqual(await world.store.find(table, { id: shared.id }), before);
      });
    }

    test("an app's id and its client_id are never taken for each other", async () => {
      const { store, acme, other, people } = world;
      const apps = resourceOf("apps");
      const victim = await anApp(store, { organization_id: acme.id, client_id: randomUUID() });
      const asked = { name: "Decoy", organization_id: other.id, public: true };
      await assert.rejects(createRecord(as("outsider"), apps, { ...asked, client_id: victim.id }));
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
