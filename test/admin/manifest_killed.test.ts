import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { type TableName, tables } from "../../src/records/definition/definition.ts";
import type { DatabaseAddress } from "../../src/storage/store.ts";
import { databasesInForm, openStoreAt } from "../support/databases.ts";
import { testContext } from "./context.ts";

const program = join(import.meta.dirname, "applying_process.ts");

const before = {
  organizations: [{ slug: "acme", name: "Acme" }],
  users: [
    { email: "root@example.com", name: "Root", is_platform_admin: true },
    { email: "ada@example.com", name: "Ada" },
  ],
  apps: [{ client_id: "old", name: "Old", owner: "ada@example.com", secrets: [] }],
};

/** Compared with `before`, it adds, changes and omits records. */
const after = {
  organizations: [{ slug: "acme", name: "Acme Ltd" }],
  users: [
    ...before.users,
    ...Array.from({ length: 10 }, (_, n) => ({ email: `user${n}@example.com`, name: `User ${n}` })),
  ],
  memberships: [{ user: "user1@example.com", organization: "acme", role: "owner" }],
  api_keys: [{ user: "user1@example.com", name: "deploy" }],
  apps: Array.from({ length: 20 }, (_, n) => ({
    client_id: `app-${n}`,
    name: `App ${n}`,
    owner: `user${n % 10}@example.com`,
    secrets: [`secret of app ${n}`],
  })),
};

/**
 * Applies the manifest in a process that is killed after this number of rows. Returns the signal that ended
 * the process.
 */
async function applyKilled(address: DatabaseAddress, rows: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [program, JSON.stringify(address), String(rows)], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(JSON.stringify(after));
  const [, signal] = await once(child, "close");
  return signal;
}

for (const database of databasesInForm)
  test(`a process killed while it applies a manifest leaves no partial change, on ${database.name}`, async () => {
    const address = await database.tables();
    const store = await openStoreAt(address);
    const context = testContext(store);
    await applyManifest(before, context);
    const everything = async () => {
      const rows: Record<string, unknown[]> = {};
      for (const table of Object.keys(tables) as TableName[]) rows[table] = await store.list(table);
      return rows;
    };
    const standing = await everything();
    for (const rows of [1, 7, 60, 150]) {
      assert.equal(await applyKilled(address, rows), "SIGKILL", `after ${rows} rows`);
      assert.deepEqual(await everything(), standing, `after ${rows} rows`);
    }
    assert.equal(await applyKilled(address, 1_000_000), null);
    const again = await applyManifest(after, context, { prune: true });
    assert.deepEqual([again.created, again.updated, again.removed], [[], [], []]);
    assert.equal(await store.find("oauth_apps", { client_id: "old" }), undefined);
  });
