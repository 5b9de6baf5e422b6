import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { insertAny } from "../storage/any_row.ts";
import { setUp } from "../support/account.ts";
import { later } from "../support/builders.ts";
import { aPasskey } from "../support/passkeys.ts";

describe("the security page of the account", () => {
  test("the security page lists the password and recent events, each with device and address", async () => {
    const { browser, store, user } = await setUp();
    for (const [at, outcome] of (["success", "failure"] as const).entries()) {
      store.queueEvent({
        type: "sign_in",
        outcome,
        actor_kind: "user",
        actor_id: user.id,
        target_table: null,
        target_id: null,
        client_ip: "192.0.2.7",
        user_agent: "curl/8",
        request_id: null,
        details: null,
        created_at: later(at),
      });
    }
    await store.flush();
    const { body } = await browser.get("/account/security");
    assert.match(body, /href="\/account\/password"/);
    assert.match(body, /Failed sign-in<\/th>.*curl.*192\.0\.2\.7[\s\S]*Signed in<\/th>/);
    assert.match(body, /aria-current="page">Security</);
  });

  test("the security page says so if the user has no password", async () => {
    const { browser, store, user, identity } = await setUp();
    await store.update("users", { id: user.id }, { password_hash: null });
    const { body } = await browser.get("/account/security");
    assert.match(body, /Your account has no password/);
    assert.match(body, /You have only one way to sign in/);
    assert.match(body, /class="button" href="\/account\/password">Set a password</);
    for (const synced of [true, true]) await aPasskey(user, identity, { synced });
    const more = (await browser.get("/account/security")).body;
    assert.doesNotMatch(more, /You have only one way to sign in/);
    assert.match(more, /You have no recovery codes yet/);
    assert.match(more, />Create recovery codes</);
    assert.doesNotMatch(more, /have few left|0 recovery codes/);
    const [used_at, created_at] = [later(2), later(1)];
    await insertAny(store, "recovery_codes", { users: user.id }, { used_at, created_at });
    const spent = (await browser.get("/account/security")).body;
    assert.match(spent, /You have used all of your recovery codes[\s\S]*have few left/);
  });
});
