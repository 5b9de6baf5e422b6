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
const reason = "She lost the phone and has the key";
const operator = { kind: "system", label: "command line" } as const;

for (const database of databasesInForm)
  describe(`MF-10 an administrator removes one second factor on ${database.name}`, () => {
    async function setUp() {
      const store = await database.open();
      const ada = await aUser(store);
      const bob = await aUser(store);
      const { id: passkey } = await insertAny(store, "passkeys", { users: ada.id }, { name: "Phone" });
      const { id: app } = await insertAny(store, "totp_authenticators", { users: ada.id }, { name: "App" });
      await insertAny(store, "recovery_codes", { users: ada.id });
      await insertAny(store, "devices", { users: ada.id });
      const { id: other } = await insertAny(store, "passkeys", { users: bob.id });
      const root = await aUser(store, { is_platform_admin: true });
      const context = testContext(store);
      const notices: AccountNotice[] = [];
      const reported = { ...context, onAccountNotice: (notice: AccountNotice) => notices.push(notice) };
      const at = context.now().getTime();
      const methods = [
        { kind: "password", credential: null, at },
        { kind: "totp", credential: root.id, at },
      ] as const;
      const fresh = await aSession(store, { user_id: root.id, methods });
      const weak = await aSession(store, { user_id: root.id, methods: methods.slice(0, 1) });
      const act = (actor: Actor, factor_id: unknown, input: object = { reason }, id = ada.id) =>
        actOnRecord({ ...reported, actor }, users, "remove_factor", id, { factor_id, ...input });
      const left = async () => [
        await store.count("passkeys", { user_id: ada.id }),
        await store.count("totp_authenticators", { user_id: ada.id }),
      ];
      return { store, ada, bob, root, fresh, weak, passkey, app, other, act, left, notices, context, at };
    }

    test("removing one factor ends the sessions that depend on it, writes an audit event and notifies the user", async () => {
      const { store, ada, root, fresh, passkey, act, left, notices, at } = await setUp();
      const byKey = [{ kind: "passkey", credential: passkey, at, uv: true }] as const;
      const opened = await aSession(store, { user_id: ada.id, methods: byKey });
      const another = await aSession(store, { user_id: ada.id });
      await act({ kind: "user", user: root, session_id: fresh.id }, passkey);
      assert.deepEqual(await left(), [0, 1]);
      assert.equal(await store.count("recovery_codes", { user_id: ada.id }), 1);
      assert.equal(await store.count("devices", { user_id: ada.id }), 0, "MF-13");
      assert.notEqual((await store.find("sessions", { id: opened.id }))?.ended_at, null);
      assert.equal((await store.find("sessions", { id: another.id }))?.ended_at, null);
      const row = await store.find("users", { id: ada.id });
      assert.deepEqual([row?.factors_reset_at, row?.tokens_not_before], [null, ada.tokens_not_before]);
      const [event, ...more] = await store.list("audit_events", { type: "user.factor_removed" });
      assert.deepEqual(more, []);
      assert.deepEqual([event?.actor_id, event?.target_id], [root.id, ada.id]);
      const details = { factor: "passkey", factor_id: passkey, name: "Phone", reason };
      assert.deepEqual(event?.details, details);
      assert.deepEqual(notices, [{ kind: "passkey_removed", user_id: ada.id, name: "Phone" }]);
    });

    test("an authenticator app is removed in the same way as a passkey, also by the operator", async () => {
      const { ada, app, act, left, notices } = await setUp();
      await act(operator, app.toUpperCase());
      assert.deepEqual(await left(), [1, 0]);
      assert.deepEqual(notices, [{ kind: "factor_removed", user_id: ada.id, name: "App" }]);
    });

    test("the last factor cannot be removed, even if two removals are concurrent; only a reset removes all factors", async () => {
      const { passkey, app, act, left } = await setUp();
      const outcomes = await Promise.allSettled([act(operator, passkey), act(operator, app)]);
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
      const sum = (await left()).reduce((one, two) => one + two);
      assert.equal(sum, 1);
      const kept = (await left())[0] === 1 ? passkey : app;
      await refused(act(operator, kept), "conflict");
      assert.equal(
        (await left()).reduce((one, two) => one + two),
        1,
      );
    });

    test("removal is refused to unauthorized callers, for the caller's own factors, and without a fresh second factor", async () => {
      const { store, ada, root, fresh, weak, passkey, act, left, context } = await setUp();
      const refused = problem("forbidden");
      const session_id = fresh.id;
      await assert.rejects(act({ kind: "user", user: root, session_id: weak.id }, passkey), refused);
      await assert.rejects(
        act({ kind: "user", user: root, scopes: ["postern:users:write"] }, passkey),
        refused,
      );
      const own = await aSession(store, { user_id: ada.id, methods: fresh.methods });
      await assert.rejects(act({ kind: "user", user: ada, session_id: own.id }, passkey), refused);
      const roots = await insertAny(store, "passkeys", { users: root.id });
      await insertAny(store, "totp_authenticators", { users: root.id });
      await assert.rejects(
        act({ kind: "user", user: root, session_id }, roots.id, { reason }, root.id),
        refused,
      );
      context.clock.advance(301);
      await assert.rejects(act({ kind: "user", user: root, session_id }, passkey), refused);
      assert.deepEqual(await left(), [1, 1]);
      assert.equal(await store.count("passkeys", { id: roots.id }), 1);
    });

    test("removal requires a factor that belongs to the user, and a reason", async () => {
      const { passkey, other, act, left, store } = await setUp();
      for (const wrong of [other, "nonsense", 1, null])
        await refused(act(operator, wrong), "invalid_record /factor_id");
      await refused(act(operator, undefined, {}), "invalid_record /factor_id /reason");
      for (const input of [{}, { reason: " " }, { reason: "x".repeat(1001) }, { reason: "a\u202Eb" }])
        await refused(act(operator, passkey, input), "invalid_record /reason");
      assert.deepEqual(await left(), [1, 1]);
      assert.equal(await store.count("passkeys", { id: other }), 1);
    });
  });
