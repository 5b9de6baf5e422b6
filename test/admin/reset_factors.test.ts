import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AccountNotice, Actor } from "../../src/admin/access/actor.ts";
import { actOnRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { insertAny } from "../storage/any_row.ts";
import { aSession, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { problem, refused, testContext } from "./context.ts";

const users = resourceOf("users");
const reason = "Phone and codes were stolen; she came in person";
const factorTables = ["passkeys", "totp_authenticators", "recovery_codes", "devices"] as const;

for (const database of databasesInForm)
  describe(`MF-10 an administrator resets second factors on ${database.name}`, () => {
    async function setUp() {
      const store = await database.open();
      const ada = await aUser(store);
      const other = await aUser(store);
      for (const table of factorTables)
        for (const { id } of [ada, other]) await insertAny(store, table, { users: id });
      const root = await aUser(store, { is_platform_admin: true });
      const context = testContext(store);
      const notices: AccountNotice[] = [];
      const reported = { ...context, onAccountNotice: (notice: AccountNotice) => notices.push(notice) };
      const at = context.now().getTime();
      const methods = [
        { kind: "password", credential: null, at },
        { kind: "totp", credential: ada.id, at },
      ] as const;
      const fresh = await aSession(store, { user_id: root.id, methods });
      const weak = await aSession(store, { user_id: root.id, methods: methods.slice(0, 1) });
      const act = (actor: Actor, input: object = { reason }, id = ada.id) =>
        actOnRecord({ ...reported, actor }, users, "reset_factors", id, { ...input });
      const left = (user_id: string) =>
        Promise.all(factorTables.map((table) => store.count(table, { user_id })));
      return { store, ada, other, root, fresh, weak, act, left, notices, context };
    }

    test("a reset removes all factors, ends the user's sessions, writes an audit event and notifies the user", async () => {
      const { store, ada, other, root, fresh, act, left, notices, context } = await setUp();
      const session = await aSession(store, { user_id: ada.id });
      await act({ kind: "user", user: root, session_id: fresh.id });
      assert.deepEqual(await left(ada.id), [0, 0, 0, 0]);
      assert.deepEqual(await left(other.id), [1, 1, 1, 1]);
      const row = await store.find("users", { id: ada.id });
      assert.deepEqual([row?.factors_reset_at, row?.tokens_not_before], [context.now(), context.now()]);
      assert.notEqual((await store.find("sessions", { id: session.id }))?.ended_at, null);
      const [event, ...more] = await store.list("audit_events", { type: "user.factors_reset" });
      assert.deepEqual(more, []);
      assert.deepEqual(
        [event?.actor_id, event?.target_id, event?.details?.reason],
        [root.id, ada.id, reason],
      );
      assert.deepEqual(notices, [{ kind: "factors_reset", user_id: ada.id, email: ada.email }]);
    });

    test("the operator may also reset a user's factors", async () => {
      const { ada, act, left } = await setUp();
      await act({ kind: "system", label: "command line" });
      assert.deepEqual(await left(ada.id), [0, 0, 0, 0]);
    });

    test("a reset is refused to unauthorized callers, for the caller's own factors, and without a fresh second factor", async () => {
      const { store, ada, root, fresh, weak, act, left, context } = await setUp();
      const refused = problem("forbidden");
      const session_id = fresh.id;
      await assert.rejects(act({ kind: "user", user: root, session_id: weak.id }), refused);
      await assert.rejects(act({ kind: "user", user: root, scopes: ["postern:users:write"] }), refused);
      await assert.rejects(act({ kind: "user", user: root, session_id }, { reason }, root.id), refused);
      const own = await aSession(store, { user_id: ada.id, methods: fresh.methods });
      await assert.rejects(act({ kind: "user", user: ada, session_id: own.id }), refused);
      context.clock.advance(301);
      await assert.rejects(act({ kind: "user", user: root, session_id }), refused);
      assert.deepEqual(await left(ada.id), [1, 1, 1, 1]);
      assert.equal((await store.find("users", { id: ada.id }))?.factors_reset_at, null);
    });

    test("a reset requires a readable reason of at most 1000 characters", async () => {
      const { ada, act, left } = await setUp();
      for (const input of [{}, { reason: " " }, { reason: "x".repeat(1001) }, { reason: "a\u202Eb" }])
        await refused(act({ kind: "system", label: "t" }, input), "invalid_record /reason");
      assert.deepEqual(await left(ada.id), [1, 1, 1, 1]);
      await act({ kind: "system", label: "t" }, { reason: "x".repeat(1000) });
      assert.deepEqual(await left(ada.id), [0, 0, 0, 0]);
    });
  });
