import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { UniqueViolation } from "../../src/errors/violations.ts";
import type { Store } from "../../src/storage/store.ts";
import { accessOnly, anApp, aUser, start, tokenOf } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

for (const database of databases)
  describe(`transactions and their commits on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("design 1.3: every acknowledged token exists after the process is killed", async () => {
      const address = await database.tables();
      const first = await openStoreAt(address);
      const app = await anApp(first);
      await first.close();

      const program = fileURLToPath(new URL("inserting_process.ts", import.meta.url));
      const child = spawn(process.execPath, [program, JSON.stringify(address), app.id], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const answered: string[] = [];
      const enough = Promise.withResolvers<void>();
      createInterface(child.stdout).on("line", (line) => {
        if (answered.push(line) === 200) enough.resolve();
      });
      child.once("exit", () => enough.reject(new Error("the program ended by itself")));
      await enough.promise;
      child.kill("SIGKILL");
      await once(child, "close");

      const again = await openStoreAt(address);
      const stored = new Set((await again.list("oauth_tokens", { app_id: app.id })).map(({ id }) => id));
      const whole = answered.filter((id) => id.length === 36);
      assert.ok(whole.length >= 200);
      assert.deepEqual(
        whole.filter((id) => !stored.has(id)),
        [],
      );
    });

    test("a failing transaction among many that share a commit is the only one rolled back", async () => {
      const [app, taken] = [await anApp(store), await anApp(store)];
      const names = Array.from({ length: 50 }, (_, index) => `user-${index}@commit.example`);
      const outcomes = await Promise.allSettled(
        names.map((email, index) =>
          store.transaction(async (tx) => {
            const id = store.newId(start);
            await tx.insert("users", {
              id,
              email,
              email_key: email,
              name: "Ada",
              created_at: start,
              updated_at: start,
            });
            if (index % 10 === 3) throw new Error("changed its mind");
            if (index % 10 === 7)
              await tx.update("oauth_apps", { id: app.id }, { client_id: taken.client_id });
          }),
        ),
      );
      for (const [index, outcome] of outcomes.entries()) {
        const failing = index % 10 === 3 || index % 10 === 7;
        assert.equal(outcome.status, failing ? "rejected" : "fulfilled");
        if (outcome.status === "rejected" && index % 10 === 7)
          assert.ok(outcome.reason instanceof UniqueViolation);
        assert.equal(await store.count("users", { email: names[index] ?? "" }), failing ? 0 : 1);
      }
    });

    test("a refused row among many that share a commit is the only one not stored", async () => {
      const app = await anApp(store);
      const token = () => tokenOf({ app_id: app.id, user_id: null, ...accessOnly });
      const stored = token();
      await store.insertToken(stored);
      const tokens = Array.from({ length: 60 }, (_, index) => ({
        ...token(),
        ...(index % 20 === 7 && { access_token_signature: stored.access_token_signature }),
      }));
      const outcomes = await Promise.allSettled(tokens.map((each) => store.insertToken(each)));
      for (const [index, outcome] of outcomes.entries()) {
        const refused = index % 20 === 7;
        assert.equal(outcome.status, refused ? "rejected" : "fulfilled");
        if (outcome.status === "rejected") assert.ok(outcome.reason instanceof UniqueViolation);
        assert.equal(await store.count("oauth_tokens", { id: tokens[index]?.id ?? "" }), refused ? 0 : 1);
      }
    });

    test("transactions in sequence, and transactions started with results of others, all complete", async () => {
      const chain = async (depth: number): Promise<void> => {
        await aUser(store);
        if (depth > 0) await Promise.all([chain(depth - 1), chain(depth - 1)]);
      };
      const was = await store.count("users");
      await chain(5);
      assert.equal(await store.count("users"), was + 63);
    });

    test("a read outside a transaction never sees uncommitted data, and a read inside sees its own", async () => {
      const id = store.newId(start);
      const user = {
        id,
        email: `${id}@example.com`,
        email_key: id,
        name: "Ada",
        created_at: start,
        updated_at: start,
      };
      const seen: unknown[] = [];
      await assert.rejects(
        store.transaction(async (tx) => {
          await tx.insert("users", user);
          seen.push(await store.find("users", { id }), (await tx.find("users", { id }))?.name);
          throw new Error("undone");
        }),
        /undone/,
      );
      assert.deepEqual(seen, [undefined, "Ada"]);
      assert.equal(await store.find("users", { id }), undefined);
    });

    test("a transaction that resolves has stored its writes, even if a statement in it failed", async () => {
      const [one, other] = [await anApp(store), await anApp(store)];
      const outcome = await store
        .transaction(async (tx) => {
          await tx.update("oauth_apps", { id: one.id }, { client_id: other.client_id }).catch(() => {});
          await tx.update("oauth_apps", { id: one.id }, { name: "Renamed" }).catch(() => {});
        })
        .then(
          () => "Renamed",
          () => one.name,
        );
      assert.equal((await store.find("oauth_apps", { id: one.id }))?.name, outcome);
    });

    test("a transaction returns the result of its function", async () => {
      assert.equal(await store.transaction(async () => 42), 42);
    });

    test("closing the store waits for running transactions", async () => {
      const address = await database.tables();
      const first = await openStoreAt(address);
      const app = await anApp(first);
      const writes = Array.from({ length: 10 }, () =>
        first.insertToken(tokenOf({ app_id: app.id, user_id: null, ...accessOnly })),
      );
      await Promise.all([...writes, first.close()]);
      const again = await openStoreAt(address);
      assert.equal(await again.count("oauth_tokens", { app_id: app.id }), 10);
    });
  });
