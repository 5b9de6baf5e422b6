/** The console's page of a webhook endpoint: its deliveries, sending events again, and resuming it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Row } from "../../src/records/definition/definition.ts";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { aDelivery, aFeedEvent, anEndpoint, sealSecrets } from "../support/builders.ts";

async function setUp() {
  const it = await testApp({ throttle: false, settings: { extra_features: ["events"] } });
  const root = await aPerson(it, { is_platform_admin: true });
  const browser = testBrowser(it.app);
  await signInAs(browser, root);
  const endpoint = await anEndpoint(it.store);
  await sealSecrets(it, endpoint.id);
  const events: Row<"events">[] = [];
  for (const type of ["user.created", "user.updated", "user.created"])
    events.push(await aFeedEvent(it.store, { type }));
  await it.store.numberEvents();
  const path = `/console/webhook-endpoints/${endpoint.id}`;
  const press = async (verb: string, input: Record<string, string> = {}) => {
    const page = await browser.get(path);
    return browser.post(`${path}/${verb}`, { csrf_token: hiddenField(page, "csrf_token"), ...input });
  };
  const sent = async () =>
    (await it.store.list("deliveries", { target_id: endpoint.id })).map(({ event_id }) =>
      events.findIndex(({ id }) => id === event_id),
    );
  return { ...it, browser, endpoint, events, path, press, sent };
}

test("empty lists say which feature is off, and offer nothing that needs it", async () => {
  for (const [extra_features, isOff] of [
    [[], true],
    [["logout_notices"], true],
    [["events"], false],
  ] as const) {
    const it = await testApp({ throttle: false, settings: { extra_features } });
    const browser = testBrowser(it.app);
    await signInAs(browser, await aPerson(it, { is_platform_admin: true }));
    const { body } = await browser.get("/console/webhook-endpoints");
    assert.equal(body.includes("They need POSTERN_EXTRA_FEATURES=events, which is off"), isOff);
    assert.equal(body.includes("/console/webhook-endpoints/new"), !isOff);
    const deliveries = (await browser.get("/console/deliveries")).body;
    const isNamed = deliveries.includes("POSTERN_EXTRA_FEATURES=events / logout_notices / ssf");
    assert.equal(isNamed, extra_features.length === 0);
  }
});

describe("the page of a webhook endpoint", () => {
  test("EV-7: a button sends a ping, and deliveries are listed with state, status and error, and can be sent again", async () => {
    const { store, browser, endpoint, path, press } = await setUp();
    const pinged = await press("ping");
    assert.equal(pinged.headers.location, `${path}?done=notice_due`, pinged.body);
    const [ping] = await store.list("deliveries", { target_id: endpoint.id });
    assert.deepEqual([ping?.kind, ping?.event_id, ping?.state], ["webhook", null, "waiting"]);
    const last_fault = "timeout: no response in time";
    const failed = await aDelivery(store, {
      ...{
        kind: "webhook",
        target_id: endpoint.id,
        state: "given_up",
        attempt: 8,
        last_status: 503,
        last_fault,
      },
    });
    const page = await browser.get(path);
    for (const part of [last_fault, "503", `/console/deliveries/${failed.id}`, "Deliveries", "Given up"])
      assert.ok(page.body.includes(part), part);
    assert.match(page.body, />Test event</, "a ping is not named like the delivery of an event");
    assert.doesNotMatch(page.body, /given_up|[Nn]otice will|Sign-out notice/);
    const csrf_token = hiddenField(page, "csrf_token");
    await browser.post(`/console/deliveries/${failed.id}/retry`, { csrf_token });
    assert.equal((await store.find("deliveries", { id: failed.id }))?.state, "waiting");
    const shown = await browser.get(`/console/deliveries/${failed.id}`);
    assert.ok(shown.body.includes(`href="${path}"`), "the delivery leads to its endpoint");
  });

  test("a delivery shows the type of its event, and a failing endpoint is not shown as active", async () => {
    const { store, browser, endpoint, events, path, clock } = await setUp();
    assert.match((await browser.get(path)).body, /badge-success">Active</);
    await aDelivery(store, { kind: "webhook", target_id: endpoint.id, event_id: events[1]?.id ?? null });
    await store.update("webhook_endpoints", { id: endpoint.id }, { failing_since: clock.now() });
    const page = await browser.get(path);
    assert.match(page.body, /badge-caution">Failing</);
    assert.match(page.body, /Webhook · User changed/);
  });

  test("the form and its errors use field names and texts for endpoints", async () => {
    const { browser, path } = await setUp();
    assert.match((await browser.get(path)).body, /<option value="user.created">/);
    const form = await browser.get(`${path}/edit`);
    assert.ok(form.body.includes("A deactivated endpoint receives no events"));
    assert.match(form.body, /name="include" value="record"[^>]*>/);
    assert.ok(form.body.includes("as the API shows it to the endpoint"));
    assert.doesNotMatch(form.body, /revokes its tokens/);
    const csrf_token = hiddenField(form, "csrf_token");
    const refused = await browser.post(`${path}/edit`, { csrf_token, url: "http://hooks.example/in" });
    assert.equal(refused.statusCode, 422, refused.body);
    assert.match(refused.body, /http requires “Private address allowed” \(internal\),/);
  });

  test("EV-7: events can be sent again by id, position, time or type", async () => {
    const { events, press, sent, clock } = await setUp();
    const again = async (input: Record<string, string>, expected: readonly number[]) => {
      const before = (await sent()).length;
      const answer = await press("replay", input);
      assert.equal(answer.statusCode, 303, answer.body);
      assert.deepEqual((await sent()).slice(before), expected, JSON.stringify(input));
    };
    await again({ event_id: events[1]?.id ?? "" }, [1]);
    await again({ after: "1" }, [1, 2]);
    await again({ after: "0", types: "user.created" }, [0, 2]);
    await again({ since: events[0]?.created_at.toISOString().slice(0, 19) ?? "" }, [0, 1, 2]);
    const later = new Date(clock.now().getTime() + 86_400_000).toISOString().slice(0, 16);
    assert.equal((await press("replay", { since: later })).statusCode, 409);
    assert.equal((await press("replay", {})).statusCode, 422);
    assert.equal((await press("replay", { after: "0", since: later })).statusCode, 422);
  });

  test("EV-6: the page of a disabled endpoint says where it stopped, and asks where to continue", async () => {
    for (const [resume, left] of [
      ["kept", [0, 1, 2]],
      ["now", []],
    ] as const) {
      const { store, browser, endpoint, path, press, clock } = await setUp();
      await store.fillWebhooks(clock.now());
      await store.disableWebhook(endpoint.id, "gone", clock.now());
      const page = await browser.get(path);
      assert.match(page.body, /received every event up to position 0\./);
      assert.ok(!page.body.includes(`${path}/ping`));
      const answer = await press("activate", { resume });
      assert.equal(answer.headers.location, `${path}?done=switched_on`, answer.body);
      const waiting = await store.list("deliveries", { target_id: endpoint.id, state: "waiting" });
      assert.equal(waiting.length, left.length);
      const row = await store.find("webhook_endpoints", { id: endpoint.id });
      assert.deepEqual([row?.active, row?.disabled_reason, row?.position], [true, null, 3]);
    }
  });

  test("EV-4: a new secret of an endpoint is shown once", async () => {
    const { browser, path, press } = await setUp();
    const answer = await press("rotate-secret");
    const secret = /whsec_[A-Za-z0-9+/=]{44}/.exec(answer.body)?.[0] ?? "none";
    assert.equal(answer.statusCode, 200, answer.body);
    assert.ok(!(await browser.get(path)).body.includes(secret));
  });
});
