import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isActive, landed, sendForm, setUp, submit, tokensOf } from "../support/account.ts";
import { hiddenField, password, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { aMembership, anApp, aSession, aUser, later } from "../support/builders.ts";
import { credentialsOf, type Parameters } from "../support/flows.ts";

const fresh = "an entirely new password";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("the account pages", () => {
  test("the home page redirects to the account, or to the sign-in page without a session", async () => {
    const it = await testApp();
    await aUser(it.store);
    assert.equal((await testBrowser(it.app).get("/")).headers.location, "/login");
    const { browser } = await setUp();
    assert.equal((await browser.get("/")).headers.location, "/account");
  });

  test("only administrators see a link to the console", async () => {
    const { browser, store, user, clock } = await setUp();
    const console = /href="\/console"/;
    assert.doesNotMatch((await browser.get("/account")).body, console);
    const membership = await aMembership(store, { user_id: user.id });
    assert.doesNotMatch((await browser.get("/account")).body, console);
    await store.update("memberships", { id: membership.id }, { role: "developer" });
    assert.match((await browser.get("/account")).body, console);
    await store.update("memberships", { id: membership.id }, { role: "guest" });
    clock.advance(1);
    assert.doesNotMatch((await browser.get("/account")).body, console);
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    assert.match((await browser.get("/account")).body, console);
  });
});

describe("the profile page", () => {
  test("the profile page shows the user's profile, and saves a new name and picture", async () => {
    const { browser, store, user } = await setUp();
    const before = await browser.get("/account");
    assert.match(before.body, /ada@example\.com/);
    assert.match(before.body, /1 January 2030/);
    assert.doesNotMatch(before.body, /Platform administrator/);
    const save = async (fields: Parameters) =>
      landed(browser, await submit(browser, "/account", undefined, fields));
    const avatar_url = "https://a.example/ada.png";
    const body = await save({ name: " Ada Lovelace ", avatar_url });
    assert.match(body, /Profile saved/);
    assert.match(body, /portrait-user" aria-hidden="true">A</);
    const saved = await store.find("users", { id: user.id });
    assert.deepEqual([saved?.name, saved?.avatar_url], ["Ada Lovelace", avatar_url]);
    await save({ name: "Ada", avatar_url: "" });
    assert.equal((await store.find("users", { id: user.id }))?.avatar_url, null);
  });

  test("the profile page keeps invalid text as it was typed and shows the error at its field", async () => {
    const { browser, store, user } = await setUp();
    for (const [fields, field] of [
      [{ name: "", avatar_url: "https://a.example/" }, "name"],
      [{ name: "x".repeat(256), avatar_url: "" }, "name"],
      [{ name: "Ada", avatar_url: "javascript:alert(1)" }, "avatar_url"],
    ] as const) {
      const answer = await submit(browser, "/account", undefined, fields);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, new RegExp(`id="${field}" [^>]*aria-invalid="true"[^>]* autofocus>`));
      if (fields.avatar_url !== "") assert.ok(answer.body.includes(`value="${fields.avatar_url}"`));
    }
    assert.equal((await store.find("users", { id: user.id }))?.name, "Ada");
  });

  test("the profile page does not overwrite a concurrent change before it has shown it", async () => {
    const { browser, store, user } = await setUp();
    const name = async () => (await store.find("users", { id: user.id }))?.name;
    const old = await browser.get("/account");
    await store.update("users", { id: user.id }, { name: "Countess" });
    const stale = await sendForm(browser, old, "/account", { name: "Ada L." });
    assert.equal(stale.statusCode, 412);
    assert.match(stale.body, /changed in the meantime/);
    assert.match(stale.body, /value="Ada L\."/);
    assert.equal(await name(), "Countess");
    await landed(browser, await sendForm(browser, stale, "/account", { name: "Ada L." }));
    assert.equal(await name(), "Ada L.");
  });

  test("the profile page changes an email address only for platform administrators, and not to one in use", async () => {
    const { browser, store, user } = await setUp();
    const save = (email: string, current_password = password) =>
      submit(browser, "/account", undefined, { name: "Ada", email, current_password });
    const stored = async () => (await store.find("users", { id: user.id }))?.email;
    assert.doesNotMatch((await browser.get("/account")).body, /name="email"/);
    const forced = { name: "Ada", email: "eve@example.com" };
    await landed(browser, await submit(browser, "/account", undefined, forced));
    assert.equal(await stored(), "ada@example.com");

    await aUser(store, { email: "taken@example.com" });
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    assert.match((await browser.get("/account")).body, /name="email"/);
    for (const [email, typed, words] of [
      ["no address", password, /Enter a valid email address/],
      ["TAKEN@example.com", password, /is already in use/],
      ["root@example.com", "", /Enter your current password/],
      ["root@example.com", "not the password", /Enter your current password/],
    ] as const)
      assert.match((await save(email, typed)).body, words);
    // Browsers may fill in the password field although the email did not change; the password is then
    // ignored.
    await landed(browser, await save("ada@example.com", "not the password"));
    await landed(browser, await save("root@example.com"));
    assert.equal(await stored(), "root@example.com");
  });
});

describe("a change of the user's own password", () => {
  const change = (browser: TestBrowser, fields: Parameters = {}) =>
    submit(browser, "/account/password", "/account/password", {
      current_password: password,
      password: fresh,
      password_again: fresh,
      ...fields,
    });

  test("a new password ends all other sessions and every token, and keeps this session (design 6.8)", async () => {
    const it = await setUp();
    const { browser, store, user, clock } = it;
    const client = await anApp(store, { first_party: true });
    const authorization = String(await credentialsOf(it, client));
    const tokens = await tokensOf(it, browser, client, authorization, { scope: "openid offline_access" });
    const other = testBrowser(it.app);
    await signInAs(other, user);
    clock.advance(1);
    assert.equal(await isActive(it, authorization, tokens.access_token), true);

    const body = await landed(browser, await change(browser));
    assert.match(body, /Password changed/);
    assert.equal((await browser.get("/account")).statusCode, 200, "this session stays");
    assert.equal((await other.get("/account")).statusCode, 302, "the other one has ended");
    for (const token of [tokens.access_token, tokens.refresh_token])
      assert.equal(await isActive(it, authorization, token), false);
    clock.advance(1);
    assert.equal((await signInAs(testBrowser(it.app), user)).statusCode, 401);
    assert.equal((await signInAs(testBrowser(it.app), user, { password: fresh })).statusCode, 302);
    // In the session that stays, an app can get new tokens.
    const again = await tokensOf(it, browser, client, authorization);
    assert.equal(await isActive(it, authorization, again.access_token), true);
  });

  test("an invalid new password is refused with the reason, and no page repeats the typed password", async () => {
    const { browser, store, user } = await setUp();
    const before = await store.find("users", { id: user.id });
    for (const [fields, words, field] of [
      [{ current_password: "" }, /Enter your current password/, "current_password"],
      [{ current_password: "not that one" }, /Wrong password/, "current_password"],
      [{ password_again: `${fresh} ` }, /not the same/, "password_again"],
      [{ password: "short", password_again: "short" }, /too short/, "password"],
      [{ password: "password1", password_again: "password1" }, /too common/, "password"],
    ] as const) {
      const answer = await change(browser, fields);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, words);
      assert.match(answer.body, new RegExp(`id="${field}" [^>]*aria-invalid="true"[^>]* autofocus>`));
      for (const typed of [password, fresh, "not that one"]) assert.ok(!answer.body.includes(typed));
    }
    assert.deepEqual(await store.find("users", { id: user.id }), before);
  });

  test("L-10: guesses at the current password are counted, and answered with an explanation once over the limit", async () => {
    const { browser } = await setUp({}, true);
    let answer = await change(browser, { current_password: "guess" });
    for (let guesses = 0; guesses < 12 && answer.statusCode === 422; guesses++) {
      answer = await change(browser, { current_password: "guess" });
    }
    assert.equal(answer.statusCode, 429);
    assert.match(String(answer.headers["retry-after"]), /^\d+$/);
    assert.match(answer.body, /Too many wrong passwords/);
    assert.equal((await change(browser)).statusCode, 429, "the right one has to wait as well");
  });

  test("the fields have the autocomplete names that password managers expect", async () => {
    const { browser, user } = await setUp();
    const { body } = await browser.get("/account/password");
    const fields = [...body.matchAll(/<input[^>]* autocomplete="([^"]+)"/g)].map(([, hint]) => hint);
    assert.deepEqual(fields, ["username", "current-password", "new-password", "new-password"]);
    assert.match(body, new RegExp(`name="username" value="${user.email}"`));
  });
});

