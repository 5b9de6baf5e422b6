import assert from "node:assert/strict";
import { test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { databasesInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

/** Every twentieth app is confidential and has a secret. */
const apps = Array.from({ length: 1000 }, (_, index) => ({
  client_id: `app-${index}`,
  name: `App ${index}`,
  owner: "ada@example.com",
  redirect_uris: [`https://app-${index}.example/cb`],
  allowed_scopes: ["openid", `orders-${index}:read`],
  ...(index % 20 === 0 ? { secrets: [`the-secret-of-app-${index}`] } : { public: true }),
}));
const users = [{ email: "ada@example.com", name: "Ada", is_platform_admin: true }];

for (const database of databasesInForm) {
  test(`a manifest of a thousand apps changes nothing when applied again, on ${database.name}`, async () => {
    const context = testContext(await database.open());
    const first = await applyManifest({ users, apps }, context);
    assert.equal(first.created.length, 1001);
    const before = await context.store.list("oauth_apps");
    const events = await context.store.count("audit_events");
    const second = await applyManifest({ users, apps }, context);
    assert.deepEqual([second.created, second.updated, second.unchanged.length], [[], [], 1001]);
    assert.deepEqual(await context.store.list("oauth_apps"), before);
    assert.equal(await context.store.count("audit_events"), events);
    // If one app differs, only that one is written.
    const changed = apps.map((app, index) => (index === 500 ? { ...app, name: "Renamed" } : app));
    const third = await applyManifest({ users, apps: changed }, context);
    assert.deepEqual([third.created, third.updated], [[], ["app app-500"]]);
  });
}
