import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { DatabaseAddress } from "../../src/storage/store.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { tableNames } from "./any_row.ts";
import { releases } from "./released/releases.ts";
import { restoreDump } from "./released/restore_dump.ts";

const program = fileURLToPath(new URL("migrating_process.ts", import.meta.url));

/**
 * Kills a migrating process (SIGKILL) when it is about to record the given number of migrations as applied.
 */
async function killAt(address: DatabaseAddress, noted: number): Promise<void> {
  const args = [program, JSON.stringify(address), String(noted)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  child.stdin.write("go\n");
  for await (const line of createInterface(child.stdout)) if (line === "stopped") child.kill("SIGKILL");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
}

for (const database of databases)
  test(`a migration killed at any step leaves the previous state, and the next start completes it, on ${database.name}`, async () => {
    const { name = "", schema = 0 } = releases[0] ?? {};
    const address = await database.address();
    const dump = await restoreDump(name, address);
    const store = await openStoreAt(address);
    const versions = (await store.migrationStatus()).map(({ version }) => version);
    const missing = versions.filter((version) => version > schema);
    for (const noted of [1, Math.ceil(missing.length / 2), missing.length]) {
      await killAt(address, noted);
      const applied = (await store.migrationStatus()).filter(({ applied }) => applied);
      assert.deepEqual(
        applied.map(({ version }) => version),
        versions.filter((version) => version <= schema),
      );
    }
    const applied = await store.migrate(new Date(dump.moment));
    assert.deepEqual(
      applied.map(({ version }) => version),
      missing,
    );
    for (const table of tableNames)
      assert.ok((await store.count(table, {})) >= (dump.rows[table] ?? 0), table);
  });
