import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { type PasswordHasher, passwordHasher } from "../../src/crypto/passwords.ts";
import { databasesInForm } from "../support/databases.ts";
import { type TestContext, testContext } from "./context.ts";

const people = {
  users: [{ email: "ada@example.com", name: "Ada", password: "correct horse battery staple" }],
};

function manifestOf(count: number, secretOf = (n: number) => `secret of app ${n}`) {
  const apps = Array.from({ length: count }, (_, n) => ({
    client_id: `app-${n}`,
    name: `App ${n}`,
    owner: "ada@example.com",
    secrets: [secretOf(n)],
  }));
  return { ...people, apps };
}

/** Returns the same context, with a count of the Argon2id computations. */
function counting(context: TestContext) {
  const paid = { hashes: 0, verifications: 0 };
  const { hash, verify } = context.passwords;
  const passwords: PasswordHasher = {
    ...context.passwords,
    hash(password) {
      paid.hashes += 1;
      return hash(password);
    },
    verify(phc, password, queue) {
      paid.verifications += 1;
      return verify(phc, password, queue);
    },
  };
  return { context: { ...context, passwords }, paid };
}

for (const database of databasesInForm)
  describe(`secrets of a manifest that an earlier run verified, on ${database.name}`, () => {
    const ready = async () => counting(testContext(await database.open()));

    test("a second run with many apps changes nothing and verifies few secrets again", async () => {
      const { context, paid } = await ready();
      await applyManifest(manifestOf(300), context);
      Object.assign(paid, { hashes: 0, verifications: 0 });
      const second = await applyManifest(manifestOf(300), context);
      assert.deepEqual([second.created, second.updated, second.unchanged.length], [[], [], 301]);
      assert.equal(paid.hashes, 0);
      assert.ok(paid.verifications <= 32, String(paid.verifications));
    });

    test("the one changed secret among many is found with few verifications", async () => {
      const { context, paid } = await ready();
      await applyManifest(manifestOf(300), context);
      Object.assign(paid, { hashes: 0, verifications: 0 });
      const changed = manifestOf(300, (n) => (n === 7 ? "another secret" : `secret of app ${n}`));
      const { updated } = await applyManifest(changed, context);
      assert.deepEqual(updated, ["app app-7"]);
      assert.ok(paid.verifications < 100, String(paid.verifications));
      assert.ok(paid.hashes <= 3, String(paid.hashes));
      Object.assign(paid, { hashes: 0, verifications: 0 });
      assert.deepEqual((await applyManifest(changed, context)).updated, []);
      assert.ok(paid.verifications <= 32, String(paid.verifications));
    });

    test("a remembered verification never counts for another secret or hash", async () => {
      const { context } = await ready();
      const { store } = context;
      await applyManifest(manifestOf(100), context);
      const swapped = manifestOf(100, (n) => `secret of app ${n === 1 ? 2 : n === 2 ? 1 : n}`);
      assert.deepEqual((await applyManifest(swapped, context, { dryRun: true })).updated, [
        "app app-1",
        "app app-2",
      ]);
      const app = await store.find("oauth_apps", { client_id: "app-3" });
      const secret_hash = await context.passwords.hash("somebody else's");
      await store.update("oauth_app_secrets", { app_id: app?.id ?? "" }, { secret_hash });
      assert.deepEqual((await applyManifest(manifestOf(100), context)).updated, ["app app-3"]);
    });

    test("if the stored verifications are lost or altered, a run only takes longer and changes nothing", async () => {
      const { context, paid } = await ready();
      await applyManifest(manifestOf(50), context);
      await context.store.update("ephemera", {}, { value: await context.passwords.hash("x") });
      Object.assign(paid, { hashes: 0, verifications: 0 });
      assert.deepEqual((await applyManifest(manifestOf(50), context)).updated, []);
      assert.ok(paid.verifications >= 51);
      await context.store.remove("ephemera", {});
      assert.deepEqual((await applyManifest(manifestOf(50), context)).updated, []);
      context.clock.advance(200 * 86_400);
      assert.deepEqual((await applyManifest(manifestOf(50), context)).updated, []);
    });

    test("secrets of one app with the same beginning are distinguished, without verifying the others again", async () => {
      const { context, paid } = await ready();
      const alike = (...secrets: string[]) => {
        const { users, apps } = manifestOf(100);
        return {
          users,
          apps: [...apps, { client_id: "alike", name: "Alike", owner: "ada@example.com", secrets }],
        };
      };
      await applyManifest(alike("same-beginning-1"), context);
      const both = alike("same-beginning-1", "same-beginning-2");
      assert.deepEqual((await applyManifest(both, context)).updated, ["app alike"]);
      for (let run = 0; run < 2; run++) {
        Object.assign(paid, { hashes: 0, verifications: 0 });
        assert.deepEqual((await applyManifest(both, context)).updated, []);
      }
      assert.ok(paid.verifications <= 32 + 3, String(paid.verifications));
      assert.equal(paid.hashes, 0);
    });

    test("imported hashes with other cost parameters are verified in each run and never remembered", async () => {
      const { context, paid } = await ready();
      const dear = passwordHasher({ concurrency: 2, queue: 100, parameters: { m: 16, t: 2, p: 1 } });
      const input = "correct horse battery staple";
      const hashes = await Promise.all(Array.from({ length: 70 }, () => dear.hash(input)));
      const users = (password: (n: number) => unknown) =>
        hashes.map((_, n) => ({ email: `user${n}@example.com`, name: "User", password: password(n) }));
      await applyManifest({ users: users((n) => ({ argon2id: hashes[n] })) }, context);
      for (let run = 0; run < 2; run++) {
        Object.assign(paid, { hashes: 0, verifications: 0 });
        assert.deepEqual((await applyManifest({ users: users(() => input) }, context)).updated, []);
        assert.equal(paid.verifications, 70);
      }
      assert.equal(await context.store.count("ephemera"), 0);
    });

    test("no secret of the manifest is readable in the database", async () => {
      const { context } = await ready();
      await applyManifest(manifestOf(50), context);
      const kept = JSON.stringify(await context.store.list("ephemera"));
      assert.match(kept, /\$argon2id\$/);
      for (const text of ["secret of app", "correct horse"]) assert.ok(!kept.includes(text), text);
    });
  });
