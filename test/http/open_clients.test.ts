import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apiKeyHash, apiKeyText } from "../../src/crypto/api_keys.ts";
import { ownerOfOpenClients } from "../../src/oauth/client_sources/impersonal_user.ts";
import { aPerson, browserOf, hiddenField, testApp } from "../support/app.ts";
import { aConsent, anApiKey, anApp, later } from "../support/builders.ts";

const path = "/console/open-clients";

async function ready(is_platform_admin = true) {
  const it = await testApp();
  const { store } = it;
  const person = await aPerson(it, { is_platform_admin });
  const browser = await browserOf(it, person);
  const owner_id = await store.transaction((tx) => ownerOfOpenClients(tx, store, it.clock.now()));
  const open = (input: Parameters<typeof anApp>[1]) =>
    anApp(store, { owner_id, provenance: "dynamic_registration", client_ip: "192.0.2.7", ...input });
  const names = async () => (await store.list("oauth_apps")).map(({ name }) => name).toSorted();
  return { ...it, browser, open, names, person };
}

describe("open clients in the console", () => {
  test("PR-26: the list of apps shows the origin, number and last use of open clients", async () => {
    const { browser, open, store, person } = await ready();
    await anApp(store, { name: "Registered app" });
    const used = await open({ name: "Used one", last_used_at: later(60) });
    await aConsent(store, { app_id: used.id, user_id: person.id });
    await open({
      name: "A document",
      provenance: "metadata_document",
      client_id: "https://tools.example/client.json",
      client_ip: null,
    });
    const page = await browser.get(path);
    assert.equal(page.statusCode, 200);
    for (const text of ["Used one", "192.0.2.7", "A document", "tools.example", "2 clients", "never"]) {
      assert.ok(page.body.includes(text), text);
    }
    assert.ok(!page.body.includes("Registered app"));
  });

  test("PR-26: selected open clients are deleted together after a confirmation, and registered apps never", async () => {
    const { browser, open, names, store } = await ready();
    const [one, two] = [await open({ name: "One" }), await open({ name: "Two" })];
    await open({ name: "Three" });
    const registered = await anApp(store, { name: "Registered" });
    const csrf_token = hiddenField(await browser.get(path), "csrf_token");
    const ids = [one.id, two.id, registered.id, "nonsense"];
    const form = { csrf_token, which: "chosen", id: ids };
    const requested = await browser.post(path, form);
    assert.equal(requested.statusCode, 200);
    assert.ok(
      requested.body.includes("One") &&
        requested.body.includes("Two") &&
        !requested.body.includes("Registered<"),
    );
    assert.equal((await names()).length, 4);
    const done = await browser.post(path, { ...form, confirmed: "yes" });
    assert.equal(done.headers.location, `${path}?removed=2`);
    assert.deepEqual(await names(), ["Registered", "Three"]);
    const events = await store.list("audit_events", { type: "app.deleted" });
    assert.equal(events.length, 2);
    assert.equal((await browser.post(path, { csrf_token, which: "chosen" })).statusCode, 422);
  });

  test("PR-26: all unused open clients can be deleted at once, except those with a consent", async () => {
    const { browser, open, names, store, person } = await ready();
    for (const name of ["A", "B"]) await open({ name });
    await open({ name: "Used", last_used_at: later(1) });
    const allowed = await open({ name: "Allowed" });
    await aConsent(store, { app_id: allowed.id, user_id: person.id });
    const csrf_token = hiddenField(await browser.get(path), "csrf_token");
    const form = { csrf_token, which: "never_used" };
    assert.equal((await browser.post(path, form)).statusCode, 200);
    assert.equal((await names()).length, 4);
    assert.equal((await browser.post(path, { ...form, confirmed: "yes" })).statusCode, 303);
    assert.deepEqual(await names(), ["Allowed", "Used"]);
  });

  test("PR-26: only platform administrators see and delete open clients, and only by the server's own form", async () => {
    const other = await ready(false);
    const app = await other.open({ name: "Kept" });
    assert.equal((await other.browser.get(path)).statusCode, 403);
    const page = await other.browser.get("/account");
    assert.ok(!page.body.includes(path));
    const csrf_token = hiddenField(page, "csrf_token");
    const form = { csrf_token, which: "chosen", id: app.id, confirmed: "yes" };
    assert.equal((await other.browser.post(path, form)).statusCode, 403);
    const admin = await ready();
    const kept = await admin.open({ name: "Kept" });
    const foreign = await admin.browser.post(path, {
      csrf_token: "nonsense",
      which: "chosen",
      id: kept.id,
      confirmed: "yes",
    });
    assert.equal(foreign.statusCode, 403);
    assert.deepEqual(await admin.names(), ["Kept"]);
  });

  test("PR-26: the management API lists open clients by origin", async () => {
    const { browser, open, store } = await ready();
    await open({ name: "One" });
    await anApp(store, { name: "Registered" });
    const listed = await browser.get("/api/v1/apps?provenance=dynamic_registration");
    assert.deepEqual(
      listed.json().data.map(({ name, provenance }: Record<string, string>) => [name, provenance]),
      [["One", "dynamic_registration"]],
    );
  });

  test("PR-23: an administrator registers an open client under a name, and its page shows the consequences", async () => {
    const { browser, open, store, person } = await ready();
    const byDocument = {
      provenance: "metadata_document",
      client_id: "https://tools.example/client.json",
      document_hash: "h",
    } as const;
    const { id } = await open({ name: "<b>Claimed</b>", ...byDocument });
    const form = `${path}/${id}/register`;
    assert.ok((await browser.get(`/console/apps/${id}`)).body.includes(`href="${form}"`));
    const page = await browser.get(form);
    assert.equal(page.statusCode, 200);
    for (const text of ["https://tools.example/client.json", "&lt;b&gt;Claimed"])
      assert.ok(page.body.includes(text));
    const csrf_token = hiddenField(page, "csrf_token");
    assert.equal((await browser.post(form, { csrf_token: "nonsense", name: "Tools" })).statusCode, 403);
    const empty = await browser.post(form, { csrf_token, name: " " });
    assert.equal(empty.statusCode, 422);
    assert.ok(empty.body.includes('id="name-error"'));
    assert.equal((await store.find("oauth_apps", { id }))?.provenance, "metadata_document");
    const done = await browser.post(form, { csrf_token, name: "Tools" });
    assert.equal(done.headers.location, `/console/apps/${id}?done=changed`);
    const { name, owner_id } = (await store.find("oauth_apps", { id })) ?? {};
    assert.deepEqual([name, owner_id], ["Tools", person.id]);
    const shown = await browser.get(`/console/apps/${id}`);
    assert.match(shown.body, /the document is not read/);
    assert.ok(!shown.body.includes(form));
    assert.equal((await browser.get(form)).headers.location, `/console/apps/${id}`);
  });

  test("PR-23: only platform administrators reach that page or the same operation of the management API", async () => {
    const other = await ready(false);
    const by = { provenance: "metadata_document", document_hash: "h" } as const;
    const kept = await other.open({ ...by, client_id: "https://kept.example/client.json" });
    assert.equal((await other.browser.get(`${path}/${kept.id}/register`)).statusCode, 403);
    const { app, store, open, person, clock } = await ready();
    const { id } = await open({ ...by, client_id: "https://taken.example/client.json" });
    const text = apiKeyText(clock.now());
    await anApiKey(store, { user_id: person.id, scopes: ["postern:manage"], key_hash: apiKeyHash(text) });
    const call = (payload: string, headers = {}) =>
      app.inject({
        method: "POST",
        url: `/api/v1/apps/${id}/register`,
        headers: { authorization: `Bearer ${text}`, "content-type": "application/json", ...headers },
        payload,
      });
    assert.equal((await call("[]")).statusCode, 400);
    assert.equal((await call('{"name":7}')).statusCode, 422);
    assert.equal((await call('{"name":"A","public":true}')).statusCode, 422);
    assert.equal((await call('{"name":"A"}', { "if-match": '"no.such"' })).statusCode, 412);
    const done = await call('{"name":"Tools"}');
    assert.deepEqual(
      [done.statusCode, done.json().provenance, done.json().name],
      [200, "registered", "Tools"],
    );
    assert.equal((await call('{"name":"Tools"}')).statusCode, 422);
  });
});
