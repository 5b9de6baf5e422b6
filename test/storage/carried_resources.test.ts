import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { anApp, anOrganization, later, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

/** Restores the database as it was before APIs became records. */
const before = [
  "DROP TABLE app_roles_words",
  "DROP TABLE app_roles",
  "DROP TABLE resources_words",
  "DROP TABLE resources",
  "ALTER TABLE oauth_apps DROP COLUMN resources",
  "DELETE FROM postern_migrations WHERE version = 17",
];

/** The statements of migration 37 that fill the trigrams from the existing tables. */
const fillTrigrams = [
  "DELETE FROM resources_spellings",
  "INSERT INTO resources_spellings (word, uses) SELECT word, count(*) FROM resources_words GROUP BY word",
];

for (const database of databases)
  describe(`APIs that older versions stored in apps' metadata, on ${database.name}`, () => {
    test("PR-6: the migration keeps every app's audiences and permissions", async () => {
      const store = await database.open();
      const [acme, initech] = [await anOrganization(store), await anOrganization(store)];
      const [inAcme, inInitech] = [{ organization_id: acme.id }, { organization_id: initech.id }];
      const made: Record<string, OAuthApp> = {};
      const add = async (name: string, metadata: OAuthApp["metadata"], overrides: Partial<OAuthApp> = {}) => {
        const app = await anApp(store, { name, ...overrides });
        await store.update("oauth_apps", { id: app.id }, { metadata });
        made[name] = app;
        return app;
      };
      const api = "https://api.example";
      const own = await add("own", { resource: api, note: "kept" }, inAcme);
      const twin = await add("twin", { resource: [api, "urn:example:twin"] }, inAcme);
      const slash = await add("slash", { resource: `${api}/` }, inInitech);
      const shared = ["https://shared.example/x", "https://SHARED.example:443/x"];
      const one = await add("one", { resource: shared[0] ?? "" }, inAcme);
      const other = await add("other", { resource: shared }, inInitech);
      const alone = await add("alone", {
        resource: "https://alone.example",
        resources: "https://alone.example",
      });
      const bare = await add("bare", { resource: "orders" }, inAcme);
      const asking = await add("asking", {
        resources: [api, `${api}/`, "https://nobody.example", "no uri", api],
      });
      await add("silent", { resources: 7, resource: { a: 1 } }, inAcme);
      await add("long", { resources: [`https://long.example/${"x".repeat(2048)}`] });
      for (let index = 0; index < 1005; index++) {
        const app = await anApp(store, { owner_id: own.owner_id, created_at: later(index) });
        if (index === 1004)
          await store.update("oauth_apps", { id: app.id }, { metadata: { resources: [api] } });
      }
      await store.transaction(async ({ connection }) => {
        for (const statement of before) await connection.run(statement, []);
      });
      const applied = await store.migrate(start);
      // Later migrations add these columns, which the current code reads.
      const [json, bool] = database.name.startsWith("PostgreSQL")
        ? ["jsonb", "boolean"]
        : ["TEXT", "INTEGER"];
      await store.transaction(async ({ connection }) => {
        await connection.run(`ALTER TABLE resources ADD COLUMN claims ${json}`, []);
        for (const column of ["role_bound", "sign_in_claims"]) {
          await connection.run(
            `ALTER TABLE resources ADD COLUMN ${column} ${bool} NOT NULL DEFAULT FALSE`,
            [],
          );
        }
      });
      assert.deepEqual(
        applied.map(({ version }) => version),
        [17],
      );

      const rows = await store.list("resources");
      const facts = rows.map(({ identifier, organization_id, app_ids, who_may_ask, active, created_at }) => {
        assert.deepEqual([who_may_ask, active, created_at], ["listed", true, start]);
        return [identifier, organization_id, app_ids.toSorted()];
      });
      assert.deepEqual(
        new Map(facts.map(([identifier, ...rest]) => [identifier, rest])),
        new Map<unknown, unknown>([
          [api, [acme.id, [own.id, twin.id].toSorted()]],
          ["urn:example:twin", [acme.id, [twin.id]]],
          [`${api}/`, [initech.id, [slash.id]]],
          [shared[0], [null, [one.id, other.id].toSorted()]],
          [shared[1], [initech.id, [other.id]]],
          ["https://alone.example", [null, [alone.id]]],
          ["orders", [acme.id, [bare.id]]],
          ["https://nobody.example", [null, []]],
        ]),
      );
      // Each existing spelling is found exactly, and a new spelling finds the first one with its normal form.
      for (const { identifier, id } of rows) assert.equal((await store.findResource(identifier))?.id, id);
      assert.equal((await store.findResource("https://shared.EXAMPLE/x"))?.identifier, shared[1]);
      assert.equal((await store.findResource("HTTPS://api.example:443"))?.identifier, api);
      const listed = await store.find("oauth_apps", { id: asking.id });
      assert.deepEqual(listed?.resources, [api, `${api}/`, "https://nobody.example"]);
      assert.deepEqual(await store.find("oauth_apps", { id: own.id }).then((app) => app?.metadata), {
        resource: api,
        note: "kept",
      });
      const mine = async ({ id }: OAuthApp) =>
        (await store.findClientOfApp(id))?.resources.map(({ identifier }) => identifier).toSorted();
      assert.deepEqual(await mine(own), [api]);
      assert.deepEqual(await mine(twin), [api, "urn:example:twin"]);
      assert.deepEqual(await mine(slash), [`${api}/`]);
      assert.deepEqual(await mine(other), shared.toSorted());
      assert.deepEqual(await mine(one), [shared[0]]);
      assert.deepEqual(await mine(alone), ["https://alone.example"]);
      // In an upgrade a later migration fills the trigrams of SQLite from these words.
      await store.transaction(async ({ connection }) => {
        if (database.name === "SQLite")
          for (const statement of fillTrigrams) await connection.run(statement, []);
      });
      assert.equal((await store.listPage("resources", { search: "shared", limit: 9 })).rows.length, 2);
    });
  });
