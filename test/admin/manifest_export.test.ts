import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import type { TableName } from "../../src/records/definition/definition.ts";
import { builtInClientId, impersonalEmail } from "../../src/records/names/names.ts";
import { anApp, aResource, aUser } from "../support/builders.ts";
import { databasesInForm, removeEverything } from "../support/databases.ts";
import { inForm } from "../support/form.ts";
import { anyManifest } from "./any_manifest.ts";
import { type TestContext, testContext } from "./context.ts";

/** The tables of a manifest, with their secret columns, whose values are generated again. */
const copied: Partial<Record<TableName, readonly string[]>> = {
  organizations: [],
  users: ["password_hash"],
  memberships: [],
  oauth_accounts: ["access_token", "refresh_token"],
  api_keys: ["key_prefix", "key_hash"],
  oauth_apps: [],
  service_accounts: [],
  service_account_key_pairs: [],
  oauth_consents: [],
};

async function recordsOf({ store }: TestContext) {
  const records: Record<string, unknown[]> = {};
  for (const [table, secret] of Object.entries(copied)) {
    const rows = (await store.list(table as TableName)) as Record<string, unknown>[];
    records[table] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !secret.includes(name))),
    );
  }
  return records;
}

for (const database of databasesInForm) {
  test(`an export of any records, applied to an empty server, creates the same records, on ${database.name}`, async () => {
    const [from, to] = [testContext(await database.open()), testContext(await database.open())];
    await fc.assert(
      fc.asyncProperty(anyManifest, async (manifest) => {
        await removeEverything(from.store);
        await removeEverything(to.store);
        const { created } = await applyManifest(manifest, from);
        // Uses the printed text, in which values that YAML or JSON misreads would be lost.
        const exported = await exportManifest(from);
        const read: unknown = parse(stringify(exported, { compat: "yaml-1.1" }), { schema: "core" });
        assert.deepEqual(read, JSON.parse(JSON.stringify(exported)));
        const applied = await applyManifest(read, to);
        assert.equal(applied.created.length, created.length);
        assert.deepEqual(await recordsOf(to), await recordsOf(from));
        assert.deepEqual(await exportManifest(to), exported);
        for (const context of [from, to]) {
          const again = await applyManifest(read, context, { prune: true });
          assert.deepEqual([again.created, again.updated, again.removed], [[], [], []]);
        }
      }),
      { numRuns: inForm(15, 40) },
    );
  });

  test(`an export leaves out the built-in app that represents the server, and the owner of that app, on ${database.name}`, async () => {
    const context = testContext(await database.open());
    const owner = await aUser(context.store, { active: false, email: impersonalEmail(randomUUID()) });
    await anApp(context.store, { client_id: builtInClientId, owner_id: owner.id });
    const kept = await anApp(context.store);
    const { apps, users } = await exportManifest(context);
    assert.deepEqual(
      apps?.map(({ client_id }) => client_id),
      [kept.client_id],
    );
    assert.ok(!users?.some(({ email }) => email === owner.email));
  });

  test(`an exported API keeps its resource servers, except those that are not exported, on ${database.name}`, async () => {
    const [from, to] = [testContext(await database.open()), testContext(await database.open())];
    const owner = await aUser(from.store, { active: false, email: impersonalEmail(randomUUID()) });
    const built_in = await anApp(from.store, { client_id: builtInClientId, owner_id: owner.id });
    const apps = [await anApp(from.store), await anApp(from.store)];
    await aResource(from.store, { app_ids: [built_in, ...apps].map(({ id }) => id) });
    const exported = await exportManifest(from);
    const expected = apps.map(({ client_id }) => client_id);
    assert.deepEqual(
      exported.resources?.map((entry) => entry.apps),
      [expected],
    );
    await applyManifest(JSON.parse(JSON.stringify(exported)), to);
    const [applied] = await to.store.list("resources");
    const known = await Promise.all(
      (applied?.app_ids ?? []).map((id) => to.store.find("oauth_apps", { id })),
    );
    assert.deepEqual(
      known.map((app) => app?.client_id),
      expected,
    );
  });
}

for (const database of databasesInForm) {
  test(`PR-6: API identifiers that apps listed before APIs were records are exported and applied, on ${database.name}`, async () => {
    const issuer = "https://id.example";
    const from = { ...testContext(await database.open()), issuer };
    const to = { ...testContext(await database.open()), issuer };
    const resources = [issuer, `${issuer}/api/v1`, "https://api.example/{tenant}", "https://me@api.example/"];
    const owner = await aUser(from.store);
    await applyManifest(
      { apps: [{ owner: owner.email, client_id: "asking", name: "Asking", metadata: { resources } }] },
      from,
    );
    const exported = await exportManifest(from);
    await applyManifest(JSON.parse(JSON.stringify(exported)), to);
    assert.deepEqual(await exportManifest(to), exported);
    assert.deepEqual((await to.store.find("oauth_apps", { client_id: "asking" }))?.resources, resources);
    const asNew = { resources: [{ identifier: `${issuer}/oauth/x`, name: "New" }] };
    await assert.rejects(applyManifest(asNew, to), { code: "invalid_manifest" });
    // A text longer than any identifier is not looked up, even if its normal form is an existing identifier.
    const long = `https://api.example/${"x/../".repeat(600)}%7Btenant%7D`;
    await applyManifest(
      { resources: [{ identifier: "https://api.example/%7Btenant%7D", name: "Short" }] },
      to,
    );
    assert.equal(await to.store.findResource(long), undefined);
  });
}
