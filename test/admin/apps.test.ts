import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addAppSecret, listAppSecrets, revokeAppSecret } from "../../src/admin/app_secrets.ts";
import {
  createApp,
  deactivateApp,
  deleteApp,
  getApp,
  reactivateApp,
  revokeApp,
  updateApp,
} from "../../src/admin/apps.ts";
import { createMembership } from "../../src/admin/memberships.ts";
import type { OAuthAppSecret } from "../../src/records/definition.ts";
import { anOrganization, aToken, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { problem, testContext } from "./context.ts";

for (const database of databases) {
  describe(`apps on ${database.name}`, () => {
    async function ready() {
      const context = testContext(await database.open());
      const owner = await aUser(context.store);
      return { context, store: context.store, owner, asked: { name: "Web", owner_id: owner.id } };
    }
    const verifies = async (
      context: ReturnType<typeof testContext>,
      row: OAuthAppSecret | undefined,
      text = "",
    ) => context.passwords.verify(row?.secret_hash ?? "", text);

    test("an app that says only its name and owner has every default of the specification and a secret, shown once", async () => {
      const { context, asked } = await ready();
      const { app, secret } = await createApp(context, asked);
      const { client_id, ...defaults } = app;
      assert.notEqual(client_id, app.id);
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
      const [row] = await listAppSecrets(context, app);
      assert.ok((row?.secret_prefix.length ?? 99) <= 12 && secret?.startsWith(row?.secret_prefix ?? "-"));
      assert.equal(await verifies(context, row, secret), true);
    });

    test("given secrets are stored with their own state and none is made", async () => {
      const { context, asked } = await ready();
      const { app, secret } = await createApp(context, {
        ...asked,
        client_id: "web app: 1",
        secrets: [
          "first-secret",
          { value: "second-secret", expires_at: "2031-01-01T00:00:00Z", revoked: true },
        ],
      });
      assert.equal(secret, undefined);
      assert.equal(app.client_id, "web app: 1");
      const rows = await listAppSecrets(context, app);
      const second = rows.find(({ revoked }) => revoked);
      assert.equal(rows.length, 2);
      assert.deepEqual(second?.expires_at, new Date("2031-01-01T00:00:00Z"));
      assert.deepEqual(second?.revoked_at, context.now());
      assert.equal(await verifies(context, second, "second-secret"), true);
      assert.equal(second?.secret_prefix, "sec");
    });

    test("C-7: a public app is given no secret and takes none", async () => {
      const { context, store, asked } = await ready();
      const { app, secret } = await createApp(context, { ...asked, public: true });
      assert.equal(secret, undefined);
      await assert.rejects(
        createApp(context, { ...asked, public: true, secrets: ["a-secret"] }),
        problem("invalid_record", ["/secrets"]),
      );
      await assert.rejects(addAppSecret(context, app), problem("invalid_record", ["/secret"]));
      assert.equal(await store.count("oauth_app_secrets"), 0);
    });

    test("an app that becomes public loses its secrets", async () => {
      const { context, store, asked } = await ready();
      const { app } = await createApp(context, asked);
      await updateApp(context, app.client_id, { public: true });
      assert.equal(await store.count("oauth_app_secrets"), 0);
    });

    test("secrets that are none are refused by their place", async () => {
      const { context, store, asked } = await ready();
      const secrets = [
        "",
        7,
        { value: "x", colour: "red" },
        { value: "y", expires_at: "soon" },
        "twice",
        "twice",
        "é".repeat(600),
      ];
      await assert.rejects(
        createApp(context, { ...asked, secrets }),
        problem("invalid_record", [
          "/secrets/0",
          "/secrets/1",
          "/secrets/2/colour",
          "/secrets/3/expires_at",
          "/secrets/6",
          "/secrets/5",
        ]),
      );
      await assert.rejects(
        createApp(context, { ...asked, secrets: "x" }),
        problem("invalid_record", ["/secrets"]),
      );
      assert.equal(await store.count("oauth_apps"), 0);
    });

    test("C-9: an app has several live secrets, and one of them can be revoked", async () => {
      const { context, asked } = await ready();
      const { app } = await createApp(context, asked);
      const { row, secret } = await addAppSecret(context, app);
      assert.equal(await verifies(context, row, secret), true);
      await assert.rejects(addAppSecret(context, app, secret), problem("conflict"));
      const revoked = await revokeAppSecret(context, app, row.id);
      assert.deepEqual([revoked.revoked, revoked.revoked_at], [true, context.now()]);
      assert.equal((await listAppSecrets(context, app)).filter((each) => !each.revoked).length, 1);
      const { app: other } = await createApp(context, { ...asked, name: "Other" });
      await assert.rejects(revokeAppSecret(context, other, row.id), problem("not_found"));
    });

    test("a reserved scope is a platform administrator's to give", async () => {
      const { context, store } = await ready();
      const [user, acme] = [await aUser(store), await anOrganization(store)];
      await createMembership(context, { user_id: user.id, organization_id: acme.id, role: "admin" });
      const allowed_scopes = ["orders:read", "token:introspect", "postern:admin"];
      const asked = { name: "Web", organization_id: acme.id, allowed_scopes };
      const somebody = { ...context, actor: { kind: "user", user } as const };
      const admin = {
        ...context,
        actor: { kind: "user", user: await aUser(store, { is_platform_admin: true }) } as const,
      };
      await assert.rejects(
        createApp(somebody, asked),
        problem("forbidden", ["/allowed_scopes/1", "/allowed_scopes/2"]),
      );
      const { app } = await createApp(admin, asked);
      const kept = await updateApp(somebody, app.client_id, { allowed_scopes: ["token:introspect"] });
      assert.deepEqual(kept.allowed_scopes, ["token:introspect"]);
      await assert.rejects(
        updateApp(somebody, app.client_id, { allowed_scopes: ["token:introspect", "postern:admin"] }),
        problem("forbidden", ["/allowed_scopes/1"]),
      );
    });

    test("an owner and an organization that are not there are named, and client_id and id are fixed", async () => {
      const { context, asked } = await ready();
      const nobody = "01890000-0000-7000-8000-000000000000";
      await assert.rejects(
        createApp(context, { ...asked, owner_id: nobody, organization_id: nobody }),
        problem("invalid_record", ["/owner_id", "/organization_id"]),
      );
      const { app } = await createApp(context, asked);
      await assert.rejects(
        updateApp(context, app.client_id, { client_id: "other", id: nobody }),
        problem("invalid_record", ["/id", "/client_id"]),
      );
      await assert.rejects(
        createApp(context, { ...asked, client_id: app.client_id }),
        problem("conflict", ["/client_id"]),
      );
      const acme = await anOrganization(context.store);
      const moved = await updateApp(context, app.client_id, { organization_id: acme.id });
      assert.equal(moved.organization_id, acme.id);
    });

    test("C-12: switching an app off or revoking it ends its tokens; only the first can be undone", async () => {
      const { context, store, asked } = await ready();
      const { app } = await createApp(context, asked);
      const token = await aToken(store, { app_id: app.id });
      context.clock.advance(1);
      assert.deepEqual((await deactivateApp(context, app.client_id)).tokens_not_before, context.now());
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "app_disabled");
      assert.equal((await reactivateApp(context, app.client_id)).active, true);
      context.clock.advance(1);
      const revoked = await revokeApp(context, app.client_id);
      assert.deepEqual([revoked.revoked_at, revoked.tokens_not_before], [context.now(), context.now()]);
      await assert.rejects(reactivateApp(context, app.client_id), problem("revoked"));
      await assert.rejects(
        updateApp(context, app.client_id, { revoked_at: null }),
        problem("invalid_record", ["/revoked_at"]),
      );
    });

    test("an app is deleted with its secrets", async () => {
      const { context, store, asked } = await ready();
      const { app } = await createApp(context, asked);
      await deleteApp(context, app.id);
      await assert.rejects(getApp(context, app.client_id), problem("not_found"));
      assert.equal(await store.count("oauth_app_secrets"), 0);
    });
  });
}
