import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { apiKeyHash, isApiKey } from "../../src/crypto/api_keys.ts";
import { databasesInForm } from "../support/databases.ts";
import { openedTokens, refused, testContext } from "./context.ts";

const people = {
  organizations: [{ slug: "acme", name: "Acme" }],
  users: [
    { email: "ada@example.com", name: "Ada", is_platform_admin: true },
    { email: "bob@example.com", name: "Bob" },
  ],
};

for (const database of databasesInForm) {
  describe(`API keys and linked accounts of a manifest on ${database.name}`, () => {
    const ready = async () => testContext(await database.open());

    test("a new API key is shown once in the result, and later recognized by its owner and name", async () => {
      const context = await ready();
      const manifest = {
        ...people,
        api_keys: [
          { user: "ada@example.com", name: "deploy", scopes: ["postern:users:read"] },
          { organization: "acme", name: "ci", expires_at: "2031-01-01T00:00:00Z" },
        ],
      };
      const first = await applyManifest(manifest, context);
      assert.deepEqual(first.created.slice(3), ["api_key deploy", "api_key ci"]);
      assert.deepEqual(Object.keys(first.secrets), ["api_key deploy", "api_key ci"]);
      for (const text of Object.values(first.secrets)) {
        assert.ok(isApiKey(text));
        const row = await context.store.find("api_keys", { key_hash: apiKeyHash(text) });
        assert.ok(row !== undefined && text.startsWith(row.key_prefix) && row.key_prefix.length > 0);
      }
      const second = await applyManifest(manifest, context);
      assert.deepEqual([second.created, second.updated, second.secrets], [[], [], {}]);
      const third = await applyManifest(
        { api_keys: [{ organization: "acme", name: "ci", scopes: ["orders:read"], revoked: true }] },
        context,
      );
      assert.deepEqual([third.updated, third.secrets], [["api_key ci"], {}]);
      const ci = (await context.store.list("api_keys")).find(({ name }) => name === "ci");
      assert.deepEqual([ci?.scopes, ci?.revoked], [["orders:read"], true]);
    });

    test("the results of keys with the same name are distinguished by their ids", async () => {
      const context = await ready();
      const { secrets } = await applyManifest(
        {
          ...people,
          api_keys: [
            { user: "ada@example.com", name: "deploy" },
            { user: "bob@example.com", name: "deploy" },
          ],
        },
        context,
      );
      const bob = await context.store.find("users", { email_key: "bob@example.com" });
      const [key] = await context.store.list("api_keys", { user_id: bob?.id ?? null });
      assert.deepEqual(Object.keys(secrets), ["api_key deploy", `api_key deploy ${key?.id}`]);
    });

    test("an API key cannot change its owner, and a revoked one stays revoked", async () => {
      const context = await ready();
      await applyManifest(
        { ...people, api_keys: [{ user: "ada@example.com", name: "old", revoked: true }] },
        context,
      );
      const [old] = await context.store.list("api_keys");
      const api_keys = [
        { name: "nobody's" },
        { user: "ada@example.com", organization: "acme", name: "both" },
        { user: "ada@example.com", name: "old", revoked: false },
        { id: old?.id, user: "bob@example.com", name: "older" },
        { user: "bob@example.com", name: "new", key_hash: "x", key_prefix: "y" },
        { user: "bob@example.com", name: "twice" },
        { user: "bob@example.com", name: "twice" },
      ];
      await refused(
        applyManifest({ api_keys }, context),
        `invalid_manifest api_keys[0].user api_keys[1].organization api_keys[2].revoked api_keys[3].user
          api_keys[3] api_keys[4].key_hash api_keys[4].key_prefix api_keys[6]`,
      );
    });

    test("H-6: tokens of a linked account are encrypted; a second run changes nothing, and a new token is an update", async () => {
      const context = await ready();
      const account = {
        user: "ada@example.com",
        provider: "github",
        provider_user_id: "42",
        access_token: "upstream-access",
        refresh_token: "upstream-refresh",
      };
      const manifest = { ...people, linked_accounts: [account] };
      const first = await applyManifest(manifest, context);
      assert.ok(first.created.includes("linked_account github 42"));
      const [row] = await context.store.list("oauth_accounts");
      assert.ok(row !== undefined && !JSON.stringify(row).includes("upstream"));
      assert.deepEqual(openedTokens(context, row), {
        access_token: "upstream-access",
        refresh_token: "upstream-refresh",
      });
      assert.deepEqual((await applyManifest(manifest, context)).updated, []);
      const changed = { ...account, access_token: "upstream-second", refresh_token: null };
      const dry = await applyManifest({ linked_accounts: [changed] }, context, { dryRun: true });
      assert.deepEqual(dry.differences, [
        {
          change: "update",
          record: "linked_account github 42",
          fields: {},
          hidden: ["access_token", "refresh_token"],
        },
      ]);
      await applyManifest({ linked_accounts: [changed] }, context);
      const [now] = await context.store.list("oauth_accounts");
      assert.deepEqual(now && openedTokens(context, now), {
        access_token: "upstream-second",
        refresh_token: null,
      });
    });

    test("a linked account without tokens stores the identity at the provider, and cannot change its user", async () => {
      const context = await ready();
      const link = { user: "ada@example.com", provider: "github", provider_user_id: "42" };
      await applyManifest({ ...people, linked_accounts: [link] }, context);
      assert.deepEqual((await applyManifest({ linked_accounts: [link] }, context)).updated, []);
      const [row] = await context.store.list("oauth_accounts");
      assert.deepEqual(row && openedTokens(context, row), { access_token: "", refresh_token: null });
      const linked_accounts = [
        { ...link, user: "bob@example.com", access_token: "", refresh_token: 7 },
        { ...link, expires_at: "soon" },
      ];
      await refused(
        applyManifest({ linked_accounts }, context),
        `invalid_manifest linked_accounts[0].user linked_accounts[0].access_token
          linked_accounts[0].refresh_token linked_accounts[1].expires_at linked_accounts[1]`,
      );
    });
  });

  describe(`the changes reported by a dry run on ${database.name}`, () => {
    const ready = async () => testContext(await database.open());

    test("a dry run lists every changed field with its old and new value, under the names of the file", async () => {
      const context = await ready();
      await applyManifest(
        {
          ...people,
          apps: [
            {
              client_id: "web",
              name: "Web",
              owner: "ada@example.com",
              secrets: [
                "a secret of the file",
                { value: "another of them", expires_at: "2031-01-01T00:00:00Z" },
              ],
            },
          ],
        },
        context,
      );
      const before = await context.store.list("audit_events");
      // The dry run may add nothing to the cache of verified secrets, which can already have entries.
      const remembered = await context.store.count("ephemera");
      const { differences, updated, created } = await applyManifest(
        {
          users: [
            { email: "ada@example.com", password: "correct horse battery staple" },
            { email: "eve@example.com", name: "Eve", password: "correct horse battery staple" },
          ],
          apps: [
            {
              client_id: "web",
              name: "Website",
              owner: "bob@example.com",
              organization: "acme",
              redirect_uris: ["https://a.example/cb"],
              secrets: [
                "a secret of the file",
                { value: "another of them", expires_at: null },
                "a third one",
              ],
            },
          ],
        },
        context,
        { dryRun: true },
      );
      assert.deepEqual([updated, created], [["user ada@example.com", "app web"], ["user eve@example.com"]]);
      assert.deepEqual(differences, [
        { change: "update", record: "user ada@example.com", fields: {}, hidden: ["password"] },
        {
          change: "create",
          record: "user eve@example.com",
          fields: {
            email: { before: null, after: "eve@example.com" },
            name: { before: null, after: "Eve" },
            is_platform_admin: { before: null, after: false },
            active: { before: null, after: true },
          },
          hidden: ["password"],
        },
        {
          change: "update",
          record: "app web",
          fields: {
            name: { before: "Web", after: "Website" },
            owner: { before: "ada@example.com", after: "bob@example.com" },
            organization: { before: null, after: "acme" },
            redirect_uris: { before: [], after: ["https://a.example/cb"] },
            "secrets[ano…].expires_at": { before: "2031-01-01T00:00:00.000Z", after: null },
          },
          hidden: ["secrets"],
        },
      ]);
      const text = JSON.stringify(differences);
      for (const secret of ["correct horse", "secret of the file", "another of them", "a third", "argon2"])
        assert.ok(!text.includes(secret), secret);
      assert.deepEqual(await context.store.list("audit_events"), before);
      assert.equal(await context.store.count("ephemera"), remembered);
    });
  });
}
