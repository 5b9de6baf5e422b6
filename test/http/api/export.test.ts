import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { anOrganization, aUser, later, start } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { aMembership, anEvent } from "../../support/management_fixture.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [sqlite] = databasesInForm;

describe("the export of audit events through the API", () => {
  let it: ApiServer;
  let base: string;
  before(async () => {
    assert.ok(sqlite);
    it = await apiServer(sqlite);
    for (let index = 0; index < 450; index++) {
      await anEvent(it.store, { actor_id: `actor-${index % 3}`, organization_id: null });
    }
    await it.app.listen({ host: "127.0.0.1", port: 0 });
    base = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}/api/v1/audit-events/export`;
  });
  after(() => it.app.close());

  const ask = (query: string, key = it.key) => fetch(`${base}${query}`, { headers: bearer(key) });

  test("the export has every matching event, beyond one page, as one JSON object per line", async () => {
    const answer = await ask("?type=app.updated");
    assert.equal(answer.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
    assert.match(String(answer.headers.get("content-disposition")), /filename="audit-events\.jsonl"/);
    const lines = (await answer.text()).trimEnd().split("\n");
    const ids = lines.map((line) => JSON.parse(line).id);
    assert.equal(ids.length, 450);
    assert.equal(new Set(ids).size, 450);
    assert.equal((await (await ask("?actor_id=actor-1")).text()).trimEnd().split("\n").length, 150);
    const none = await ask(`?created_from=${later(86_400, start).toISOString()}`);
    assert.equal(await none.text(), "");
  });

  test("HEAD on the export has the headers of GET, without a length for a streamed body (RFC 9110 8.6)", async () => {
    const requested = await fetch(base, { method: "HEAD", headers: bearer(it.key) });
    assert.equal(requested.status, 200);
    assert.equal(requested.headers.get("content-length"), null);
    assert.equal(requested.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
    assert.equal(await requested.text(), "");
  });

  test("the export has exactly the events that the caller may read", async () => {
    const organization = await anOrganization(it.store);
    const owner = await aUser(it.store);
    await aMembership(it.store, { user_id: owner.id, organization_id: organization.id, role: "owner" });
    const event = await anEvent(it.store, { actor_id: "somebody", organization_id: organization.id });
    const { key } = await anApiKeyText(it, { user_id: owner.id, scopes: ["postern:read"] });
    const lines = (await (await ask("", key)).text()).trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      [event.id],
    );
  });

  test("the export is aborted if its credential is revoked midway", async (t) => {
    const { key, row } = await anApiKeyText(it, {
      user_id: it.administrator.id,
      scopes: ["postern:audit_events:read"],
    });
    const { listPage } = it.store;
    t.mock.method(it.store, "listPage", async (...input: Parameters<typeof listPage>) => {
      const page = await listPage(...input);
      await it.store.update("api_keys", { id: row.id }, { revoked: true });
      return page;
    });
    const answer = await ask("", key);
    assert.equal(answer.status, 200);
    await assert.rejects(answer.text());
  });

  test("a refused export gets a complete error response", async () => {
    const answer = await ask("?outcome=perhaps");
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
  });
});
