/** The reference of the management API: searching it, and trying an operation in the reader's session. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { User } from "../../../src/records/definition/definition.ts";
import { aPerson, hiddenField, signInAs, type TestApp, testApp, testBrowser } from "../../support/app.ts";

type Browser = ReturnType<typeof testBrowser>;

describe("the reference page of the management API", () => {
  let it: TestApp;
  let user: User;
  let browser: Browser;
  before(async () => {
    it = await testApp();
    user = await aPerson(it, { is_platform_admin: true });
    browser = testBrowser(it.app);
    await signInAs(browser, user);
  });

  test("the reference is searchable without a script, weighs less than 60 kB, and has a command for each operation", async () => {
    const whole = await it.app.inject("/api/docs");
    const assets = ["/assets/style.css", "/assets/enhancements.js"].map((url) => it.app.inject(url));
    const parts = [whole, ...(await Promise.all(assets))].map(
      ({ rawPayload }) => gzipSync(rawPayload).length,
    );
    assert.ok(parts.reduce((sum, bytes) => sum + bytes, 0) < 60_000, `${parts} bytes compressed`);
    assert.ok(whole.body.includes("curl -X DELETE &quot;$BASE_URL/api/v1/users/{id}&quot;"));
    const found = await it.app.inject("/api/docs?q=Delete+user");
    const ids = [...found.body.matchAll(/class="api-operation" id="(\w+)"/g)].map(([, id]) => id);
    assert.ok(ids.includes("deleteUser") && !ids.includes("getUser") && ids.length < 6, ids.join());
    assert.ok(found.body.includes('href="#deleteUser"'));
    const none = await it.app.inject(`/api/docs?q=${encodeURIComponent("<b>nothing")}`);
    assert.ok(none.body.includes("No operation matches") && !none.body.includes("<b>nothing"));
  });

  test("H-36: a read operation tried on the page runs immediately, with the reader's session and permissions only", async () => {
    const form = await browser.get("/api/docs/try/getUser");
    assert.match(form.body, /name="p_id"/);
    const read = await browser.get(`/api/docs/try/getUser?send=1&p_id=${user.id}`);
    assert.match(read.body, /status-2">200/);
    assert.ok(read.body.includes(user.email));
    const missing = await browser.get("/api/docs/try/getUser?send=1&p_id=..%2Fapps");
    assert.match(missing.body, /status-4">404/);
    assert.match(missing.body, /\/api\/v1\/users\/\.\.%2Fapps/);
    const nobody = await testBrowser(it.app).get("/api/docs/try/getMe?send=1");
    assert.deepEqual([nobody.statusCode, String(nobody.headers.location).includes("/login")], [302, true]);
    // The size of an export is not limited, so the page cannot show it.
    for (const id of ["nothing", "exportAuditEvents"])
      assert.equal((await browser.get(`/api/docs/try/${id}?send=1`)).statusCode, 303, id);
    const all = (await it.app.inject("/api/docs")).body;
    assert.ok(all.includes('id="exportAuditEvents"') && !all.includes("/api/docs/try/exportAuditEvents"));
  });

  test("H-36: a change tried on the page is sent only by the server's own form, after a confirmation", async () => {
    const path = "/api/docs/try/createOrganization";
    const body = JSON.stringify({ name: "Tried", slug: "tried" });
    const made = () => it.store.count("organizations", { slug: "tried" });
    // The request is not sent by a link, by a form of another site, or without the confirmation.
    await browser.get(`${path}?send=1&confirmed=yes&body=${encodeURIComponent(body)}`);
    assert.equal((await browser.post(path, { body, confirmed: "yes" })).statusCode, 403);
    const form = await browser.get(`${path}?body=${encodeURIComponent(body)}`);
    assert.doesNotMatch(form.body, /tried/, "a link of somebody else fills nothing in");
    const csrf_token = hiddenField(form, "csrf_token");
    const requested = await browser.post(path, { csrf_token, body });
    assert.match(requested.body, /name="confirmed" value="yes"/);
    assert.equal(await made(), 0);
    const done = await browser.post(path, { csrf_token, body, confirmed: "yes" });
    assert.match(done.body, /status-2">201/);
    assert.equal(await made(), 1);
    const event = await it.store.find("audit_events", { type: "organization.created" });
    assert.equal(event?.actor_id, user.id);
    // Sensitive changes require a fresh sign-in here, too.
    it.clock.advance(301);
    const late = await browser.post(path, { csrf_token, body, confirmed: "yes" });
    assert.match(late.body, /insufficient_user_authentication/);
  });
});
