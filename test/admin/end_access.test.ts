import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { actOnRecord } from "../../src/admin/manage/manage.ts";
import type { OwnVerb } from "../../src/admin/manage/resource.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import {
  aConsent,
  aMembership,
  anApiKey,
  anApp,
  aSession,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { problem, refused, testContext } from "./context.ts";

const users = resourceOf("users");
const verbs = ["sign_out", "revoke_everything"] as const satisfies readonly OwnVerb[];

describe("an operator ends the access of a user", () => {
  async function setUp() {
    const [database] = databases;
    assert.ok(database);
    const store = await database.open();
    const context = testContext(store);
    const root = await aUser(store, { is_platform_admin: true });
    const app = await anApp(store);
    const has = async (user_id: string) => {
      const { id: session_id } = await aSession(store, { user_id });
      const usual = { user_id, app_id: app.id };
      await aToken(store, { ...usual, session_id });
      await aToken(store, {
        ...usual,
        session_id,
        request_data: JSON.stringify({ scope: "openid offline_access" }),
      });
      await anApiKey(store, { user_id });
      await aConsent(store, usual);
    };
    const ada = await aUser(store, { password_hash: "kept" });
    const other = await aUser(store);
    for (const { id } of [ada, other]) await has(id);
    const left = async (user_id: string) => ({
      sessions: await store.count("sessions", { user_id, ended_at: null }),
      tokens: await store.count("oauth_tokens", { user_id, revoked: false }),
      api_keys: await store.count("api_keys", { user_id, revoked: false }),
      consents: await store.count("oauth_consents", { user_id, revoked: false }),
    });
    const act = (actor: Actor, verb: OwnVerb, id = ada.id) =>
      actOnRecord({ ...context, actor }, users, verb, id, {});
    return { store, ada, other, root, left, act, context };
  }
  const all = { sessions: 1, tokens: 2, api_keys: 1, consents: 1 };

  test("sign_out ends the user's sessions and their tokens, like a sign-out by the user", async () => {
    const { store, ada, other, root, left, act } = await setUp();
    await act({ kind: "user", user: root }, "sign_out");
    assert.deepEqual(await left(ada.id), { ...all, sessions: 0, tokens: 1 });
    assert.deepEqual(await left(other.id), all);
    const [event] = await store.list("audit_events", { type: "session.revoked" });
    assert.equal(event?.actor_id, root.id);
  });

  test("sign_out also ends the tokens of sessions that have expired", async () => {
    const { store, ada, root, left, act } = await setUp();
    const [session] = await store.list("sessions", { user_id: ada.id });
    await store.update("sessions", { id: session?.id ?? "" }, { expires_at: later(-1) });
    await act({ kind: "user", user: root }, "sign_out");
    assert.equal((await left(ada.id)).tokens, 1);
  });

  test("revoke_everything keeps the account and ends everything that was issued to it", async () => {
    const { store, ada, other, root, left, act, context } = await setUp();
    const answer = await act({ kind: "user", user: root }, "revoke_everything");
    assert.equal(answer.active, true);
    assert.deepEqual(await left(ada.id), { sessions: 0, tokens: 0, api_keys: 0, consents: 0 });
    assert.deepEqual(await left(other.id), all);
    const row = await store.find("users", { id: ada.id });
    assert.deepEqual([row?.password_hash, row?.tokens_not_before], ["kept", context.now()]);
    const [event, ...more] = await store.list("audit_events", { type: "user.access_revoked" });
    assert.deepEqual([event?.actor_id, event?.target_id, more], [root.id, ada.id, []]);
  });

  for (const verb of verbs)
    test(`${verb} requires a platform administrator, and a credential without the scope ends nothing`, async () => {
      const { store, ada, root, left, act } = await setUp();
      const organization_admin = await aUser(store);
      const { organization_id } = await aMembership(store, { user_id: organization_admin.id, role: "admin" });
      await aMembership(store, { user_id: ada.id, organization_id });
      const isRefused = problem("forbidden");
      const scopes = ["postern:users:write"];
      for (const actor of [
        { kind: "user", user: ada },
        { kind: "user", user: organization_admin },
        { kind: "user", user: root, scopes },
      ] as const)
        await assert.rejects(act(actor, verb), isRefused);
      assert.deepEqual(await left(ada.id), all);
      const unknown = act({ kind: "user", user: root }, verb, store.newId(later(1)));
      await refused(unknown, "not_found");
      await act({ kind: "system", label: "command line" }, verb);
      assert.equal((await left(ada.id)).sessions, 0);
    });
});
