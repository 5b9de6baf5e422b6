/** An app that signs gets no secret with which it could not authenticate. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { createApp } from "../../src/admin/records/apps.ts";
import { aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

const signs = {
  token_endpoint_auth_method: "private_key_jwt",
  jwks_uri: "https://bank.example/keys",
} as const;

for (const database of databasesInForm)
  describe(`apps that authenticate with signed assertions on ${database.name}`, () => {
    async function ready() {
      const store = await database.open();
      const context = {
        ...testContext(store),
        switches: { extra_client_auth: ["private_key_jwt"], extra_features: [] },
      };
      return { store, context, owner: await aUser(store) };
    }

    test("an app that authenticates with signed assertions is created without a secret", async () => {
      const { store, context, owner } = await ready();
      const { app, secret } = await createApp(context, { name: "Bank", owner_id: owner.id, ...signs });
      assert.equal(secret, undefined);
      assert.deepEqual(await store.list("oauth_app_secrets", { app_id: app.id }), []);
    });

    test("a manifest creates such an app without a secret, and adds one once the app authenticates with secrets", async () => {
      const { context, owner } = await ready();
      const bank = { client_id: "bank", name: "Bank", owner: owner.email };
      const signing = await applyManifest({ apps: [{ ...bank, ...signs }] }, context);
      assert.deepEqual(signing.secrets, {});
      const again = await applyManifest({ apps: [{ ...bank, ...signs }] }, context);
      assert.deepEqual([again.updated, again.secrets], [[], {}]);
      const back = { ...bank, token_endpoint_auth_method: null, jwks_uri: null };
      const { secrets } = await applyManifest({ apps: [back] }, context);
      assert.match(String(secrets.bank), /^pcs_/);
    });
  });
