import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import type { UnavailableError } from "../../src/errors.ts";
import { openStore } from "../../src/storage/store.ts";
import { aUser, later, start } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";

const gone = { name: "UnavailableError", kind: "gone" };

async function opened(onUnavailable?: (kind: UnavailableError) => void) {
  const path = join(temporaryFolder(), "postern.db");
  const store = await openStore(
    { kind: "sqlite", path },
    onUnavailable === undefined ? {} : { onUnavailable },
  );
  await store.migrate(start);
  return { store, path };
}

describe("F-28: a database file removed under a running server (reliability finding 12)", () => {
  test("F-28: writes are refused if the file was removed or replaced", async () => {
    const { store, path } = await opened();
    await aUser(store);
    const copy = `${path}.copy`;
    copyFileSync(path, copy);
    renameSync(path, `${path}.moved`);
    await assert.rejects(aUser(store), gone);
    await assert.rejects(store.proveWritable(), gone);
    copyFileSync(copy, path);
    await assert.rejects(aUser(store), { ...gone, message: /was replaced by another file: restart/ });
    await assert.rejects(store.proveWritable(), gone);
    // Earlier pages can still be read, and the file is writable again once it is put back.
    assert.equal(await store.count("users"), 1);
    rmSync(path);
    renameSync(`${path}.moved`, path);
    await aUser(store);
    await store.proveWritable();
    assert.equal(await store.count("users"), 2);
    await store.close();
  });

  test("F-28: a change is not confirmed if the file was removed between its start and its commit", async () => {
    const { store, path } = await opened();
    const change = store.transaction(async (tx) => {
      renameSync(path, `${path}.moved`);
      await tx.list("users");
    });
    await assert.rejects(change, gone);
    renameSync(`${path}.moved`, path);
    await store.close();
  });

  for (const [end, what] of [
    ["-wal", "the write-ahead log"],
    ["-shm", "the index of the write-ahead log"],
  ] as const) {
    test(`F-28: writes are refused if ${what} was removed or replaced, and after a restart all data exists`, async () => {
      const { store, path } = await opened();
      const file = `${path}${end}`;
      await aUser(store);
      renameSync(file, `${path}.moved`);
      await assert.rejects(store.proveWritable(), { ...gone, message: RegExp(`^${what} .*: put it back`) });
      await assert.rejects(aUser(store), gone);
      copyFileSync(`${path}.moved`, file);
      await assert.rejects(store.proveWritable(), { ...gone, message: RegExp(`^${what} .*was replaced`) });
      await assert.rejects(aUser(store), gone);
      renameSync(`${path}.moved`, file);
      await store.proveWritable();
      await aUser(store);
      rmSync(file);
      await assert.rejects(store.proveWritable(), gone);
      await store.close();
      const again = await openStore({ kind: "sqlite", path });
      assert.equal(await again.count("users"), 2);
      await again.close();
    });
  }

  test("F-28: a change is not confirmed if the write-ahead log was removed before its commit", async () => {
    const { store, path } = await opened();
    const change = store.transaction(async (tx) => {
      renameSync(`${path}-wal`, `${path}.moved`);
      await tx.list("users");
    });
    await assert.rejects(change, gone);
    await assert.rejects(aUser(store), gone);
    renameSync(`${path}.moved`, `${path}-wal`);
    await aUser(store);
    await store.close();
  });

  test("F-28: another process that checkpoints, truncates or vacuums the database causes no false alarm", async () => {
    const { store, path } = await opened();
    for (let number = 0; number < 50; number++) {
      await store.storeEphemeral("proof", Buffer.from(`${number}`), "x".repeat(20_000), later(60), start);
    }
    const other = new DatabaseSync(path);
    other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    await store.proveWritable();
    const size = statSync(path).size;
    // When this store's change begins, the file is smaller, and further pages are only in the log.
    const change = store.transaction(async (tx) => {
      await tx.list("users");
    });
    other.exec("DELETE FROM ephemera; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    assert.ok(statSync(path).size < size);
    other.exec("CREATE TABLE others AS SELECT randomblob(50000) AS bytes");
    await change;
    other.close();
    await store.proveWritable();
    await aUser(store);
    await store.close();
  });

  test("F-28: a removed file is detected within a second even without queries", async () => {
    const reported = Promise.withResolvers<UnavailableError>();
    const { store, path } = await opened(reported.resolve);
    renameSync(path, `${path}.moved`);
    // The check runs in the background, on a timer that does not keep the process alive.
    const alive = setInterval(() => {}, 1000);
    const kind = await reported.promise;
    clearInterval(alive);
    assert.match(kind.message, /postern\.db no longer exists: put it back, or restart/);
    renameSync(`${path}.moved`, path);
    await store.close();
  });
});
