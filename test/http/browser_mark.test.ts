import assert from "node:assert/strict";
import { test } from "node:test";
import { aPersonAt, forgetSession, press, submit } from "../support/account.ts";
import { password, signInAs, testBrowser } from "../support/app.ts";

const name = "__Host-postern_browser";
const fresh = "an entirely new password";

test("P-4: a sign-in sets a cookie that marks the browser as known, and a sign-out keeps it (security finding 13)", async () => {
  const it = await aPersonAt({ throttle: true });
  const { user, browser } = it;
  const refused = await signInAs(browser, user, { password: "wrong" });
  assert.ok(refused.cookies.every((cookie) => cookie.name !== name));
  const answer = await signInAs(browser, user);
  const [cookie] = answer.cookies.filter((each) => each.name === name);
  assert.deepEqual(
    [cookie?.path, cookie?.httpOnly, cookie?.secure, cookie?.sameSite, cookie?.domain, cookie?.maxAge],
    ["/", true, true, "Lax", undefined, 365 * 86_400],
  );
  assert.doesNotMatch(String(cookie?.value), new RegExp(user.id));
  await submit(browser, "/logout");
  assert.ok(browser.cookies.has(name));
  assert.ok(it.logged.every((line) => !line.includes(String(cookie?.value))));
});

test("P-4: a known browser can sign in to a locked account until another browser sets a new password (security finding 13)", async () => {
  const it = await aPersonAt({ throttle: true });
  const { user } = it;
  const [laptop, phone] = [testBrowser(it.app), testBrowser(it.app)];
  for (const browser of [laptop, phone]) assert.equal((await signInAs(browser, user)).statusCode, 302);
  const stranger = testBrowser(it.app);
  const close = async () => {
    // All attempts come from one IP address, which may try this account ten times.
    for (let guess = 0; guess < 11; guess += 1) await signInAs(stranger, user, { password: "wrong" });
    assert.equal((await signInAs(stranger, user)).statusCode, 429);
  };
  const enter = async (browser: typeof laptop, typed = password) => {
    forgetSession(browser);
    return (await signInAs(browser, user, { password: typed })).statusCode;
  };
  await close();
  assert.equal(await enter(laptop), 302);
  const input = { current_password: password, password: fresh, password_again: fresh };
  assert.equal((await submit(laptop, "/account/password", undefined, input)).statusCode, 303);
  await close();
  assert.equal(await enter(phone, fresh), 429);
  assert.equal(await enter(laptop, fresh), 302);
});

test("P-4: a user who set a new password by mail can sign in with it despite others' guesses (security finding 13)", async () => {
  const it = await aPersonAt({ throttle: true });
  const { user, browser } = it;
  await submit(browser, "/forgot-password", undefined, { email: user.email });
  const input = { password: fresh, password_again: fresh };
  assert.equal((await press(browser, await it.linkTo("/reset-password"), input)).statusCode, 200);
  const stranger = testBrowser(it.app);
  for (let guess = 0; guess < 11; guess += 1) await signInAs(stranger, user, { password: "wrong" });
  assert.equal((await signInAs(stranger, user, { password: fresh })).statusCode, 429);
  assert.equal((await signInAs(browser, user, { password: fresh })).statusCode, 302);
});
