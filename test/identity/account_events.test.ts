import assert from "node:assert/strict";
import { test } from "node:test";
import { recentAccountEvents } from "../../src/identity/account_events.ts";
import type { NewRow } from "../../src/records/definition.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";

describeInForm("recent events of an account", (database) => {
  async function setUp() {
    const { server } = await testServer(await database.open());
    const { store } = server;
    const [ada, root] = [await aUser(store), await aUser(store)];
    let seconds = 0;
    const note = async (event: Pick<NewRow<"audit_events">, "type"> & Partial<NewRow<"audit_events">>) => {
      seconds += 1;
      const created_at = new Date(start.getTime() + seconds * 1000);
      await store.insert("audit_events", {
        id: store.newId(created_at),
        outcome: "success",
        actor_kind: "user",
        actor_id: ada.id,
        organization_id: null,
        target_table: null,
        target_id: null,
        client_ip: "192.0.2.7",
        user_agent: "curl/8",
        request_id: null,
        details: null,
        created_at,
        ...event,
      });
    };
    const kinds = async (most = 10) =>
      (await recentAccountEvents(ada, most, { store })).map(({ kind }) => kind);
    return { store, ada, root, note, kinds };
  }

  test("sign-ins and changes of credentials are there, the newest first, and nothing else", async () => {
    const { note, kinds, ada } = await setUp();
    await note({ type: "sign_in" });
    await note({ type: "app.created", target_table: "oauth_apps", target_id: "1" });
    await note({ type: "sign_in", outcome: "failure" });
    const own = { type: "user.updated", target_table: "users", target_id: ada.id };
    await note({ ...own, details: { after: { name: "Ada" } } });
    await note({ ...own, details: { after: {}, also_changed: ["password_hash"] } });
    await note({ ...own, details: { after: { email: "a@example.com" } } });
    assert.deepEqual(await kinds(), ["email_changed", "password_changed", "sign_in_failed", "sign_in"]);
    assert.deepEqual(await kinds(2), ["email_changed", "password_changed"]);
  });

  test("passkeys, authenticator apps, recovery codes and linked accounts are there, and a reset of them", async () => {
    const { note, kinds, ada, root } = await setUp();
    const done = [
      ["passkey.created", "passkeys"],
      ["passkey.updated", "passkeys"],
      ["passkey.deleted", "passkeys"],
      ["authenticator_app.created", "totp_authenticators"],
      ["authenticator_app.updated", "totp_authenticators"],
      ["authenticator_app.deleted", "totp_authenticators"],
      ["recovery_codes.created", "users"],
      ["recovery_code.used", "users"],
      ["linked_account.created", "oauth_accounts"],
      ["linked_account.deleted", "oauth_accounts"],
    ] as const;
    for (const [type, target_table] of done) {
      await note({ type, target_table, target_id: target_table === "users" ? ada.id : root.id });
    }
    await note({ type: "passkey.refused", target_table: "passkeys", target_id: "1", outcome: "failure" });
    await note({ type: "passkey.created", target_table: "passkeys", target_id: "1", outcome: "failure" });
    const byRoot = { actor_id: root.id, target_table: "users", target_id: ada.id };
    for (const type of ["user.factors_reset", "user.factor_removed"]) await note({ type, ...byRoot });
    const taken = ["user.factors_reset", "user.factor_removed"];
    const expected = [...done.map(([type]) => type), "passkey.refused", ...taken];
    assert.deepEqual(await kinds(20), expected.toReversed());
  });

  test("what an administrator did tells neither their address nor their device", async () => {
    const { store, ada, root, note } = await setUp();
    const details = { after: {}, also_changed: ["password_hash"] };
    const done = { type: "user.updated", actor_id: root.id, target_table: "users", details };
    await note({ ...done, target_id: ada.id });
    const [event, ...more] = await recentAccountEvents(ada, 10, { store });
    assert.deepEqual(more, []);
    assert.equal(event?.kind, "password_changed");
    assert.deepEqual([event.by_other, event.client_ip, event.user_agent], [true, null, null]);
    assert.deepEqual(await recentAccountEvents(root, 10, { store }), []);
  });

  test("other people's events are not there", async () => {
    const { root, note, kinds } = await setUp();
    await note({ type: "sign_in", actor_id: root.id });
    await note({ type: "sign_in", actor_kind: "anonymous", actor_id: null });
    assert.deepEqual(await kinds(), []);
  });
});
