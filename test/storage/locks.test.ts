import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as lockNames from "../../src/records/names/lock_names.ts";
import { postgres, sqlite } from "../../src/storage/database/dialect.ts";
import { lockStatement } from "../../src/storage/database/locks.ts";
import { databases } from "../support/databases.ts";

const { appLock, familyLock, invitationsLock, ownersLock, recordLock, userLock } = lockNames;

describe("locks that transactions take", () => {
  test("are taken in order of rank, then of text, when several are requested together", () => {
    const input = [
      invitationsLock("a"),
      { shared: appLock("a") },
      ownersLock("b"),
      { shared: userLock("a") },
      ownersLock("a"),
      familyLock("a"),
    ];
    const parameters = ["family a", "user a", "owners a", "owners b", "app a", "invitations a"];
    for (const locks of [input, input.toReversed()]) {
      const statement = lockStatement(postgres, locks);
      assert.deepEqual(statement?.parameters, parameters);
      const shared = [...(statement?.sql ?? "").matchAll(/shared\(hashtextextended\(\$(\d)/g)];
      assert.deepEqual(
        shared.map(([, place]) => place),
        ["2", "5"],
      );
    }
    assert.equal(lockStatement(sqlite, input), undefined);
    assert.equal(lockStatement(postgres, []), undefined);
  });

  test("have a text and a rank that no other kind of lock has", () => {
    const made = Object.values(lockNames).map((kind) => (kind as typeof recordLock)("one", "other"));
    assert.ok(made.length > 10);
    assert.equal(new Set(made.map(({ text }) => text)).size, made.length);
    assert.equal(new Set(made.map(({ rank }) => rank)).size, made.length);
  });

  for (const database of databases) {
    test(`make a transaction on ${database.name} fail if they are taken in the wrong order`, async () => {
      const store = await database.open();
      await store.transaction(async (tx) => {
        await tx.lock(userLock("a"));
        await tx.lock(recordLock("users", "a"), ownersLock("b"));
        // Locks of the same rank may be taken in any order, and a held lock may be taken again.
        await tx.lock(ownersLock("a"));
        await tx.lock(userLock("a"));
      });
      const backwards = store.transaction(async (tx) => {
        await tx.lock(recordLock("users", "a"));
        await tx.lock(userLock("a"));
      });
      await assert.rejects(backwards, /the lock "user a" is to be taken before "record users a"/);
    });
  }
});
