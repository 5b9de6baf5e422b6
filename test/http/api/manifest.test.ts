/** `postern apply` and `postern export` through the management API. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { exportManifest } from "../../../src/admin/manifest/export.ts";
import { mostManifest } from "../../../src/api/manifest_routes.ts";
import { aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [database] = databases;
assert.ok(database);

const appOf = (name: string) => ({
  client_id: "web",
  name,
  owner: "owner@example.com",
  redirect_uris: ["https://web.example/cb"],
});
const manifest = {
  organizations: [{ slug: "acme", name: "Acme" }],
  users: [{ email: "owner@example.com", name: "Owner" }],
  apps: [appOf("Web")],
};

describe("a manifest sent to the management API", () => {
  let it: ApiServer;
  before(async () => {
    it = await apiServer(database);
  });

  const call = (method: "GET" | "POST", url: string, body?: string, key = it.key) =>
    it.app.inject({
      method,
      url: `/api/v1${url}`,
      headers: { ...bearer(key), ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { payload: body }),
    });
  const apply = (body: object, key?: string) => call("POST", "/apply", JSON.stringify(body), key);

  test("H-66: a dry run changes nothing, a run writes everything, and a second run changes nothing", async () => {
    const dry = await apply({ manifest, dry_run: true });
    assert.equal(dry.statusCode, 200, dry.body);
    assert.deepEqual(dry.json().created, ["organization acme", "user owner@example.com", "app web"]);
    assert.equal(dry.json().differences.length, 3);
    assert.deepEqual(dry.json().secrets, {});
    assert.equal(await it.store.count("organizations", { slug: "acme" }), 0);

    const first = await apply({ manifest });
    assert.equal(first.statusCode, 200, first.body);
    assert.deepEqual(first.json().created, dry.json().created);
    assert.equal(typeof first.json().secrets.web, "string");
    const events = await it.store.list("audit_events", { type: "app.created" });
    assert.equal(events.at(-1)?.actor_kind, "user");

    const second = (await apply({ manifest })).json();
    assert.deepEqual([second.created, second.updated, second.secrets], [[], [], {}]);
    assert.equal(second.unchanged.length, 3);

    const renamed = await apply({ manifest: { ...manifest, apps: [appOf("Website")] }, prune: true });
    assert.deepEqual(renamed.json().updated, ["app web"]);
    assert.deepEqual(renamed.json().removed, []);
    const pruned = await apply({ manifest: { ...manifest, apps: [] }, prune: true });
    assert.deepEqual(pruned.json().removed, ["app web"], pruned.body);
  });

  test("H-66: every error names its place in the manifest, and nothing is written", async () => {
    const faulty = {
      organizations: [{ slug: "never", name: "Never" }],
      apps: [{ ...appOf("Web"), redirect_uris: ["not an address"] }],
    };
    const answer = await apply({ manifest: faulty });
    assert.equal(answer.statusCode, 422, answer.body);
    assert.equal(answer.json().code, "invalid_manifest");
    assert.ok(
      answer.json().errors.some(({ path }: { path: string }) => path === "apps[0].redirect_uris[0]"),
      answer.body,
    );
    assert.equal(await it.store.count("organizations", { slug: "never" }), 0);
    const requested = (await apply({ dry_run: "yes", other: 1 })).json();
    assert.deepEqual(requested.errors.map(({ path }: { path: string }) => path).sort(), [
      "/dry_run",
      "/manifest",
      "/other",
    ]);
  });

  test("H-66: a manifest without a platform administrator's unrestricted credential is refused before it is read", async () => {
    const member = await aUser(it.store);
    const ofMember = await anApiKeyText(it, { user_id: member.id, scopes: ["postern:manage"] });
    const narrow = await anApiKeyText(it, {
      user_id: it.administrator.id,
      scopes: ["postern:read", "postern:apps:write"],
    });
    for (const { key } of [ofMember, narrow]) {
      assert.equal((await apply({ manifest, dry_run: true }, key)).statusCode, 403);
      // The permission is checked before the body is parsed, so an invalid body gets the same response.
      assert.equal((await call("POST", "/apply", "no json", key)).statusCode, 403);
    }
    assert.equal((await call("POST", "/apply", "no json", "none")).statusCode, 401);
    assert.equal((await call("GET", "/export", undefined, ofMember.key)).statusCode, 403);
    assert.equal((await call("GET", "/export", undefined, narrow.key)).statusCode, 200);
  });

  test("H-66: a manifest may have up to a megabyte, and other bodies keep their usual limit", async () => {
    const long = (bytes: number) => ({ organizations: [{ slug: "x", name: "y".repeat(bytes) }] });
    assert.equal((await apply({ manifest: long(200_000) })).statusCode, 422);
    assert.equal((await apply({ manifest: long(mostManifest) })).statusCode, 413);
    assert.equal((await call("POST", "/organizations", JSON.stringify(long(70_000)))).statusCode, 413);
  });

  test("an exported manifest equals that of the command, and contains no secrets", async () => {
    const answer = await call("GET", "/export");
    assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(await exportManifest(it))));
    assert.doesNotMatch(answer.body, /argon2id|password_hash/);
  });
});
