/** Addresses that users may open without submitting a form. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  aPerson,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";

describe("reloading pages and opening addresses by hand", () => {
  let it: TestApp;
  let browser: TestBrowser;
  before(async () => {
    it = await testApp();
    browser = testBrowser(it.app);
    await signInAs(browser, await aPerson(it));
  });

  test("A-27: opening the address of a form in a browser leads to the page above it, and a program gets 405", async () => {
    const opened = { "sec-fetch-mode": "navigate" };
    for (const [form, page] of [
      ["/consent", "/"],
      ["/language", "/"],
      ["/account/sessions/end-others", "/account/sessions"],
      ["/account/sessions/0190/end", "/account/sessions"],
    ] as const) {
      const allowed = it.app.route_methods.at(form);
      assert.deepEqual(allowed, ["POST"], form);
      const answer = await browser.get(form, opened);
      assert.deepEqual([answer.statusCode, answer.headers.location], [303, page], form);
      const program = await browser.get(form);
      assert.deepEqual([program.statusCode, program.headers.allow], [405, "POST"], form);
    }
    assert.equal((await browser.get("/nothing", opened)).statusCode, 404);
    assert.equal((await browser.get("/oauth/token", opened)).statusCode, 405);
  });

  test("A-27: opening the address of a form of the account leads to the page with the form, never to the profile", async () => {
    const { patterns, at } = it.app.route_methods;
    const forms = [...patterns()].filter(
      (form) => form.startsWith("/account/") && at(form)?.includes("POST") && !at(form)?.includes("GET"),
    );
    assert.ok(forms.includes("/account/recovery-codes/new"));
    for (const form of forms) {
      const { headers } = await browser.get(form, { "sec-fetch-mode": "navigate" });
      assert.notEqual(headers.location, "/account", form);
    }
    const { headers } = await browser.get("/account/recovery-codes");
    assert.equal(headers.location, "/account/security");
  });

  test("A-27: every form that signs the user out leads to a page that can be reloaded safely", async () => {
    const forms = ["/logout", "/account/sessions/end-all", "/account/sessions/own/end"];
    for (const form of forms) {
      const leaving = testBrowser(it.app);
      const user = await aPerson(it);
      await signInAs(leaving, user);
      const [session] = await it.store.list("sessions", { user_id: user.id });
      const csrf_token = hiddenField(await leaving.get("/logout"), "csrf_token");
      const url = form.replace("own", String(session?.id));
      const answer = await leaving.post(url, { csrf_token });
      assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/logout"], form);
      assert.equal((await leaving.get("/account")).statusCode, 302, form);
      for (const reloaded of [await leaving.get("/logout"), await leaving.get("/logout")])
        assert.match(reloaded.body, /<h1>You are signed out<\/h1>/, form);
    }
  });

  test("L-1: password managers find the page for changing a password at the well-known address", async () => {
    const answer = await browser.get("/.well-known/change-password");
    assert.deepEqual([answer.statusCode, answer.headers.location], [302, "/account/password"]);
  });

  test("L-1: the skip link leads to the content of the page", async () => {
    const { body } = await browser.get("/account");
    assert.match(body, /<a class="skip" href="#main">/);
    assert.ok(body.indexOf('id="main"') > body.indexOf('<nav class="side"'));
    assert.match((await it.app.inject("/login")).body, /<a class="skip" href="#main">[\s\S]*<main id="main"/);
  });
});
