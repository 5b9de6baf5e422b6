import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { User } from "../../src/records/definition/definition.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPersonAt, forgetSession, submit } from "../support/account.ts";
import { password, testBrowser } from "../support/app.ts";
import { anApp, anEvent, aToken, aUser, later, start } from "../support/builders.ts";

async function setUp(person: Partial<User> = {}) {
  const it = await aPersonAt({ person, identity_settings: { remember_device_days: 30 } });
  const reported = async () =>
    (await it.mails()).filter(({ subject }) => subject.startsWith("A sign-in from a new device"));
  const enter = async (browser = testBrowser(it.app), typed = password) => {
    assert.equal((await it.enter(browser, { password: typed })).statusCode, 302);
    it.clock.advance(1);
    return browser;
  };
  return { ...it, reported, enter };
}

describe("SS-9: the mail about a sign-in from a new device", () => {
  test("a sign-in from a new device is reported once, and the first sign-in of an account is not", async () => {
    const it = await setUp();
    const home = await it.enter();
    assert.deepEqual(await it.reported(), []);
    const phone = await it.enter();
    const [mail, ...others] = await it.reported();
    assert.equal(others.length, 0);
    assert.equal(mail?.to, "ada@example.com");
    assert.match(mail?.text ?? "", /Address: 127\.0\.0\.1\.[\s\S]*\/not-me\?token=/);
    for (const known of [home, phone]) {
      forgetSession(known);
      await it.enter(known);
    }
    assert.equal((await it.reported()).length, 1);
  });

  test("a sign-in from a new device is reported even after every earlier session was deleted", async () => {
    const it = await setUp();
    await it.enter();
    const signedIn = {
      type: "sign_in",
      outcome: "success",
      actor_kind: "user",
      actor_id: it.user.id,
    } as const;
    await anEvent(it.store, { ...signedIn, created_at: start });
    await it.store.remove("sessions", { user_id: it.user.id });
    await it.enter();
    assert.equal((await it.reported()).length, 1);
  });

  test("a browser that the user used before a password reset does not count as new", async () => {
    const it = await setUp();
    const home = await it.enter();
    const phone = await it.enter();
    assert.equal((await it.reported()).length, 1);
    const fresh = "an entirely new password";
    const form = { current_password: password, password: fresh, password_again: fresh };
    assert.equal((await submit(home, "/account/password", "/account/password", form)).statusCode, 303);
    it.clock.advance(1);
    await it.enter(phone, fresh);
    assert.equal((await it.reported()).length, 1);
  });

  test("users can disable the mail, and platform administrators always get it", async () => {
    for (const is_platform_admin of [false, true]) {
      const it = await setUp({ is_platform_admin });
      const home = await it.enter();
      const path = "/account/sessions";
      assert.equal((await home.get(path)).body.includes(`${path}/notices`), !is_platform_admin);
      await submit(home, path, `${path}/notices`, { notices: "off" });
      await it.enter();
      assert.equal((await it.reported()).length, is_platform_admin ? 1 : 0);
      await submit(home, path, `${path}/notices`, { notices: "on" });
      await it.enter();
      assert.equal((await it.reported()).length, is_platform_admin ? 2 : 1);
    }
  });
});

describe("SS-10: the list of the user's devices", () => {
  test("the list shows method, apps and place of each device, and can end its session and tokens", async () => {
    const it = await setUp();
    const here = await it.enter();
    const there = await it.enter();
    const [, other] = await it.store.list("sessions", { user_id: it.user.id }, { order_by: "id" });
    assert.ok(other);
    const app = await anApp(it.store, { name: "Ledger <of> Ada" });
    const of = { user_id: it.user.id, app_id: app.id, session_id: other.id };
    const token = await aToken(it.store, of);
    const page = await here.get("/account/sessions");
    assert.match(page.body, /Ledger &lt;of&gt; Ada/);
    assert.match(page.body, /Password/);
    assert.match(page.body, /127\.0\.0\.1/);
    const ended = await submit(here, "/account/sessions", `/account/sessions/${other.id}/end`);
    assert.equal(ended.statusCode, 303);
    assert.equal((await there.get("/account")).statusCode, 302);
    assert.equal((await it.store.find("oauth_tokens", { id: token.id }))?.revoked, true);
  });

  test("the list shows browsers that skip the second factor, and only their user can forget them", async () => {
    const it = await setUp();
    const browser = await it.enter();
    const device = (user_id: string, created_at: Date) =>
      insertAny(
        it.store,
        "devices",
        { users: user_id },
        { expires_at: later(86_400 * 30, created_at), created_at },
      );
    const own = await device(it.user.id, it.server.now());
    const foreign = await device((await aUser(it.store)).id, it.server.now());
    const old = await device(it.user.id, later(-86_400 * 60));
    const page = await browser.get("/account/sessions");
    assert.match(page.body, new RegExp(`/devices/${own.id}/forget`));
    assert.doesNotMatch(page.body, new RegExp(`${foreign.id}|${old.id}`));
    const forget = (id: string) =>
      submit(browser, "/account/sessions", `/account/sessions/devices/${id}/forget`);
    assert.equal((await forget(foreign.id)).statusCode, 404);
    assert.equal((await forget("none")).statusCode, 404);
    assert.equal((await forget(own.id)).statusCode, 303);
    assert.equal(await it.store.count("devices", { id: own.id }), 0);
    assert.equal(await it.store.count("devices", { id: foreign.id }), 1);
  });
});
