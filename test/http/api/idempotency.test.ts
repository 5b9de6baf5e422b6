import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { AdminContext } from "../../../src/admin/access/actor.ts";
import type { OnceRequest, StoredAnswer } from "../../../src/admin/manage/idempotency.ts";
import * as idempotency from "../../../src/admin/manage/idempotency.ts";
import { testServer } from "../../support/authorization_server.ts";
import { aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";

/** Calls `answerOnce` for a caller who still has the permissions. */
const answerOnce = (context: AdminContext, request: OnceRequest, work: () => Promise<StoredAnswer>) =>
  idempotency.answerOnce(context, request, work, async () => {});

const request = { method: "POST", path: "/api/v1/users", key: "k", body: '{"a":1}' };

for (const database of databasesInForm)
  describe(`requests with an idempotency key on ${database.name}`, () => {
    let context: AdminContext;
    let advance: (seconds: number) => void;
    before(async () => {
      const { server, store, clock } = await testServer(await database.open());
      const user = await aUser(store);
      const { passwords, sealer, now } = server;
      context = { store, passwords, sealer, now, actor: { kind: "user", user }, switches: {} };
      advance = clock.advance;
    });

    let made = 0;
    const work = async (): Promise<StoredAnswer> => {
      made += 1;
      return { status: 201, headers: { etag: '"1"' }, body: `made ${made}, secret-of-the-answer` };
    };

    test("a repeated request gets the first response for 24 hours, and is executed again afterwards", async () => {
      const { answer, repeated } = await answerOnce(context, request, work);
      assert.equal(repeated, false);
      assert.deepEqual(await answerOnce(context, request, work), { answer, repeated: true });
      advance(24 * 3600 - 1);
      assert.deepEqual(await answerOnce(context, request, work), { answer, repeated: true });
      advance(1);
      assert.notDeepEqual((await answerOnce(context, request, work)).answer, answer);
    });

    test("the same key with another body is refused; another key, path, method or caller is another request", async () => {
      const { answer } = await answerOnce(context, { ...request, key: "one" }, work);
      await assert.rejects(answerOnce(context, { ...request, key: "one", body: "{}" }, work), {
        status: 422,
        code: "idempotency_mismatch",
      });
      const other: AdminContext = { ...context, actor: { kind: "user", user: await aUser(context.store) } };
      const { actor } = context;
      assert.ok(actor.kind === "user");
      const narrower: AdminContext = { ...context, actor: { ...actor, scopes: ["postern:users:read"] } };
      for (const [who, input] of [
        [narrower, { key: "one" }],
        [context, { key: "two" }],
        [context, { key: "one", path: "/api/v1/apps" }],
        [context, { key: "one", method: "PUT" }],
        [other, { key: "one" }],
      ] as const) {
        assert.notDeepEqual((await answerOnce(who, { ...request, ...input }, work)).answer, answer);
      }
    });

    test("of many concurrent requests with one key, one is executed and the others get its response or must wait", async () => {
      const before = made;
      const requested = { ...request, key: "race" };
      const others = 11;
      let reported = 0;
      const allRefused = Promise.withResolvers<void>();
      const underWay = async () => {
        await allRefused.promise;
        return work();
      };
      const ask = async () => {
        try {
          return await answerOnce(context, requested, underWay);
        } catch (error) {
          assert.equal((error as { code: string }).code, "idempotency_in_progress");
          reported += 1;
          if (reported === others) allRefused.resolve();
          return undefined;
        }
      };
      const outcomes = await Promise.all(Array.from({ length: others + 1 }, ask));
      const [first, ...further] = outcomes.filter((outcome) => outcome !== undefined);
      assert.deepEqual([made, first?.repeated, further], [before + 1, false, []]);
      assert.deepEqual(await answerOnce(context, requested, work), { ...first, repeated: true });
    });

    test("a failed request is not stored, and its key can be used again", async () => {
      const requested = { ...request, key: "failing" };
      await assert.rejects(
        answerOnce(context, requested, async () => {
          throw new Error("no database");
        }),
        /no database/,
      );
      const failed = { status: 503, headers: {}, body: "" };
      assert.deepEqual(await answerOnce(context, requested, async () => failed), {
        answer: failed,
        repeated: false,
      });
      assert.equal((await answerOnce(context, requested, work)).answer.status, 201);
      const refused = { status: 422, headers: {}, body: "refused" };
      const again = { ...requested, key: "refused" };
      await answerOnce(context, again, async () => refused);
      assert.deepEqual((await answerOnce(context, again, work)).answer, refused);
    });

    test("after a process died during a request, its key can be used again after five minutes", async () => {
      const requested = { ...request, key: `dying ${randomUUID()}` };
      const begun = Promise.withResolvers<void>();
      void answerOnce(context, requested, () => {
        begun.resolve();
        return new Promise(() => {});
      });
      await begun.promise;
      await assert.rejects(answerOnce(context, requested, work), { code: "idempotency_in_progress" });
      advance(300);
      assert.equal((await answerOnce(context, requested, work)).answer.status, 201);
    });

    test("H-5: the stored response is encrypted: the database contains neither key nor response", async () => {
      await answerOnce(context, { ...request, key: "a-key-of-the-caller" }, work);
      const rows = await context.store.list("ephemera", { kind: "idempotency" });
      assert.ok(rows.length > 0);
      assert.doesNotMatch(JSON.stringify(rows), /secret-of-the-answer|a-key-of-the-caller/);
    });
  });
