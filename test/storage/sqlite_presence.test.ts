import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { UnavailableError } from "../../src/errors.ts";
import { openStore } from "../../src/storage/store.ts";
import { aUser, start } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";

const gone = { name: "UnavailableError", fault: "gone" };

async function opened(onFault?: (fault: UnavailableError) => void) {
  const path = join(temporaryFolder(), "postern.db");
  const store = await openStore({ kind: "sqlite", path }, onFault === undefined ? {} : { onFault });
  await store.migrate(start);
  return { store, path };
}

describe("F-28: a database file that is gone under a running server (reliability finding 12)", () => {
  test("F-28: writes are refused when it was removed, and when another stands in its place", async () => {
    const { store, path } = await opened();
    await aUser(store);
    const copy = `${path}.copy`;
    copyFileSync(path, copy);
    renameSync(path, `${path}.moved`);
    await assert.rejects(aUser(store), gone);
    await assert.rejects(store.proveWritable(), gone);
    copyFileSync(copy, path);
    await assert.rejects(aUser(store), { ...gone, message: /was replaced by another: restart/ });
    await assert.rejects(store.proveWritable(), gone);
    // What had been read can still be read, and the very file put back is written to again.
    assert.equal(await store.count("users"), 1);
    rmSync(path);
    renameSync(`${path}.moved`, path);
    await aUser(store);
    await store.proveWritable();
    assert.equal(await store.count("users"), 2);
    await store.close();
  });

  test("F-28: a change is not answered when the file went between its beginning and its commit", async () => {
    const { store, path } = await opened();
    const change = store.transaction(async (tx) => {
      renameSync(path, `${path}.moved`);
      await tx.list("users");
    });
    await assert.rejects(change, gone);
    renameSync(`${path}.moved`, path);
    await store.close();
  });

  test("F-28: nobody needs to queryUnprepared: it is told within a second", async () => {
    const told = Promise.withResolvers<UnavailableError>();
    const { store, path } = await opened(told.resolve);
    renameSync(path, `${path}.moved`);
    // The look is made in the background, on a timer that keeps no process alive.
    const alive = setInterval(() => {}, 1000);
    const fault = await told.promise;
    clearInterval(alive);
    assert.match(fault.message, /postern\.db is not there any more: put it back, or restart/);
    renameSync(`${path}.moved`, path);
    await store.close();
  });
});
