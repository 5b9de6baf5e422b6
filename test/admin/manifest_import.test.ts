/** Records from a file of another system, applied with their source (MG-11, MG-12). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import type { Problem } from "../../src/errors.ts";
import { anApp, anOrganization, aProvider, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

/** Returns the errors of refused work as `path code`. */
const errorsOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => assert.fail("not refused"),
    ({ errors }: Problem) => errors.map(({ path, code }) => `${path} ${code}`),
  );

for (const database of databasesInForm)
  describe(`a manifest sent by an import on ${database.name}`, () => {
    async function ready() {
      const context = await testContext(await database.open());
      const owner = (await aUser(context.store)).email;
      const app = (client_id: string, more: object = {}) => ({
        ...{ client_id, name: client_id, kind: "website", owner, allowed_scopes: ["openid"] },
        ...{ redirect_uris: ["https://shop.example/callback"], secrets: ["a-secret-of-the-old-system"] },
        ...more,
      });
      const provider = (slug: string) => ({ slug, label: slug, preset: "google", client_id: "theirs" });
      const importing = (manifest: object, source = "shop", dryRun = false) =>
        applyManifest(manifest, context, { source, dryRun });
      return { context, store: context.store, app, provider, importing };
    }

    test("MG-12: an import refuses records that another source created, and leaves them unchanged", async () => {
      const { store, app, provider, importing } = await ready();
      await anApp(store, { client_id: "my-app" });
      await anOrganization(store, { slug: "acme", name: "Acme" });
      await aProvider(store, { slug: "google", client_id: "ours" });
      const tables = ["oauth_apps", "oauth_app_secrets", "organizations", "providers"] as const;
      const all = () => Promise.all(tables.map((table) => store.list(table)));
      const before = await all();
      const apps = [app("my-app"), app("web")];
      const organizations = [{ slug: "acme", name: "Other" }];
      for (const dryRun of [true, false]) {
        const manifest = { apps, organizations, providers: [provider("google")] };
        assert.deepEqual((await errorsOf(importing(manifest, "shop", dryRun))).sort(), [
          "apps[0] not_of_import",
          "organizations[0] not_of_import",
          "providers[0] not_of_import",
        ]);
      }
      assert.deepEqual(await all(), before);

      await importing({ apps: [app("web")] });
      const another = importing({ apps: [app("web")] }, "another-realm");
      assert.deepEqual(await errorsOf(another), ["apps[0] not_of_import"]);
    });

    test("MG-12: a repeated import restores nothing that was changed or deleted on this server", async () => {
      const { context, store, app, importing } = await ready();
      const manifest = { apps: [app("web"), app("shop"), app("old")] };
      assert.deepEqual((await importing(manifest)).created, ["app web", "app shop", "app old"]);
      assert.deepEqual((await importing(manifest)).unchanged, ["app web", "app shop", "app old"]);
      const web = await store.find("oauth_apps", { client_id: "web" });
      const changes = { active: false, redirect_uris: ["https://new.example/callback"] };
      await store.update("oauth_apps", { id: web?.id ?? "" }, changes);
      const shop = await store.find("oauth_apps", { client_id: "shop" });
      await store.remove("oauth_app_secrets", { app_id: shop?.id ?? "" });
      const again = await importing(manifest);
      assert.deepEqual([again.kept, again.unchanged], [["app web", "app shop"], ["app old"]]);
      assert.deepEqual([again.created, again.updated, again.secrets], [[], [], {}]);
      const kept = await store.find("oauth_apps", { client_id: "web" });
      assert.deepEqual([kept?.active, kept?.redirect_uris], [false, changes.redirect_uris]);
      assert.equal(await store.count("oauth_app_secrets", { app_id: shop?.id ?? "" }), 0);

      await store.remove("oauth_apps", { client_id: "old" });
      assert.deepEqual(await errorsOf(importing(manifest)), ["apps[2] deleted_after_import"]);
      // These rules do not apply to a manifest that the operator applies. Pruning with it removes only
      // records that such manifests created, and no imported ones.
      await applyManifest({ apps: [app("old"), app("web")] }, context);
      assert.equal((await store.find("oauth_apps", { client_id: "web" }))?.active, false);
      const { removed } = await applyManifest({}, context, { prune: true, dryRun: true });
      assert.deepEqual(removed, ["app_secret old a-secr…", "app old"]);
    });

    test("MG-12: a repeated import recognizes its roles, and does not restore a deleted one", async () => {
      const { store, importing } = await ready();
      const organizations = [{ slug: "acme", name: "Acme" }];
      const roles = [{ name: "editor", organization: "acme" }];
      const manifest = { organizations, roles };
      await importing(manifest);
      const again = await importing(manifest);
      assert.deepEqual([again.created, again.unchanged.length], [[], 2]);
      await store.remove("roles", {});
      assert.deepEqual(await errorsOf(importing(manifest)), ["roles[0] deleted_after_import"]);
    });

    test("MG-11: an imported app gets no scope of this server, and is not made first_party", async () => {
      const { store, app, importing } = await ready();
      const apps = [app("web", { allowed_scopes: ["openid", "postern:manage", "token:introspect"] })];
      const found = importing({ apps: [...apps, app("first", { first_party: true })] });
      assert.deepEqual(await errorsOf(found), [
        "apps[0].allowed_scopes[1] scope_reserved",
        "apps[0].allowed_scopes[2] scope_reserved",
        "apps[1].first_party not_taken",
      ]);
      assert.equal(await store.count("oauth_apps"), 0);
    });
  });
