/** A first password for a user who signs in by another method (SS-13). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSession } from "../../src/people/core/sessions.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPersonAt, submit, withCookie } from "../support/account.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const fresh = "an entirely new password";
const path = "/account/password";

/** Returns a user without a password who has just signed in with a passkey. */
async function setUp() {
  const it = await aPersonAt({ throttle: true, person: { password_hash: null } });
  const { user } = it;
  const own = { signs_in: true, uv_initialized: true };
  const passkey = await insertAny(it.store, "passkeys", { users: user.id }, own);
  const at = it.clock.now().getTime();
  const methods = [{ kind: "passkey", credential: passkey.id, at, uv: true }] as const;
  const { cookie } = await startSession({ user, methods, origin }, it.identity);
  const browser = withCookie(it.app, cookie);
  const post = (form: Record<string, string>) => submit(browser, path, path, form);
  const both = { password: fresh, password_again: fresh };
  const hash = async () => (await it.store.find("users", { id: user.id }))?.password_hash ?? null;
  return { ...it, browser, post, both, hash };
}

test("SS-13 a user without a password sets one in their account, and is notified by mail", async () => {
  const { identity, clock, mails, user, browser, post, both } = await setUp();
  const page = await browser.get(path);
  assert.equal(page.statusCode, 200);
  assert.doesNotMatch(page.body, /name="current_password"/);
  for (const [form, words] of [
    [{ ...both, password_again: "another" }, /not the same/],
    [{ password: "short", password_again: "short" }, /too short/],
  ] as const) {
    const refused = await post(form);
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, words);
  }
  assert.equal((await post(both)).statusCode, 303);
  clock.advance(1);
  const input = { email: user.email, password: fresh, origin };
  assert.equal((await signIn(input, identity)).type, "second_factor", "the passkey is asked for still");
  assert.equal((await browser.get("/account")).statusCode, 200, "this session goes on");
  assert.deepEqual(
    (await mails()).map(({ to }) => to),
    [user.email],
  );
  assert.match((await browser.get(path)).body, /name="current_password"/);
});

test("SS-13 setting a first password requires a proof of identity within the last minutes", async () => {
  const { clock, post, both, hash } = await setUp();
  clock.advance(301);
  const requested = await post(both);
  assert.match(requested.body, /Confirm that it is you/);
  assert.equal(await hash(), null);
});