describe("the list of the user's sessions", () => {
  const rows = (body: string) => body.split('<tr role="row"><th role="rowheader"').slice(1);

  test("the list shows device, address and times of each session, and can end a single one", async () => {
    const { app, browser, user, store } = await setUp();
    const phone = testBrowser(app);
    const csrf_token = hiddenField(await phone.get("/login"), "csrf_token");
    await phone.post("/login", { email: user.email, password, csrf_token }, { "user-agent": firefox });
    const { body } = await browser.get("/account/sessions");
    const [newest = "", oldest = "", ...more] = rows(body);
    assert.equal(more.length, 0);
    assert.match(newest, /Firefox on Linux/);
    assert.match(newest, /<code>127\.0\.0\.1<\/code>/);
    assert.doesNotMatch(newest, /This device/);
    assert.match(oldest, /This device/);
    const end = /action="(\/account\/sessions\/[^/]+\/end)"/.exec(newest)?.[1] ?? "";
    assert.equal((await phone.get("/account")).statusCode, 200);
    const after = await landed(browser, await submit(browser, "/account/sessions", end));
    assert.equal(rows(after).length, 1);
    assert.equal((await phone.get("/account")).statusCode, 302);
    assert.equal((await browser.get("/account")).statusCode, 200);
    const [event] = await store.list("audit_events", { type: "session.revoked" });
    assert.equal(event?.actor_id, user.id);
  });

  test("a user can end all other sessions, or all sessions, immediately", async () => {
    const { app, browser, user } = await setUp();
    const others = [testBrowser(app), testBrowser(app)];
    for (const other of others) await signInAs(other, user);
    await landed(browser, await submit(browser, "/account/sessions", "/account/sessions/end-others"));
    for (const other of others) assert.equal((await other.get("/account")).statusCode, 302);
    const { body } = await browser.get("/account/sessions");
    assert.doesNotMatch(body, /end-others/);

    const [another = testBrowser(app)] = others;
    await signInAs(another, user);
    const ended = await submit(browser, "/account/sessions", "/account/sessions/end-all");
    assert.deepEqual([ended.statusCode, ended.headers.location], [303, "/logout"]);
    assert.equal(browser.cookies.has("__Host-postern_session"), false);
    assert.equal((await another.get("/account")).statusCode, 302);
  });

  test("ending the current session signs the user out", async () => {
    const { browser, store, user } = await setUp();
    const [session] = await store.list("sessions", { user_id: user.id });
    const url = `/account/sessions/${session?.id}/end`;
    const answer = await submit(browser, "/account/sessions", url);
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/logout"]);
    assert.match((await browser.get("/logout")).body, /You are signed out/);
    assert.equal((await browser.get("/account")).statusCode, 302);
  });

  test("only active sessions are listed, page by page", async () => {
    const { browser, store, user, clock } = await setUp();
    const now = clock.now();
    const live = { user_id: user.id, created_at: now, expires_at: later(86_400, now) };
    for (let count = 0; count < 30; count++) await aSession(store, live);
    await aSession(store, { ...live, ended_at: now });
    await aSession(store, { ...live, expires_at: now });
    await aSession(store, { ...live, last_seen_at: later(-43_200, now) });
    const first = await browser.get("/account/sessions");
    assert.equal(rows(first.body).length, 25);
    const next = /href="(\/account\/sessions\?before=[^"]+)"/.exec(first.body)?.[1] ?? "";
    const second = await browser.get(next);
    assert.equal(rows(second.body).length, 6);
    assert.doesNotMatch(second.body, /href="[^"]*\?before=/);
    const ids = [...`${first.body}${second.body}`.matchAll(/sessions\/([^/]+)\/end"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, 31);
  });
});
