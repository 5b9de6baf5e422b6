import assert from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { busyTimeout, takingTurns } from "../../src/storage/sqlite/group_commit.ts";
import { openStore } from "../../src/storage/store.ts";
import { aUser, start } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";

const busy = () => {
  throw Object.assign(new Error("database is locked"), { errcode: 5 });
};

describe("F-32: another process that locks an SQLite file delays only writes", () => {
  test("F-32: a write waits for the lock, and everything else continues meanwhile", async () => {
    const path = join(temporaryFolder(), "postern.db");
    const store = await openStore({ kind: "sqlite", path });
    await store.migrate(start);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    let written = false;
    const writing = aUser(store).then(() => {
      written = true;
    });
    // If the pending write blocked the process, each of these turns would wait for it.
    const from = performance.now();
    for (let turn = 0; turn < 20; turn++) await pause(1);
    assert.equal(await store.count("users"), 0);
    assert.ok(performance.now() - from < busyTimeout / 2, "the process stood still");
    assert.equal(written, false);
    other.exec("ROLLBACK");
    await writing;
    assert.equal(await store.count("users"), 1);
    other.close();
    await store.close();
  });

  test("F-32: several waiting writes together wait no longer than one", async () => {
    let clock = 0;
    const inTurn = takingTurns(() => {
      clock += 400;
      return clock;
    });
    await assert.rejects(inTurn(busy), /database is locked/);
    assert.ok(clock > busyTimeout);
    const before = clock;
    await assert.rejects(inTurn(busy), /database is locked/);
    assert.ok(clock - before < busyTimeout / 4);
    await inTurn(() => {});
    const again = clock;
    await assert.rejects(inTurn(busy), /database is locked/);
    assert.ok(clock - again > busyTimeout, "a file that was free in between is waited for anew");
  });

  test("F-32: a write to a damaged file fails without waiting", async () => {
    let tries = 0;
    const broken = () => {
      tries += 1;
      throw Object.assign(new Error("disk I/O error"), { errcode: 10 });
    };
    await assert.rejects(takingTurns()(broken), /disk I\/O/);
    assert.equal(tries, 1);
  });
});

test("F-37: a write after the database was closed fails alone, and the process continues", async () => {
  const store = await openStore({ kind: "sqlite", path: join(temporaryFolder(), "postern.db") });
  await store.migrate(start);
  await store.close();
  await assert.rejects(aUser(store), /database is not open|finalized/);
});

test("F-29: a database file that cannot be opened is reported with its path", async () => {
  const path = temporaryFolder();
  await assert.rejects(openStore({ kind: "sqlite", path }), (error: Error) => {
    assert.equal(
      error.message,
      `the database ${path} cannot be opened: unable to open database file (${path} is a folder)`,
    );
    return true;
  });
});

test("F-28: a database opened through a symbolic link finds its write-ahead log next to the target", async () => {
  const [there, folder] = [join(temporaryFolder(), "there.db"), temporaryFolder()];
  const path = join(folder, "postern.db");
  symlinkSync(there, path);
  const store = await openStore({ kind: "sqlite", path });
  await store.migrate(start);
  await aUser(store);
  await store.proveWritable();
  assert.ok(((await store.logSize()) ?? 0) > 0);
  assert.deepEqual(readdirSync(folder), ["postern.db"]);
  await store.close();
});
