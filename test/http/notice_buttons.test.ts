/** Sign-out notices in the console: listed on the page of the app, sent again, and sent as a test. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { aDelivery, anApp, later } from "../support/builders.ts";

async function setUp(features: readonly "logout_notices"[]) {
  const it = await testApp({ throttle: false, settings: { extra_features: features } });
  const root = await aPerson(it, { is_platform_admin: true });
  const browser = testBrowser(it.app);
  await signInAs(browser, root);
  const app = await anApp(it.store, { backchannel_logout_uri: "https://app.example.com/logout" });
  const press = async (path: string, verb: string) => {
    const page = await browser.get(path);
    return browser.post(`${path}/${verb}`, { csrf_token: hiddenField(page, "csrf_token") });
  };
  return { ...it, browser, app, press };
}

describe("sign-out notices to apps in the console", () => {
  test("BL-8: the page of an app lists its sign-out notices, and a button sends a test", async () => {
    const { store, clock, browser, app, press } = await setUp(["logout_notices"]);
    const path = `/console/apps/${app.id}`;
    const sent = await press(path, "test-logout");
    assert.equal(sent.headers.location, `/console/deliveries?target_id=${app.id}&done=notice_due`, sent.body);
    const [row, ...more] = await store.list("deliveries", { target_id: app.id });
    assert.deepEqual([row?.state, more], ["waiting", []]);
    assert.equal(await store.find("users", { id: row?.subject_key ?? "" }), undefined);
    const page = await browser.get(path);
    assert.ok(page.body.includes(`/console/deliveries/${row?.id}`), page.body);
    assert.equal((await browser.get(String(sent.headers.location))).statusCode, 200);
    const [event] = await store.list("audit_events", { type: "app.logout_tested" });
    assert.equal(event?.target_id, app.id);
    const again = await press(path, "test-logout");
    assert.equal(again.statusCode, 429);
    assert.equal((await store.list("deliveries", { target_id: app.id })).length, 1);
    // The clock was two hours ahead and is now corrected.
    await store.update("deliveries", { target_id: app.id }, { created_at: later(7200, clock.now()) });
    assert.equal((await press(path, "test-logout")).statusCode, 303);
  });

  test("BL-8: a failed notice shows the app's response and can be sent again; a delivered one cannot", async () => {
    const { store, browser, app, press } = await setUp(["logout_notices"]);
    const last_fault = "invalid_request: <b>aud</b> is not mine";
    const failed = await aDelivery(store, {
      target_id: app.id,
      state: "failed",
      last_status: 400,
      last_fault,
    });
    const path = `/console/deliveries/${failed.id}`;
    const page = await browser.get(path);
    assert.ok(page.body.includes("invalid_request: &lt;b&gt;aud&lt;/b&gt; is not mine"), page.body);
    const again = await press(path, "retry");
    assert.equal(again.headers.location, `${path}?done=notice_due`, again.body);
    assert.equal((await store.find("deliveries", { id: failed.id }))?.state, "waiting");
    const done = await aDelivery(store, { target_id: app.id, state: "done" });
    assert.ok(!(await browser.get(`/console/deliveries/${done.id}`)).body.includes("/retry"));
    const csrf_token = hiddenField(await browser.get(path), "csrf_token");
    await browser.post(`/console/deliveries/${done.id}/retry`, { csrf_token });
    assert.equal((await store.find("deliveries", { id: done.id }))?.state, "done");
  });

  test("BL-8: if the feature is off, there is no test button and no notice can be sent", async () => {
    const { store, browser, app } = await setUp([]);
    const path = `/console/apps/${app.id}`;
    const page = await browser.get(path);
    assert.ok(!page.body.includes("/test-logout"));
    const csrf_token = hiddenField(await browser.get(`${path}/edit`), "csrf_token");
    const refused = await browser.post(`${path}/test-logout`, { csrf_token });
    assert.equal(refused.statusCode, 422, refused.body);
    assert.equal(await store.count("deliveries"), 0);
  });
});
