import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aResource, later, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`the APIs and pushed requests of an app on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    const identifiers = (found: readonly { identifier: string }[]) =>
      found.map(({ identifier }) => identifier).toSorted();

    test("PR-6: an app may request the APIs that it lists, those of its organization and those of the server", async () => {
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const api = (name: string, organization_id: string | null) =>
        aResource(store, { identifier: `https://${name}.example`, organization_id });
      await api("server", null);
      await api("ours", acme.id);
      await api("listed", other.id);
      await api("theirs", other.id);
      const app = await anApp(store, {
        organization_id: acme.id,
        resources: ["https://listed.example", "https://nothing.example"],
      });
      const near = identifiers(await store.resourcesNear(app));
      for (const name of ["server", "ours", "listed"])
        assert.ok(near.includes(`https://${name}.example`), name);
      assert.ok(!near.includes("https://theirs.example"));
      assert.deepEqual(
        (await store.appsListing(["https://listed.example", "https://other.example"])).map(({ id }) => id),
        [app.id],
      );
      assert.deepEqual(await store.appsListing(["https://ours.example"]), []);
    });

    test("PR-6: the APIs of an app are those that name it and have the same owner, or belong to the server", async () => {
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const app = await anApp(store, { organization_id: acme.id });
      const naming = (name: string, organization_id: string | null, app_ids: string[]) =>
        aResource(store, { identifier: `https://${name}.api.example`, organization_id, app_ids });
      await naming("mine", acme.id, [app.id]);
      await naming("of-server", null, [app.id]);
      await naming("foreign", other.id, [app.id]);
      await naming("unnamed", acme.id, []);
      assert.deepEqual(identifiers(await store.resourcesOfApp(app)), [
        "https://mine.api.example",
        "https://of-server.api.example",
      ]);
    });

    test("PR-44: an app's unexpired pushed requests are counted up to a limit", async () => {
      const [app, other] = [await anApp(store), await anApp(store)];
      const push = async (app_id: string, expires_at: Date) => {
        const reference = { app_id, digest: randomBytes(32) };
        await store.storePushedRequest(reference, { sealed: "x", created_at: start, expires_at });
      };
      for (let made = 0; made < 3; made += 1) await push(app.id, later(60));
      await push(app.id, later(1));
      await push(other.id, later(60));
      assert.equal(await store.countPushedRequests(app.id, 10, later(2)), 3);
      assert.equal(await store.countPushedRequests(app.id, 2, later(2)), 2);
      assert.equal(await store.countPushedRequests(app.id, 10, later(60)), 0);
    });
  });
