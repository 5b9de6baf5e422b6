/** The body of a webhook contains ids, or the record as the API shows it to the endpoint's owner. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { deliver } from "../../../src/oauth/deliveries/deliver.ts";
import { createLog } from "../../../src/ops/log.ts";
import { type Outbound, OutboundError } from "../../../src/outbound/outbound.ts";
import type { Organization } from "../../../src/records/definition/definition.ts";
import { manageScope } from "../../../src/records/definition/permissions.ts";
import { delivererOf } from "../../../src/server/deliverer_of.ts";
import { aMembership, anAttribute, anOrganization, aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [database] = databases as [(typeof databases)[number]];
const log = createLog({ level: "silent", destination: { write() {} } });
const url = "https://hooks.example.com/in";

describe("records included in the body of a webhook", () => {
  let it: ApiServer;
  let acme: Organization;
  let of_acme: string;

  before(async () => {
    const events = { ...database, open: () => database.open({ events: true }) };
    it = await apiServer(events, {}, { extra_features: ["events"] });
    acme = await anOrganization(it.store);
    of_acme = (await anApiKeyText(it, { user_id: null, organization_id: acme.id, scopes: [manageScope] }))
      .key;
    await anAttribute(it.store, { name: "salary", readers: [] });
    await anAttribute(it.store, { name: "desk", readers: ["admin"] });
  });

  async function call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    payload?: object,
    key = it.key,
  ) {
    const answer = await it.app.inject({
      ...{ method, url: `/api/v1/${path}`, headers: bearer(key) },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.body === "" ? undefined : answer.json() };
  }
  async function endpoint(given: object = {}): Promise<string> {
    const { status, body } = await call("POST", "webhook-endpoints", { url, ...given });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }
  /** Makes the delivery attempts that are due for an endpoint, and returns the bodies of the requests. */
  async function bodiesTo(id: string): Promise<string[]> {
    const { store, server, clock } = it;
    await store.numberEvents();
    await store.fillWebhooks(clock.now());
    const bodies: string[] = [];
    const way = {
      async send({ body }: { body?: { text: string } }) {
        bodies.push(body?.text ?? "");
        return { status: 204, headers: {}, body: Buffer.alloc(0) };
      },
    };
    const deliverer = delivererOf(server, store, () => way as unknown as Outbound, { count() {} }, log);
    assert.ok(deliverer);
    for (;;) {
      const due = await store.dueDeliveries(clock.now(), 200, []);
      const [next] = due.filter(({ target_id }) => target_id === id);
      if (next === undefined) return bodies;
      for (const claimed of await store.claimDeliveries([next], id, clock.now()))
        await deliver(claimed, deliverer);
    }
  }
  const lastTo = async (id: string) => JSON.parse((await bodiesTo(id)).at(-1) ?? "{}");

  test("FO-4: only an unrestricted credential of a platform administrator allows an endpoint at a private address", async () => {
    const user = await aUser(it.store, { is_platform_admin: true });
    const scopes = ["postern:webhook_endpoints:write", "postern:events:read"];
    const { key } = await anApiKeyText(it, { user_id: user.id, organization_id: null, scopes });
    const refused = async (path: string, work: ReturnType<typeof call>) => {
      const { status, body } = await work;
      const [{ path: named, code }] = body.errors;
      assert.deepEqual([status, named, code], [403, path, "full_credential_only"]);
    };
    await refused("/internal", call("POST", "webhook-endpoints", { url, internal: true }, key));
    const id = await endpoint();
    const path = `webhook-endpoints/${id}`;
    await refused("/internal", call("PATCH", path, { internal: true }, key));
    assert.equal((await call("PATCH", path, { url: `${url}/2` }, key)).status, 200);
    assert.equal((await call("PATCH", path, { internal: true })).status, 200);
    await refused("/url", call("PATCH", path, { url }, key));
    assert.equal((await call("PATCH", path, { internal: false }, key)).status, 200);
  });

  test("EV-6: endpoints of a deactivated organization receive nothing until it is active again", async () => {
    const id = await endpoint({ organization_id: acme.id });
    await call("PATCH", `organizations/${acme.id}`, { name: "Acme before" });
    await it.store.numberEvents();
    await it.store.fillWebhooks(it.clock.now());
    await call("PATCH", `organizations/${acme.id}`, { active: false });
    await call("PATCH", `organizations/${acme.id}`, { name: "Acme meanwhile" });
    assert.deepEqual(await bodiesTo(id), []);
    const [row] = await it.store.list("deliveries", { target_id: id });
    assert.equal(row?.attempt, 0);
    await call("PATCH", `organizations/${acme.id}`, { active: true });
    it.clock.advance(301);
    const types = (await bodiesTo(id)).map((body) => JSON.parse(body).type);
    assert.ok(types.filter((type) => type === "organization.updated").length >= 2, String(types));
  });

  test("EV-6: failed deliveries of an organization do not reveal whether an internal host name exists", async () => {
    const { id: organization_id } = await anOrganization(it.store);
    const faults = async (kind: "unresolved" | "internal_address", owner: object) => {
      const id = await endpoint(owner);
      await call("POST", `webhook-endpoints/${id}/ping`, {});
      const way = {
        async send() {
          throw new OutboundError(kind, "hooks.example.com");
        },
      };
      const deliverer = delivererOf(
        it.server,
        it.store,
        () => way as unknown as Outbound,
        { count() {} },
        log,
      );
      assert.ok(deliverer);
      const due = await it.store.list("deliveries", { target_id: id });
      for (const claimed of await it.store.claimDeliveries(due, id, it.clock.now()))
        await deliver(claimed, deliverer);
      const [row] = await it.store.list("deliveries", { target_id: id });
      return row?.last_fault?.split(":")[0];
    };
    for (const kind of ["unresolved", "internal_address"] as const)
      assert.deepEqual(
        [await faults(kind, { organization_id }), await faults(kind, {})],
        ["no_allowed_address", kind],
      );
  });

  test("EV-3: parallel requests can create at most 20 endpoints, and at most 100 pings can wait", async () => {
    const { id: organization_id } = await anOrganization(it.store);
    const given = { url, organization_id };
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => call("POST", "webhook-endpoints", given)),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 20);
    const id = answers.find(({ status }) => status === 201)?.body.id;
    const statuses: number[] = [];
    for (let sent = 0; sent < 101; sent++)
      statuses.push((await call("POST", `webhook-endpoints/${id}/ping`, {})).status);
    assert.deepEqual([statuses.indexOf(409), statuses.length], [100, 101]);
  });

  test("EV-5: without include, a body has ids and names of changed fields, never an address or a name", async () => {
    const id = await endpoint();
    const { body: user } = await call("POST", "users", { email: "ada@acme.example", name: "Ada Lovelace" });
    await call("PATCH", `users/${user.id}`, { name: "Ada King", email: "ada.king@acme.example" });
    await call("PATCH", `organizations/${acme.id}`, { name: "Acme Works" });
    await call("POST", "memberships", { user_id: user.id, organization_id: acme.id, role: "member" });
    const bodies = await bodiesTo(id);
    const types = bodies.map((body) => JSON.parse(body).type);
    for (const type of ["user.created", "user.updated", "user.email_changed", "organization.updated"])
      assert.ok(types.includes(type), type);
    for (const body of bodies) {
      assert.doesNotMatch(body, /ada|lovelace|king|acme|record/i);
      assert.ok(Buffer.byteLength(body) < 1000, body);
    }
    const changed = bodies.map((body) => JSON.parse(body)).find(({ type }) => type === "user.updated");
    assert.deepEqual(changed.data.changed.toSorted(), ["email", "name"]);
  });

  test("EV-5: with include, a body has the record as the API shows it when it is sent, and none if it was deleted", async () => {
    const id = await endpoint({ include: ["record"] });
    const { body: user } = await call("POST", "users", { email: "grace@example.com", name: "Grace" });
    await call("PATCH", `users/${user.id}`, { name: "Grace Hopper" });
    const created = JSON.parse((await bodiesTo(id))[0] ?? "{}");
    assert.equal(created.type, "user.created");
    const shown = await call("GET", `users/${user.id}`);
    assert.equal(created.record.name, "Grace Hopper");
    assert.deepEqual(created.record, shown.body);
    assert.doesNotMatch(JSON.stringify(created), /hash|sealed|secret/);
    await call("POST", `webhook-endpoints/${id}/ping`, {});
    assert.deepEqual(Object.keys(await lastTo(id)), ["id", "type", "created_at", "data"]);
    await call("DELETE", `users/${user.id}`);
    const deleted = await lastTo(id);
    assert.deepEqual(
      [deleted.type, deleted.subject_id, "record" in deleted],
      ["user.deleted", user.id, false],
    );
    const feed = await call("GET", "events?after=0");
    assert.ok(feed.body.data.every((event: object) => !("record" in event)));
  });

  test("EV-5: an organization's endpoint gets a record as its API key may read it, and none once it may not", async () => {
    const id = await endpoint({ organization_id: acme.id, include: ["record"] });
    const attributes = { salary: 5, desk: "B2" };
    const user = await aUser(it.store, { attributes, last_login_at: it.clock.now() });
    const membership = await aMembership(it.store, { user_id: user.id, organization_id: acme.id });
    const tell = async () => {
      await call("PATCH", `memberships/${membership.id}`, { role: "developer" });
      return lastTo(id);
    };
    const { body: shown } = await call("GET", `users/${user.id}`, undefined, of_acme);
    const { type, record } = await tell();
    assert.deepEqual([type, record], ["membership.updated", shown]);
    assert.deepEqual(record.attributes, { desk: "B2" });
    assert.ok(!("last_login_at" in record) && !("is_platform_admin" in record));
    await call("DELETE", `memberships/${membership.id}`);
    const removed = await lastTo(id);
    assert.deepEqual([removed.type, "record" in removed], ["membership.deleted", false]);
    assert.equal((await call("GET", `users/${user.id}`, undefined, of_acme)).status, 404);
  });

  test("EV-5: a record that would make the body exceed 20 kB is left out, and the body says so", async () => {
    const id = await endpoint({ include: ["record"] });
    for (const [length, fits] of [
      [18_000, true],
      [20_000, false],
    ] as const) {
      const settings = { note: "a".repeat(length) };
      await call("PATCH", `organizations/${acme.id}`, { settings });
      const [text = ""] = await bodiesTo(id);
      const body = JSON.parse(text);
      assert.ok(Buffer.byteLength(text) <= 20_000);
      assert.deepEqual([body.type, "record" in body], ["organization.updated", fits]);
      assert.equal(body.record_omitted, fits ? undefined : "too_large");
    }
    await call("PATCH", `organizations/${acme.id}`, { settings: null });
  });

  test("EV-5: only a platform administrator sets include, and the URL of an endpoint that has it", async () => {
    const given = { url, organization_id: acme.id };
    const mine = await call("POST", "webhook-endpoints", { ...given, include: ["record"] }, of_acme);
    assert.deepEqual([mine.status, mine.body.errors[0].path], [403, "/include"]);
    const { body } = await call("POST", "webhook-endpoints", given, of_acme);
    const change = (changes: object, key = of_acme) =>
      call("PATCH", `webhook-endpoints/${body.id}`, changes, key);
    assert.equal((await change({ include: ["record"] })).body.errors[0].path, "/include");
    assert.equal((await change({ include: ["secrets"] }, it.key)).status, 422);
    assert.deepEqual((await change({ include: ["record"] }, it.key)).body.include, ["record"]);
    const moved = await change({ url: "https://elsewhere.example/in" });
    assert.deepEqual([moved.status, moved.body.errors[0].path], [403, "/url"]);
    assert.equal((await change({ description: "People" })).status, 200);
  });

  test("EV-3: only a credential that may read events creates, changes, resumes, replays or rotates an endpoint", async () => {
    const [write, read] = ["postern:webhook_endpoints:write", "postern:events:read"];
    for (const organization_id of [acme.id, null]) {
      const owner =
        organization_id === null ? { user_id: it.administrator.id } : { user_id: null, organization_id };
      const keyOf = async (...scopes: string[]) => (await anApiKeyText(it, { ...owner, scopes })).key;
      const given = { url, ...(organization_id !== null && { organization_id }) };
      const id = await endpoint(given);
      await call("POST", `webhook-endpoints/${id}/ping`, {});
      const at = `webhook-endpoints/${id}`;
      const narrow = await keyOf(write);
      const wide = await keyOf(write, read);
      const { status, body } = await call("POST", "webhook-endpoints", given, narrow);
      assert.deepEqual([status, body.code], [403, "forbidden"]);
      assert.match(body.detail, /postern:events:read/);
      assert.equal((await call("POST", "webhook-endpoints", given, wide)).status, 201);
      for (const changes of [{ url: `${url}/2` }, { types: ["user.deleted"] }] as const) {
        assert.equal((await call("PATCH", at, changes, narrow)).status, 403, JSON.stringify(changes));
        assert.equal((await call("PATCH", at, changes, wide)).status, 200, JSON.stringify(changes));
      }
      assert.equal((await call("PATCH", at, { active: false, description: "x" }, narrow)).status, 200);
      assert.equal((await call("PATCH", at, { active: true }, narrow)).status, 403);
      assert.equal((await call("PATCH", at, { active: true, resume: "now" }, wide)).status, 200);
      const nothing = { event_id: crypto.randomUUID() };
      assert.equal((await call("POST", `${at}/replay`, nothing, narrow)).status, 403);
      assert.equal((await call("POST", `${at}/replay`, nothing, wide)).status, 422);
      assert.equal((await call("POST", `${at}/rotate-secret`, {}, narrow)).status, 403);
      assert.equal((await call("POST", `${at}/rotate-secret`, {}, wide)).status, 200);
      assert.equal((await call("POST", `${at}/ping`, {}, narrow)).status, 200);
      assert.equal((await call("DELETE", at, undefined, narrow)).status, 204);
    }
  });

  test("EV-5: an endpoint with include is managed only by a credential that may read every such record", async () => {
    const [write, events] = ["postern:webhook_endpoints:write", "postern:events:read"];
    const records = ["postern:users:read", "postern:organizations:read", "postern:apps:read"];
    const keyOf = async (...scopes: string[]) =>
      (await anApiKeyText(it, { user_id: it.administrator.id, scopes })).key;
    const wide = await keyOf(write, events, ...records);
    for (const missing of [events, ...records]) {
      const id = await endpoint({ include: ["record"], types: ["user.created"] });
      const plain = await endpoint();
      const at = `webhook-endpoints/${id}`;
      const narrow = await keyOf(write, ...[events, ...records].filter((scope) => scope !== missing));
      const tries = [
        ["POST", "webhook-endpoints", { url, include: ["record"] }, 201],
        ["PATCH", `webhook-endpoints/${plain}`, { include: ["record"] }, 200],
        ["PATCH", at, { url: `${url}/2` }, 200],
        ["POST", `${at}/replay`, { event_id: crypto.randomUUID() }, 422],
        ["POST", `${at}/rotate-secret`, {}, 200],
        ["PATCH", at, { active: true }, 200],
      ] as const;
      await call("PATCH", at, { active: false });
      for (const [method, path, body, done] of tries) {
        const refused = await call(method, path, body, narrow);
        assert.equal(refused.status, 403, `${method} ${path} without ${missing}`);
        assert.ok(refused.body.detail.includes(missing), refused.body.detail);
        assert.equal((await call(method, path, body, wide)).status, done, `${method} ${path}`);
      }
      for (const each of [id, plain]) await call("DELETE", `webhook-endpoints/${each}`);
    }
  });
});
