import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { anApp, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const apps = resourceOf("apps");

for (const database of databasesInForm)
  describe(`a client_id that is a URL, on ${database.name}`, () => {
    test("PR-16: a client_id that is a URL cannot be registered by a request or a manifest; existing apps keep theirs", async () => {
      const context = testContext(await database.open());
      const owner = await aUser(context.store);
      for (const client_id of ["https://claude.ai/oauth/client", "HTTPS://x.example/", "https://"]) {
        await refused(
          createRecord(context, apps, { name: "Taken", owner_id: owner.id, client_id }),
          "invalid_record /client_id",
        );
        await refused(
          applyManifest({ apps: [{ name: "Taken", owner: owner.email, client_id }] }, context),
          "invalid_manifest apps[0].client_id",
        );
      }
      const { client_id, id } = await anApp(context.store, {
        owner_id: owner.id,
        client_id: "https://earlier.example/app",
      });
      const renamed = await updateRecord(context, apps, id, { name: "Renamed", client_id });
      assert.equal(renamed.name, "Renamed");
      await applyManifest({ apps: [{ name: "Applied", owner: owner.email, client_id }] }, context);
      assert.equal((await context.store.find("oauth_apps", { client_id }))?.name, "Applied");
    });

    test("PR-16: a registered client_id has at most 255 characters, the URL of a client's document 2048", async () => {
      const context = testContext(await database.open());
      const owner_id = (await aUser(context.store)).id;
      const made = await createRecord(context, apps, { name: "A", owner_id, client_id: "a".repeat(255) });
      assert.equal(made.record.client_id, "a".repeat(255));
      await refused(
        createRecord(context, apps, { name: "B", owner_id, client_id: "b".repeat(256) }),
        "invalid_record /client_id",
      );
      const client_id = `https://long.example/${"c".repeat(2027)}`;
      const app = await anApp(context.store, { owner_id, client_id });
      assert.equal((await context.store.findClient(client_id))?.app.id, app.id);
      assert.equal((await updateRecord(context, apps, app.id, { name: "Long" })).name, "Long");
    });
  });
