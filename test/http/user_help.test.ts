/** Operator actions on a user's page in the console. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPersonAt } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, testBrowser } from "../support/app.ts";
import { aMembership, aSession } from "../support/builders.ts";

async function setUp({ mailing = true } = {}) {
  const it = await aPersonAt({ sends_mail: mailing });
  const { user: ada, browser } = it;
  const root = await aPerson(it, { is_platform_admin: true });
  await signInAs(browser, root);
  const own = `/console/users/${ada.id}`;
  const page = await browser.get(own);
  const press = async (verb: string, at = own) =>
    browser.post(`${at}/${verb}`, { csrf_token: hiddenField(page, "csrf_token") });
  return { ...it, root, ada, own, page, press };
}

describe("the page of a user in the console", () => {
  test("a button mails the user a password link", async () => {
    const { mails, ada, root, browser, own, page, press, events } = await setUp();
    assert.ok(page.body.includes(`action="${own}/send-password-reset"`));
    const sent = await press("send-password-reset");
    assert.equal(sent.headers.location, `${own}?done=reset_link_sent`, sent.body);
    const [mail, ...more] = await mails();
    assert.deepEqual([mail?.to, more], [ada.email, []]);
    const token = /token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    assert.ok(token.length > 20);
    const done = await browser.get(`${own}?done=reset_link_sent`);
    assert.match(done.body, /role="status"/);
    assert.ok(![sent.body, done.body].some((body) => body.includes(token)));
    const event = events.find(({ type }) => type === "password_reset_request");
    assert.deepEqual([event?.actor.id, event?.target?.id], [root.id, ada.id]);
  });

  test("the button is missing if the server sends no mail or the user is inactive", async () => {
    const { page, press, own } = await setUp({ mailing: false });
    assert.ok(!page.body.includes("/send-password-reset"));
    assert.equal((await press("send-password-reset")).statusCode, 409);
    assert.equal((await press("send-password-reset", `${own.slice(0, -1)}z`)).statusCode, 404);
    const { store, ada, browser, own: hers } = await setUp();
    await store.update("users", { id: ada.id }, { active: false });
    assert.ok(!(await browser.get(hers)).body.includes("/send-password-reset"));
  });

  test("a button downloads the user's data, which is recorded in the audit log and contains no secret", async () => {
    const { store, ada, root, own, page, press } = await setUp();
    await aSession(store, { user_id: ada.id });
    assert.ok(page.body.includes(`action="${own}/export-data"`));
    const file = await press("export-data");
    assert.equal(file.statusCode, 200, file.body);
    assert.match(String(file.headers["content-disposition"]), /attachment; filename="user-/);
    const { records } = file.json();
    assert.deepEqual([records.users[0].email, records.sessions.length], [ada.email, 1]);
    assert.ok(!file.body.includes(String(ada.password_hash)));
    const [event] = await store.list("audit_events", { type: "user.data_exported" });
    assert.deepEqual([event?.actor_id, event?.target_id], [root.id, ada.id]);
  });

  test("an administrator of the user's organization has neither button, and both actions are refused", async () => {
    const it = await setUp();
    const { app, store, ada, own } = it;
    const admin = await aPerson(it);
    const { organization_id } = await aMembership(store, { user_id: admin.id, role: "admin" });
    await aMembership(store, { user_id: ada.id, organization_id });
    const browser = testBrowser(app);
    await signInAs(browser, admin);
    const page = await browser.get(own);
    assert.equal(page.statusCode, 200);
    const csrf_token = hiddenField(await browser.get("/account/password"), "csrf_token");
    for (const verb of ["send-password-reset", "export-data"]) {
      assert.ok(!page.body.includes(verb));
      assert.equal((await browser.post(`${own}/${verb}`, { csrf_token })).statusCode, 403, verb);
    }
    assert.deepEqual(await store.list("audit_events", { type: "user.data_exported" }), []);
  });
});
