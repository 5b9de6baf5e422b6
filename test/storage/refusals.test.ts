import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, beforeEach, describe, test } from "node:test";
import type { NotedRefusal } from "../../src/storage/clients/refusals.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, aRefusal, aUser, later, start } from "../support/builders.ts";
import { databases, openStoreAt, removeEverything } from "../support/databases.ts";
import { staysInMemory } from "../support/stays_in_memory.ts";

let made = 0;

function refusalOf(overrides: Partial<NotedRefusal> = {}): NotedRefusal {
  made += 1;
  return {
    short_id: String(made).padStart(10, "0"),
    endpoint: "/oauth/authorize",
    error: "invalid_request",
    description: "redirect_uri is not registered",
    app_id: null,
    user_id: null,
    evidence: [
      {
        name: "redirect_uri",
        received: "https://app.example/callback/",
        expected: ["https://app.example/callback", "https://app.example/other"],
        kind: "uri",
      },
      { name: "code_challenge", received: null, expected: "a challenge", kind: "text" },
    ],
    request_id: "request-1",
    client_ip: "192.0.2.7",
    user_agent: "Browser/1",
    created_at: start,
    expires_at: later(7 * 86_400),
    ...overrides,
  };
}

for (const database of databases)
  describe(`stored refusals of requests on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });
    beforeEach(async () => {
      await store.flushRefusals();
      await removeEverything(store);
    });

    test("a refusal is stored completely at the next flush", async () => {
      const [app, user] = [await anApp(store), await aUser(store)];
      const refusal = refusalOf({ app_id: app.id, user_id: user.id });
      store.queueRefusal(refusal);
      assert.equal(await store.count("refusals"), 0);
      await store.flushRefusals();
      const [row, ...more] = await store.list("refusals");
      assert.deepEqual(more, []);
      assert.ok(row);
      const { id, ...rest } = row;
      assert.deepEqual(rest, refusal);
      assert.equal(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), start.getTime());
      await store.flushRefusals();
      assert.equal(await store.count("refusals"), 1);
    });

    test("a refusal whose app or user was deleted meanwhile is dropped, and others are stored", async () => {
      const [gone, user] = [await anApp(store), await aUser(store)];
      store.queueRefusal(refusalOf({ app_id: gone.id }));
      store.queueRefusal(refusalOf({ user_id: user.id }));
      const kept = refusalOf();
      store.queueRefusal(kept);
      await store.remove("oauth_apps", { id: gone.id });
      await store.remove("users", { id: user.id });
      await store.flushRefusals();
      assert.deepEqual(
        (await store.list("refusals")).map(({ short_id }) => short_id),
        [kept.short_id],
      );
    });

    test("deleting an app or a user deletes its refusals", async () => {
      const [app, user] = [await anApp(store), await aUser(store)];
      await aRefusal(store, { app_id: app.id });
      await aRefusal(store, { user_id: user.id });
      const other = await aRefusal(store);
      await store.remove("oauth_apps", { id: app.id });
      await store.remove("users", { id: user.id });
      assert.deepEqual(await store.list("refusals"), [other]);
    });

    test("T-5: input that is not text, or is very long, is stored as far as possible", async () => {
      const long = "é".repeat(5000);
      store.queueRefusal(
        refusalOf({
          user_agent: "Browser\0/\ud800",
          description: long,
          evidence: Array.from({ length: 80 }, () => ({
            name: "scope",
            received: Array.from({ length: 80 }, () => "\udc00\0"),
            expected: long,
            kind: "scopes",
          })),
        }),
      );
      const whole = refusalOf();
      store.queueRefusal(whole);
      await store.flushRefusals();
      const [row, second] = await store.list("refusals", {}, { order_by: "short_id" });
      assert.equal(second?.short_id, whole.short_id);
      assert.equal(row?.user_agent, "Browser\u{FFFD}/\u{FFFD}");
      assert.equal(row?.description, `${"é".repeat(2000)}…`);
      assert.equal(row?.evidence.length, 50);
      const received = row?.evidence[0]?.received;
      assert.deepEqual(
        received,
        Array.from({ length: 50 }, () => "\u{FFFD}\u{FFFD}"),
      );
    });

    test("of two refusals with the same short id the first is kept", async () => {
      const first = refusalOf();
      store.queueRefusal(first);
      store.queueRefusal({ ...refusalOf(), short_id: first.short_id, error: "invalid_scope" });
      await store.flushRefusals();
      assert.deepEqual(
        (await store.list("refusals")).map(({ error }) => error),
        ["invalid_request"],
      );
    });

    test("a flush waits for refusals that are already being written", async () => {
      for (let round = 0; round < 20; round++) {
        store.queueRefusal(refusalOf());
        const writing = store.flushRefusals();
        await store.flushRefusals();
        assert.equal(await store.count("refusals"), round + 1);
        await writing;
      }
    });

    test("of very many refusals between two flushes only some are stored", async () => {
      for (let index = 0; index < 2100; index++) store.queueRefusal(refusalOf());
      await store.flushRefusals();
      assert.equal(await store.count("refusals"), 2000);
      store.queueRefusal(refusalOf());
      await store.flushRefusals();
      assert.equal(await store.count("refusals"), 2001);
    });

    test("refusals that cannot be written wait for the next flush, and closing the store writes them", async () => {
      const address = await database.address();
      const empty = await openStoreAt(address);
      for (let index = 0; index < 150; index++) empty.queueRefusal(refusalOf());
      await assert.rejects(empty.flushRefusals());
      await empty.migrate(start);
      await empty.close();
      const again = await openStoreAt(address);
      assert.equal(await again.count("refusals"), 150);
    });

    test("storing refusals does not invalidate caches", async () => {
      await staysInMemory(store, () => {
        store.queueRefusal(refusalOf());
        return store.flushRefusals();
      });
      assert.ok((await store.count("refusals")) > 0);
    });

    test("refusals are listed by app, error, short id and the app's owner, newest first", async () => {
      const [app, owner] = [await anApp(store), await aUser(store)];
      const own = await anApp(store, { owner_id: owner.id });
      const first = await aRefusal(store, { app_id: app.id });
      const second = await aRefusal(store, { app_id: own.id, created_at: later(1), error: "invalid_scope" });
      const third = await aRefusal(store, { created_at: later(2), user_id: owner.id });
      const ids = async (query: object) =>
        (await store.listPage("refusals", { descending: true, limit: 10, ...query })).rows.map(
          ({ id }) => id,
        );
      assert.deepEqual(await ids({}), [third.id, second.id, first.id]);
      assert.deepEqual(await ids({ where: { app_id: app.id } }), [first.id]);
      assert.deepEqual(await ids({ where: { error: "invalid_scope" } }), [second.id]);
      assert.deepEqual(await ids({ where: { short_id: third.short_id } }), [third.id]);
      assert.deepEqual(await ids({ where: { app_id: randomUUID() } }), []);
      assert.deepEqual(await ids({ visible: { organization_ids: [], user_id: owner.id } }), [second.id]);
      assert.deepEqual(await ids({ created_from: later(1), created_before: later(2) }), [second.id]);
    });
  });
