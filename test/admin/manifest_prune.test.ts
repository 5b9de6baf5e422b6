import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import type { TableName } from "../../src/records/definition/definition.ts";
import type { SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import {
  aConsent,
  anApiKey,
  anApp,
  aResource,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  byPassword,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column, words } from "../support/lists.ts";
import { problem, refused, testContext } from "./context.ts";
import { admin, whole } from "./whole_manifest.ts";

const watched: readonly TableName[] = words(`
  users organizations memberships oauth_accounts api_keys oauth_apps oauth_app_secrets service_accounts
  oauth_consents manifest_records manifest_names audit_events
`) as TableName[];

for (const database of databasesInForm) {
  describe(`--prune on ${database.name}`, () => {
    const ready = async () => testContext(await database.open());

    async function everything({ store }: Awaited<ReturnType<typeof ready>>) {
      const rows: Record<string, unknown[]> = {};
      for (const table of watched) rows[table] = await store.list(table);
      return rows;
    }

    test("records that an earlier run created and the file no longer names are deleted in order, and reported", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest(whole(), context);
      const token = await aToken(store, {
        app_id: (await store.find("oauth_apps", { client_id: "web" }))?.id ?? "",
        user_id: (await store.find("users", { email_key: "ada@example.com" }))?.id ?? "",
      });
      const { organizations, users, memberships, apps } = whole();
      const file = {
        organizations: organizations.slice(0, 1),
        users: users.slice(0, 2),
        memberships: memberships.slice(0, 1),
        apps: [{ ...apps[0], secrets: ["two-secret"] }],
      };
      const expected = [
        "consent ada@example.com web",
        "service_account ci@acme.example",
        "membership bob@example.com acme",
        "membership bob@example.com tiny",
        "app_secret web on…",
        "app shop",
        "api_key deploy",
        "linked_account github 7",
        "user bob@example.com",
        "organization tiny",
      ];
      const before = await everything(context);
      const dry = await applyManifest(file, context, { dryRun: true, prune: true });
      assert.deepEqual(dry.removed, expected);
      assert.deepEqual(
        dry.differences?.map(({ change, record }) => `${change} ${record}`),
        expected.map((record) => `remove ${record}`),
      );
      assert.deepEqual(await everything(context), before);

      const result = await applyManifest(file, context, { prune: true });
      assert.deepEqual([result.removed, result.created, result.updated], [expected, [], []]);
      const rest = await everything(context);
      const counts = Object.fromEntries(watched.map((table) => [table, rest[table]?.length]));
      assert.deepEqual(
        { ...counts, manifest_records: undefined, manifest_names: undefined, audit_events: undefined },
        {
          users: 2,
          organizations: 1,
          memberships: 1,
          oauth_accounts: 0,
          api_keys: 0,
          oauth_apps: 1,
          oauth_app_secrets: 1,
          service_accounts: 0,
          oauth_consents: 0,
          manifest_records: undefined,
          manifest_names: undefined,
          audit_events: undefined,
        },
      );
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "consent_withdrawn");
      const events = (await store.list("audit_events")).filter(({ type }) => type.endsWith(".deleted"));
      assert.deepEqual(
        events.map(({ type }) => type).toSorted(),
        words(`
        api_key.deleted app.deleted app_secret.deleted consent.deleted linked_account.deleted
        membership.deleted membership.deleted organization.deleted service_account.deleted user.deleted
      `),
      );
      assert.deepEqual((await applyManifest(file, context, { prune: true })).removed, []);
    });

    test("EP-19: when a linked account is pruned, sessions that depend on it end and others continue", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest(whole(), context);
      const [link] = await store.list("oauth_accounts", { provider: "github" });
      const { id: credential, user_id } = link ?? assert.fail("no link");
      const at = context.now().getTime();
      const by = async (methods: readonly SignInMethod[]) => (await aSession(store, { user_id, methods })).id;
      const linked = await by([{ kind: "provider", credential, at }]);
      const both = await by([...byPassword(), { kind: "provider", credential, at }]);
      const other = await by(byPassword());
      const { linked_accounts: _, ...file } = whole();
      const { removed } = await applyManifest(file, context, { prune: true });
      assert.deepEqual(removed, ["linked_account github 7"]);
      const active = await store.list("sessions", { user_id, ended_at: null });
      assert.deepEqual(column(active, "id"), [other]);
      assert.ok(active.every(({ id }) => id !== linked && id !== both));
    });

    test("nothing is deleted without --prune, and manually created records are never pruned", async () => {
      const context = await ready();
      const { store } = context;
      const eve = await aUser(store, { email: "eve@example.com" });
      const theirs = await anApp(store, { owner_id: eve.id });
      const made = await aSecret(store, { app_id: theirs.id });
      await applyManifest(whole(), context);
      // This manifest names the user Eve, whom no manifest created.
      await applyManifest({ users: [{ email: "eve@example.com", name: "Eve" }] }, context);
      assert.equal(await store.count("oauth_apps"), 3);
      await applyManifest({ users: [admin] }, context, { prune: true });
      assert.deepEqual((await store.list("users")).map(({ email }) => email).toSorted(), [
        "eve@example.com",
        "root@example.com",
      ]);
      assert.deepEqual(column(await store.list("oauth_app_secrets"), "id"), [made.id]);
    });

    test("secrets and key pairs that the file omits stay while it still names their record", async () => {
      const context = await ready();
      await applyManifest(whole(), context);
      const apps = whole().apps.map(({ secrets: _, ...app }) => app);
      assert.deepEqual((await applyManifest({ ...whole(), apps }, context, { prune: true })).removed, []);
      assert.equal(await context.store.count("oauth_app_secrets"), 3);
    });

    test("a generated secret in use is not pruned when the file names another secret", async () => {
      const context = await ready();
      await applyManifest(whole(), context);
      const apps = whole().apps.map((app) => ({ ...app, secrets: ["another-secret"] }));
      const { removed } = await applyManifest({ ...whole(), apps }, context, { prune: true });
      assert.deepEqual(removed, ["app_secret web on…", "app_secret web tw…"]);
      const shop = await context.store.find("oauth_apps", { client_id: "shop" });
      assert.equal(await context.store.count("oauth_app_secrets", { app_id: shop?.id ?? "" }), 2);
    });

    test("a user who owns records of organizations stops the run before anything is written", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest(whole(), context);
      const bob = await store.find("users", { email_key: "bob@example.com" });
      const acme = await store.find("organizations", { slug: "acme" });
      const tiny = await store.find("organizations", { slug: "tiny" });
      await anApp(store, { owner_id: bob?.id ?? "", organization_id: acme?.id ?? "" });
      await aServiceAccount(store, { created_by: bob?.id ?? "", organization_id: tiny?.id ?? "" });
      const before = await everything(context);
      const { organizations, users, ...rest } = whole();
      const file = {
        ...rest,
        organizations: organizations.slice(0, 1),
        users: [...users.slice(0, 2), { email: "new@example.com", name: "New" }],
        memberships: rest.memberships.slice(0, 1),
        linked_accounts: [],
        api_keys: [],
        apps: rest.apps.slice(0, 1),
        service_accounts: [],
      };
      for (const dryRun of [true, false])
        await assert.rejects(
          applyManifest(file, context, { prune: true, dryRun }),
          problem("successor_required", ["user bob@example.com", "organization tiny"]),
        );
      assert.deepEqual(await everything(context), before);
    });

    test("a user can be pruned if the same file gives the user's records another owner", async () => {
      const context = await ready();
      await applyManifest(whole(), context);
      const file = whole();
      const { removed } = await applyManifest(
        {
          ...file,
          users: file.users.slice(0, 2),
          memberships: file.memberships.slice(0, 1),
          linked_accounts: [],
          api_keys: [],
          apps: file.apps.map((app) => ({ ...app, owner: "ada@example.com" })),
          service_accounts: file.service_accounts.map((each) => ({ ...each, created_by: "ada@example.com" })),
        },
        context,
        { prune: true },
      );
      assert.ok(removed?.includes("user bob@example.com"));
      assert.equal(await context.store.count("oauth_apps"), 2);
    });

    test("an API deleted by pruning its organization is removed from the API lists of apps", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest({ users: [admin], organizations: [{ slug: "acme", name: "Acme" }] }, context);
      const [acme] = await store.list("organizations");
      const { identifier } = await aResource(store, { organization_id: acme?.id ?? null });
      const app = await anApp(store, { resources: [identifier] });
      await applyManifest({ users: [admin] }, context, { prune: true });
      assert.deepEqual((await store.find("oauth_apps", { id: app.id }))?.resources, []);
    });

    test("H-66: callers cannot delete their own account by pruning", async () => {
      const context = await ready();
      await applyManifest({ users: [admin, { ...admin, email: "me@example.com" }] }, context);
      const user = await context.store.find("users", { email_key: "me@example.com" });
      const own = { ...context, actor: { kind: "user", user: user ?? assert.fail("no user") } as const };
      await refused(applyManifest({ users: [admin] }, own, { prune: true }), "forbidden");
      assert.equal(await context.store.count("users"), 2);
    });

    test("records that depend on a pruned record are deleted with it, even if a user created them", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest({ users: [admin, { email: "ada@example.com", name: "Ada" }] }, context);
      const ada = await store.find("users", { email_key: "ada@example.com" });
      await anApiKey(store, { user_id: ada?.id ?? null });
      await aConsent(store, { user_id: ada?.id ?? "" });
      await applyManifest({ users: [admin] }, context, { prune: true });
      assert.deepEqual([await store.count("api_keys"), await store.count("oauth_consents")], [0, 0]);
    });
  });
}
