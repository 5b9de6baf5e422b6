/** The management API without a socket. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ApiContext } from "../../../src/api/api_context.ts";
import { answerInProcess } from "../../../src/api/in_process.ts";
import { testContext } from "../../admin/context.ts";
import { anOrganization, aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { anApiKeyText, apiServer, bearer } from "./server.ts";

const [sqlite] = databases;

async function inProcess(overrides: Partial<ApiContext> = {}) {
  assert.ok(sqlite);
  const store = await sqlite.open();
  const caller = testContext(store);
  const answer = answerInProcess({
    ...{ store, sends_mail: false, log: { error() {} } },
    server: { issuer: "https://id.example", settings: {} as never, now: caller.now },
    callerOf: async () => caller,
    sendPasswordReset: async (_, user_id) => ({ user_id, expires_in: 60 }),
    ...overrides,
  });
  const ask = (path: string, init: RequestInit = {}) =>
    answer(new Request(`http://none/api/v1/${path}`, init));
  return { store, ask };
}

describe("the management API called within the process", () => {
  test("H-67: a call within the process acts as the operator, whatever its headers say, and opens no socket", async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name.includes("TCPServer"));
    const before = sockets().length;
    const { ask } = await inProcess();
    for (const headers of [{}, bearer("pak_none"), { cookie: "__Host-session=none" }]) {
      const { actor } = (await (await ask("me", { headers })).json()) as { actor: unknown };
      assert.deepEqual(actor, { kind: "system", id: "test", name: "test" });
    }
    assert.equal(sockets().length, before);
  });

  test("H-67: a server that listens uses the credential of the request, even if it was given a fixed caller", async () => {
    assert.ok(sqlite);
    const operator = { callerOf: async () => testContext(await sqlite.open()) };
    const it = await apiServer(sqlite, operator as object);
    assert.equal((await it.app.inject("/api/v1/users")).statusCode, 401);
    const user = await aUser(it.store);
    const { key } = await anApiKeyText(it, { user_id: user.id, scopes: ["postern:users:read"] });
    const { actor } = (await it.app.inject({ url: "/api/v1/me", headers: bearer(key) })).json();
    assert.equal(actor.id, user.id);
  });

  test("errors are problem documents, internal errors are thrown with their cause, and bodies have any size", async () => {
    const { store, ask } = await inProcess();
    const refused = await ask("users/by-email/none");
    assert.equal(refused.status, 404);
    assert.equal(((await refused.json()) as { code: string }).code, "not_found");
    const { id } = await anOrganization(store);
    const removed = await ask(`organizations/${id}`, { method: "DELETE" });
    assert.deepEqual([removed.status, await removed.text()], [204, ""]);
    const manifest = { organizations: [{ slug: "acme", name: "A".repeat(2_000_000) }] };
    const large = await ask("apply", {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ manifest }),
    });
    assert.equal(((await large.json()) as { code: string }).code, "invalid_manifest");
    const broken = await inProcess({ callerOf: () => Promise.reject(new Error("the disk is full")) });
    await assert.rejects(broken.ask("users"), /the disk is full/);
    const causes = ["one", "other"];
    const breaking = await inProcess({ callerOf: () => Promise.reject(new Error(causes.pop())) });
    const both = await Promise.allSettled([breaking.ask("users"), breaking.ask("groups")]);
    const reasons = both.map((each) => each.status === "rejected" && String(each.reason));
    assert.deepEqual(reasons.toSorted(), ["Error: one", "Error: other"]);
  });
});
