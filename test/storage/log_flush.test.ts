import assert from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { openStore } from "../../src/storage/store.ts";
import { aUser, later, start } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";

type Flushed = (error: NodeJS.ErrnoException | null) => void;

async function opened() {
  const path = join(temporaryFolder(), "postern.db");
  const store = await openStore({ kind: "sqlite", path });
  await store.migrate(start);
  return { store, path };
}

/** A simulated disk that completes flushes on command, and records which file was flushed. */
function slowDisk(t: TestContext) {
  const requested: { readonly descriptor: number; readonly inode: number; readonly flushed: Flushed }[] = [];
  t.mock.method(fs, "fdatasync", (descriptor: number, flushed: Flushed) => {
    requested.push({ descriptor, inode: fs.fstatSync(descriptor).ino, flushed });
  });
  return requested;
}

async function untilRequested(requested: readonly unknown[], times: number): Promise<void> {
  while (requested.length < times) await turn();
}

const broken = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
const refused = {
  name: "UnavailableError",
  kind: "away",
  message: /repair the disk, then restart the server: EIO/,
};

describe("F-39: SQLite's write-ahead log is flushed before a response, without blocking the process", () => {
  test("F-39: a change is confirmed when its log is on disk, and reads are answered meanwhile", async (t) => {
    const { store, path } = await opened();
    const requested = slowDisk(t);
    let answered = false;
    const change = aUser(store).then(() => {
      answered = true;
    });
    await untilRequested(requested, 1);
    assert.equal(requested[0]?.inode, fs.statSync(`${path}-wal`).ino);
    for (let number = 0; number < 20; number++) {
      await store.list("organizations");
      await turn();
    }
    assert.equal(answered, false);
    requested[0]?.flushed(null);
    await change;
    t.mock.restoreAll();
    await store.close();
  });

  test("F-39: changes that arrive during a flush share the next commit and its flush", async (t) => {
    const { store } = await opened();
    const requested = slowDisk(t);
    const answered: string[] = [];
    const hear = (name: string) => () => answered.push(name);
    const first = aUser(store).then(hear("first"));
    await untilRequested(requested, 1);
    const second = [aUser(store), aUser(store), aUser(store)].map((change) => change.then(hear("second")));
    await untilRequested(requested, 2);
    const third = aUser(store).then(hear("third"));
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(requested.length, 2);
    assert.notEqual(
      requested[0]?.descriptor,
      requested[1]?.descriptor,
      "one would hear of a lost page alone",
    );
    requested[0]?.flushed(null);
    await first;
    assert.deepEqual(answered, ["first"]);
    await untilRequested(requested, 3);
    requested[1]?.flushed(null);
    requested[2]?.flushed(null);
    await Promise.all([...second, third]);
    assert.equal(await store.count("users"), 5);
    t.mock.restoreAll();
    await store.close();
  });

  test("F-39: after a failed flush nothing is written until a restart, and readiness reports it", async (t) => {
    const { store, path } = await opened();
    const requested = slowDisk(t);
    const change = aUser(store);
    const rejected = assert.rejects(change, refused);
    await untilRequested(requested, 1);
    requested[0]?.flushed(broken);
    await rejected;
    t.mock.restoreAll();
    // A successful flush now proves nothing about earlier losses.
    await assert.rejects(aUser(store), refused);
    await assert.rejects(store.proveWritable(), refused);
    await store.list("users");
    await store.close();
    const again = await openStore({ kind: "sqlite", path });
    await aUser(again);
    await again.proveWritable();
    await again.close();
  });
});

test("SQLite's write-ahead log shrinks after the reader that prevented it has ended", async () => {
  const { store, path } = await opened();
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM users");
  const size = () => fs.statSync(`${path}-wal`).size;
  const value = "x".repeat(1_000_000);
  const write = (number: number) =>
    store.storeEphemeral("proof", Buffer.from(String(number)), value, later(60), start);
  for (let number = 0; number < 20; number += 1) await write(number);
  assert.ok(size() > 20_000_000);
  reader.exec("COMMIT");
  reader.close();
  // The first checkpoint copies the log into the database, and the next one restarts the log.
  for (let number = 0; number < 2; number += 1) await write(number);
  assert.equal(size(), 16 * 1024 * 1024);
  await store.close();
});
