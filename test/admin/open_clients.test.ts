import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, getRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { ownerOfOpenClients } from "../../src/oauth/client_sources/impersonal_user.ts";
import { isImpersonal } from "../../src/records/names/names.ts";
import { withinLimits } from "../../src/records/rules/open_clients.ts";
import { aConsent, anApp, anOrganization, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { problem, refused, testContext } from "./context.ts";

const apps = resourceOf("apps");

for (const database of databasesInForm)
  describe(`clients registered without an administrator, on ${database.name}`, () => {
    async function ready() {
      const context = testContext(await database.open());
      const { store } = context;
      const owner_id = await store.transaction((tx) => ownerOfOpenClients(tx, store, context.now()));
      const app = await anApp(store, { owner_id, provenance: "dynamic_registration", public: true });
      return { context, store, app, owner_id };
    }

    test("PR-25: not even a platform administrator can give an open client more than its limits allow", async () => {
      const { context, store, app } = await ready();
      const organization = await anOrganization(store);
      const person = await aUser(store);
      const beyond: readonly Input[] = [
        { first_party: true },
        { organization_id: organization.id },
        { owner_id: person.id },
        { metadata: { resource: "https://api.example" } },
        { default_scopes: ["orders:read"] },
        { allowed_scopes: ["openid", "postern:manage"] },
        { allowed_scopes: ["token:introspect"] },
        { allowed_grants: ["auth_code", "client_credentials"] },
        { allowed_grants: ["jwt_bearer"] },
        { app_type: "machine" },
        { app_type: "service" },
        { refresh_token_rotation: false },
      ];
      for (const change of beyond)
        await refused(
          updateRecord(context, apps, app.id, change),
          `invalid_record /${Object.keys(change)[0]}`,
        );
      await refused(
        updateRecord(context, apps, app.id, { provenance: "registered" }),
        "invalid_record /provenance",
      );
      assert.deepEqual(await store.find("oauth_apps", { id: app.id }), app);
      const renamed = await updateRecord(context, apps, app.id, { name: "Known here", active: false });
      assert.deepEqual([renamed.name, renamed.active], ["Known here", false]);
    });

    test("PR-10: an administrator's redirect URIs for an open client are checked by the rules for its document", async () => {
      const { context, app } = await ready();
      const redirect_uris = [
        "cursor://anysphere.cursor-mcp/cb",
        "http://localhost/cb",
        "https://a.example/cb",
      ];
      const changed = await updateRecord(context, apps, app.id, { app_type: "web", redirect_uris });
      assert.deepEqual(changed.redirect_uris, redirect_uris);
      for (const uri of [
        "javascript:/alert(1)",
        "Cursor://x/cb",
        "http://a.example/cb",
        "http://localhost:0/cb",
      ])
        await assert.rejects(
          updateRecord(context, apps, app.id, { redirect_uris: [uri] }),
          problem("invalid_record", ["/redirect_uris/0"]),
          uri,
        );
    });

    test("PR-25: the origin of an app cannot be set by a request or a manifest", async () => {
      const { context, owner_id } = await ready();
      const { email } = (await context.store.find("users", { id: owner_id })) ?? { email: "" };
      for (const provenance of ["dynamic_registration", "metadata_document", "registered"]) {
        await refused(
          createRecord(context, apps, { name: "Said", owner_id, provenance }),
          "invalid_record /provenance",
        );
        await refused(
          applyManifest({ apps: [{ name: "Said", owner: email, provenance }] }, context),
          "invalid_manifest apps[0].provenance",
        );
      }
    });

    test("PR-25: an export leaves out open clients, their owner and their consents", async () => {
      const { context, store, app, owner_id } = await ready();
      const user = await aUser(store);
      const kept = await anApp(store);
      for (const { id } of [app, kept]) await aConsent(store, { user_id: user.id, app_id: id });
      const exported = await exportManifest(context);
      assert.deepEqual(
        exported.apps?.map(({ client_id }) => client_id),
        [kept.client_id],
      );
      assert.equal(exported.consents?.length, 1);
      assert.ok(exported.users?.every(({ id, email }) => id !== owner_id && !isImpersonal(String(email))));
    });

    test("PR-25: the database rejects an open client that has another owner", async () => {
      const { store, app } = await ready();
      for (const change of [{ first_party: true }, { metadata: { resources: ["https://api.example"] } }])
        await assert.rejects(store.update("oauth_apps", { id: app.id }, change));
      assert.deepEqual(await store.find("oauth_apps", { id: app.id }), app);
    });

    test("PR-25: values of an open client's row beyond its limits are ignored by the protocol", async () => {
      const { store, owner_id } = await ready();
      const app = await anApp(store, {
        owner_id,
        provenance: "metadata_document",
        allowed_grants: ["auth_code", "client_credentials"],
        allowed_scopes: ["openid", "postern:manage"],
        default_scopes: ["openid"],
        refresh_token_rotation: false,
      });
      const found = (await store.findClient(app.client_id))?.app;
      assert.deepEqual(found, withinLimits(app));
      assert.deepEqual(
        [found?.allowed_grants, found?.allowed_scopes, found?.default_scopes, found?.refresh_token_rotation],
        [["auth_code"], ["openid"], null, true],
      );
    });

    test("PR-25: all open clients have one owner, which cannot sign in", async () => {
      const { context, store, owner_id } = await ready();
      const again = await Promise.all(
        Array.from({ length: 4 }, () =>
          store.transaction((tx) => ownerOfOpenClients(tx, store, context.now())),
        ),
      );
      assert.deepEqual([...new Set(again)], [owner_id]);
      const owner = await getRecord(context, resourceOf("users"), owner_id);
      assert.equal(owner.active, false);
      assert.equal((await store.find("users", { id: owner_id }))?.password_hash, null);
    });
  });
