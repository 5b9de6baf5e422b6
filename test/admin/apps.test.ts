import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  createRecord,
  getRecord,
  removeRecord,
  revokeRecord,
  updateRecord,
} from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { OAuthAppSecret } from "../../src/records/definition/definition.ts";
import { anOrganization, aResource, aToken, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const apps = resourceOf("apps");
const appSecrets = resourceOf("app_secrets");

for (const database of databasesInForm)
  describe(`apps on ${database.name}`, () => {
    async function ready() {
      const context = testContext(await database.open());
      const { store } = context;
      const owner = await aUser(store);
      const requested = { name: "Web", owner_id: owner.id };
      const make = async (more: object = {}) => {
        const { record, once } = await createRecord(context, apps, { ...requested, ...more });
        return { app: record, id: String(record.id), secret: once.secret };
      };
      const secretsOf = (app_id: string) => store.list("oauth_app_secrets", { app_id });
      return { context, store, requested, make, secretsOf };
    }
    const verifies = async (
      context: ReturnType<typeof testContext>,
      row: OAuthAppSecret | undefined,
      text = "",
    ) => context.passwords.verify(row?.secret_hash ?? "", text);

    test("an app created with a name and an owner has the specification's defaults, and its secret is shown once", async () => {
      const { context, make, secretsOf } = await ready();
      const { app, id, secret } = await make();
      const { client_id, ...defaults } = app;
      assert.notEqual(client_id, id);
      assert.deepEqual(
        [
          defaults.app_type,
          defaults.allowed_grants,
          defaults.allowed_response_types,
          defaults.access_token_ttl,
        ],
        ["web", ["auth_code", "refresh"], ["code"], 900],
      );
      assert.match(secret ?? "", /^pcs_[A-Za-z0-9_-]{51}$/);
      const [row] = await secretsOf(id);
      assert.ok((row?.secret_prefix.length ?? 99) <= 12 && secret?.startsWith(row?.secret_prefix ?? "-"));
      assert.equal(await verifies(context, row, secret), true);
    });

    test("secrets named in the request are stored with their expiry and state, and no other secret is generated", async () => {
      const { context, make, secretsOf } = await ready();
      const { app, id, secret } = await make({
        client_id: "web app: 1",
        secrets: [
          "first-secret",
          { value: "second-secret", expires_at: "2031-01-01T00:00:00Z", revoked: true },
        ],
      });
      assert.equal(secret, undefined);
      assert.equal(app.client_id, "web app: 1");
      const rows = await secretsOf(id);
      const second = rows.find(({ revoked }) => revoked);
      assert.equal(rows.length, 2);
      assert.deepEqual(second?.expires_at, new Date("2031-01-01T00:00:00Z"));
      assert.deepEqual(second?.revoked_at, context.now());
      assert.equal(await verifies(context, second, "second-secret"), true);
      assert.equal(second?.secret_prefix, "sec");
    });

    test("C-7: a public app gets no secret and accepts none", async () => {
      const { context, store, make } = await ready();
      const { id, secret } = await make({ public: true });
      assert.equal(secret, undefined);
      await refused(make({ public: true, secrets: ["a-secret"] }), "invalid_record /secrets");
      await refused(createRecord(context, appSecrets, { app_id: id }), "invalid_record /app_id");
      assert.equal(await store.count("oauth_app_secrets"), 0);
    });

    test("an app that becomes public loses its secrets", async () => {
      const { context, store, make } = await ready();
      const { id } = await make();
      await updateRecord(context, apps, id, { public: true });
      assert.equal(await store.count("oauth_app_secrets"), 0);
    });

    test("an error in a secret of the request is reported with its path", async () => {
      const { store, make } = await ready();
      const secrets = [
        "",
        7,
        { value: "xxxxxxxx", colour: "red" },
        { value: "yyyyyyyy", expires_at: "soon" },
        "twice-given",
        "twice-given",
        "é".repeat(600),
      ];
      await refused(
        make({ secrets }),
        "invalid_record /secrets/0 /secrets/1 /secrets/2/colour /secrets/3/expires_at /secrets/6 /secrets/5",
      );
      await refused(make({ secrets: "x" }), "invalid_record /secrets");
      assert.equal(await store.count("oauth_apps"), 0);
    });

    test("C-9: an app may have several active secrets, and one of them can be revoked alone", async () => {
      const { context, make, secretsOf } = await ready();
      const { id } = await make();
      const { record, once } = await createRecord(context, appSecrets, { app_id: id });
      const row = (await secretsOf(id)).find((each) => each.id === record.id);
      assert.equal(await verifies(context, row, once.secret), true);
      await refused(createRecord(context, appSecrets, { app_id: id, value: once.secret }), "conflict");
      const revoked = await revokeRecord(context, appSecrets, String(record.id));
      assert.deepEqual([revoked.revoked, revoked.revoked_at], [true, context.now().toISOString()]);
      assert.equal((await secretsOf(id)).filter((each) => !each.revoked).length, 1);
    });

    test("only a platform administrator grants a reserved scope to an app", async () => {
      const { context, store } = await ready();
      const [user, acme] = [await aUser(store), await anOrganization(store)];
      const membership = { user_id: user.id, organization_id: acme.id, role: "admin" };
      await createRecord(context, resourceOf("memberships"), membership);
      const allowed_scopes = ["orders:read", "token:introspect", "postern:admin", "ssf.manage", "ssf.read"];
      const requested = { name: "Web", organization_id: acme.id, allowed_scopes };
      const developer = { ...context, actor: { kind: "user", user } as const };
      const admin = {
        ...context,
        actor: { kind: "user", user: await aUser(store, { is_platform_admin: true }) } as const,
      };
      await refused(
        createRecord(developer, apps, requested),
        "forbidden /allowed_scopes/1 /allowed_scopes/2 /allowed_scopes/3 /allowed_scopes/4",
      );
      const { record } = await createRecord(admin, apps, requested);
      const id = String(record.id);
      const kept = await updateRecord(developer, apps, id, { allowed_scopes: ["token:introspect"] });
      assert.deepEqual(kept.allowed_scopes, ["token:introspect"]);
      await refused(
        updateRecord(developer, apps, id, { allowed_scopes: ["token:introspect", "postern:admin"] }),
        "forbidden /allowed_scopes/1",
      );
    });

    test("the error for an unknown owner or organization names it, and an app's client_id and id cannot change", async () => {
      const { context, store, make } = await ready();
      const nobody = "01890000-0000-7000-8000-000000000000";
      await refused(
        make({ owner_id: nobody, organization_id: nobody }),
        "invalid_record /owner_id /organization_id",
      );
      const { app, id } = await make();
      await refused(
        updateRecord(context, apps, id, { client_id: "other", id: nobody }),
        "invalid_record /id /client_id",
      );
      await refused(make({ client_id: app.client_id }), "conflict /client_id");
      const acme = await anOrganization(store);
      const moved = await updateRecord(context, apps, id, { organization_id: acme.id });
      assert.equal(moved.organization_id, acme.id);
    });

    test("G-3: an app that moves to another organization loses its list of APIs, unless the request names APIs", async () => {
      const { context, store, make } = await ready();
      const [from, to] = [await anOrganization(store), await anOrganization(store)];
      const { identifier } = await aResource(store, { organization_id: from.id, who_may_ask: "listed" });
      const { id } = await make({ organization_id: from.id, resources: [identifier] });
      const resourcesAfter = async (input: Record<string, unknown>) =>
        (await updateRecord(context, apps, id, input)).resources;
      assert.deepEqual(await resourcesAfter({ organization_id: from.id }), [identifier]);
      assert.deepEqual(await resourcesAfter({ organization_id: to.id }), []);
      const named = { organization_id: from.id, resources: [identifier] };
      assert.deepEqual(await resourcesAfter(named), [identifier]);
    });

    test("C-12: deactivating or revoking an app ends its tokens; only a deactivation can be undone", async () => {
      const { context, store, make } = await ready();
      const { id } = await make();
      const token = await aToken(store, { app_id: id });
      const endOfTokens = async () => (await store.find("oauth_apps", { id }))?.tokens_not_before;
      context.clock.advance(1);
      await updateRecord(context, apps, id, { active: false });
      assert.deepEqual(await endOfTokens(), context.now());
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "app_disabled");
      assert.equal((await updateRecord(context, apps, id, { active: true })).active, true);
      context.clock.advance(1);
      const revoked = await revokeRecord(context, apps, id);
      assert.equal(revoked.revoked_at, context.now().toISOString());
      assert.deepEqual(await endOfTokens(), context.now());
      await updateRecord(context, apps, id, { active: false });
      const again = await updateRecord(context, apps, id, { active: true });
      assert.equal(again.revoked_at, revoked.revoked_at);
      await refused(updateRecord(context, apps, id, { revoked_at: null }), "invalid_record /revoked_at");
    });

    test("an app is deleted with its secrets", async () => {
      const { context, store, make } = await ready();
      const { id } = await make();
      await removeRecord(context, apps, id);
      await refused(getRecord(context, apps, id), "not_found");
      assert.equal(await store.count("oauth_app_secrets"), 0);
    });
  });
