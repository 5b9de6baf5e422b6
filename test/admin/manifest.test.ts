import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import type { Problem } from "../../src/errors.ts";
import type { TableName } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { english } from "../../src/web/words/english.ts";
import { fieldErrorText } from "../../src/web/words/error_text.ts";
import { aSession, aToken } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column, words } from "../support/lists.ts";
import { refused, type TestContext, testContext } from "./context.ts";

const password = "correct horse battery staple";
const phc = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const pemOf = (namedCurve: string) =>
  generateKeyPairSync("ec", { namedCurve }).publicKey.export({ type: "spki", format: "pem" }).toString();
const [p256, p384] = [pemOf("P-256"), pemOf("P-384")];

/**
 * Returns a manifest with every notation that the documentation shows, and every field that a manager may
 * set.
 */
function documented() {
  return {
    organizations: [
      {
        slug: "acme",
        name: "Acme",
        plan: "pro",
        logo_url: "https://acme.example/logo.png",
        settings: { a: [1, null] },
      },
      { slug: "old", name: "Old", active: false },
    ],
    users: [
      {
        email: "ada@example.com",
        name: "Ada",
        password,
        is_platform_admin: true,
        avatar_url: "https://a.example/x",
      },
      { email: "Bob@example.com", name: "Bob", password: { argon2id: phc }, active: false },
    ],
    memberships: [
      { user: "ADA@example.com", organization: "acme", role: "owner", permissions: ["billing"] },
      { user: "bob@example.com", organization: "acme", role: "member" },
    ],
    apps: [
      {
        id: "01890000-0000-7000-8000-0000000000aa",
        client_id: "web app: 1%",
        name: "Web",
        description: "The shop",
        logo_url: "https://acme.example/logo.png",
        app_type: "web",
        owner: "ada@example.com",
        organization: "acme",
        redirect_uris: ["http://127.0.0.1:9000/cb", "https://acme.example/cb?x=1"],
        allowed_scopes: ["openid", "profile", "email", "offline_access", "orders:read"],
        allowed_grants: ["auth_code", "refresh_token"],
        allowed_response_types: ["code"],
        access_token_ttl: 600,
        refresh_token_ttl: 6000,
        refresh_token_rotation: false,
        first_party: true,
        public: false,
        active: true,
        metadata: {
          post_logout_redirect_uris: ["https://acme.example/bye"],
          refresh_reuse_window: 10,
          own: { b: 1, a: 2 },
        },
        secrets: [
          "web-secret",
          { value: "old-web-secret", expires_at: "2031-01-01T00:00:00Z", revoked: true },
        ],
      },
      { client_id: "spa", name: "Shop", app_type: "spa", owner: "ada@example.com", public: true },
      {
        client_id: "worker",
        name: "Worker",
        app_type: "machine",
        owner: "ada@example.com",
        allowed_scopes: ["orders:read"],
        allowed_grants: ["client_credentials"],
        secrets: [],
      },
      {
        client_id: "gone",
        name: "Gone",
        owner: "bob@example.com",
        revoked_at: "2029-12-31T00:00:00Z",
        active: false,
      },
      {
        client_id: "orders-api",
        name: "Orders",
        app_type: "service",
        owner: "ada@example.com",
        allowed_scopes: ["token:introspect"],
      },
    ],
    service_accounts: [
      {
        email: "ci@acme.example",
        name: "CI",
        description: "builds",
        organization: "acme",
        created_by: "ada@example.com",
        allowed_scopes: ["orders:read"],
        key_pairs: [
          { key_id: "one", algorithm: "ES256", public_key_pem: p256, expires_at: "2031-01-01T00:00:00Z" },
          { key_id: "two", public_key_pem: p384, active: false, revoked: true },
        ],
      },
    ],
    consents: [{ user: "ada@example.com", app: "spa", scopes: ["openid"] }],
  };
}

const tableNames: readonly TableName[] = words(`
  users organizations memberships oauth_apps oauth_app_secrets service_accounts service_account_key_pairs
  oauth_consents audit_events
`) as TableName[];

/** Returns every row of every table that a manifest writes. */
async function everything(store: Store): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of tableNames) rows[table] = await store.list(table);
  return rows;
}

/** Returns the errors as the command line prints them. */
const linesOf = ({ errors }: Problem) =>
  errors.map((each) => `${each.path}: ${fieldErrorText(each, english)}`);

for (const database of databasesInForm)
  describe(`a manifest on ${database.name}`, () => {
    const ready = async (): Promise<TestContext> => testContext(await database.open());

    test("a manifest creates everything that the documentation describes, and a second run reports no change", async () => {
      const context = await ready();
      const first = await applyManifest(documented(), context);
      assert.deepEqual(first.created, [
        "organization acme",
        "organization old",
        "user ada@example.com",
        "user Bob@example.com",
        "app web app: 1%",
        "app spa",
        "app worker",
        "app gone",
        "app orders-api",
        "membership ADA@example.com acme",
        "membership bob@example.com acme",
        "service_account ci@acme.example",
        "consent ada@example.com spa",
      ]);
      assert.deepEqual([first.updated, first.unchanged], [[], []]);
      assert.deepEqual(Object.keys(first.secrets), ["gone", "orders-api"]);

      const before = await everything(context.store);
      context.clock.advance(60);
      const second = await applyManifest(documented(), context);
      assert.deepEqual(second, { created: [], updated: [], unchanged: first.created, secrets: {} });
      assert.deepEqual(await everything(context.store), before);
    });

    test("each field of a manifest is stored in its field of the record", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest(documented(), context);
      const ada = await store.find("users", { email_key: "ada@example.com" });
      const bob = await store.find("users", { email_key: "bob@example.com" });
      assert.equal(await context.passwords.verify(ada?.password_hash ?? "", password), true);
      assert.deepEqual([bob?.password_hash, bob?.active, bob?.email], [phc, false, "Bob@example.com"]);
      const app = await store.find("oauth_apps", { client_id: "web app: 1%" });
      assert.equal(app?.id, "01890000-0000-7000-8000-0000000000aa");
      assert.equal(app?.owner_id, ada?.id);
      assert.deepEqual(app?.allowed_grants, ["auth_code", "refresh"]);
      assert.deepEqual(
        [app?.access_token_ttl, app?.refresh_token_ttl, app?.refresh_token_rotation],
        [600, 6000, false],
      );
      const secrets = await store.list("oauth_app_secrets", { app_id: app?.id ?? "" });
      assert.deepEqual(secrets.map(({ revoked }) => revoked).toSorted(), [false, true]);
      const keys = await store.list("service_account_key_pairs");
      const two = keys.find(({ key_id }) => key_id === "two");
      assert.deepEqual(
        [two?.algorithm, two?.key_type, two?.active, two?.revoked],
        ["ES384", "ec", false, true],
      );
      const gone = await store.find("oauth_apps", { client_id: "gone" });
      assert.deepEqual(gone?.revoked_at, new Date("2029-12-31T00:00:00Z"));
      const worker = await store.find("oauth_apps", { client_id: "worker" });
      assert.equal(await store.count("oauth_app_secrets", { app_id: worker?.id ?? "" }), 0);
    });

    test("applying a manifest updates fields that differ, and keeps fields that the file omits", async () => {
      const context = await ready();
      const { store } = context;
      await applyManifest(documented(), context);
      context.clock.advance(60);
      const known = await store.find("oauth_apps", { client_id: "web app: 1%" });
      const result = await applyManifest(
        {
          organizations: [{ slug: "acme", name: "Acme Ltd" }],
          users: [{ email: "ada@example.com", name: "Ada", password: "a new long pass phrase" }],
          memberships: [{ user: "ada@example.com", organization: "acme", role: "owner" }],
          apps: [
            {
              id: known?.id,
              client_id: "web app: 1%",
              name: "Web",
              owner: "ada@example.com",
              organization: null,
              secrets: [
                "web-secret",
                { value: "old-web-secret", revoked: false, expires_at: null },
                "third-secret",
              ],
            },
          ],
          service_accounts: [
            {
              email: "ci@acme.example",
              name: "CI",
              organization: "acme",
              created_by: "ada@example.com",
              key_pairs: [{ key_id: "one", public_key_pem: p256, revoked: true }],
            },
          ],
          consents: [{ user: "ada@example.com", app: "spa", scopes: ["openid"] }],
        },
        context,
      );
      assert.deepEqual(result, {
        created: [],
        updated: [
          "organization acme",
          "user ada@example.com",
          "app web app: 1%",
          "service_account ci@acme.example",
        ],
        unchanged: ["membership ada@example.com acme", "consent ada@example.com spa"],
        secrets: {},
      });
      const acme = await store.find("organizations", { slug: "acme" });
      assert.deepEqual([acme?.name, acme?.plan, acme?.updated_at], ["Acme Ltd", "pro", context.now()]);
      const ada = await store.find("users", { email_key: "ada@example.com" });
      assert.equal(await context.passwords.verify(ada?.password_hash ?? "", "a new long pass phrase"), true);
      const app = await store.find("oauth_apps", { client_id: "web app: 1%" });
      assert.deepEqual([app?.organization_id, app?.description], [null, "The shop"]);
      const secrets = await store.list("oauth_app_secrets", { app_id: app?.id ?? "" });
      assert.deepEqual(
        secrets.map(({ revoked, revoked_at, expires_at }) => [revoked, revoked_at, expires_at]),
        [1, 2, 3].map(() => [false, null, null]),
      );
    });

    test("active: false in a manifest ends sessions and tokens like a deactivation by request", async () => {
      const another = { email: "root@example.com", name: "Root", is_platform_admin: true };
      const context = await ready();
      const { store, clock } = context;
      await applyManifest(documented(), context);
      const ada = await store.find("users", { email_key: "ada@example.com" });
      const session = await aSession(store, { user_id: ada?.id ?? "" });
      const token = await aToken(store, { user_id: ada?.id ?? "" });
      clock.advance(60);
      await applyManifest({ users: [another, { email: "ada@example.com", active: false }] }, context);
      const off = await store.find("users", { email_key: "ada@example.com" });
      assert.deepEqual([off?.active, off?.tokens_not_before], [false, clock.now()]);
      assert.deepEqual((await store.find("sessions", { id: session.id }))?.ended_at, clock.now());
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "user_disabled");
    });

    test("a manifest recognizes an app without client_id by its name, owner and organization", async () => {
      const context = await ready();
      const manifest = {
        users: [{ email: "ada@example.com", name: "Ada" }],
        organizations: [{ slug: "acme", name: "Acme" }],
        apps: [
          { name: "Web", owner: "ada@example.com" },
          { name: "Web", owner: "ada@example.com", organization: "acme" },
          { name: "Web", owner: "ada@example.com", client_id: "named" },
        ],
      };
      const first = await applyManifest(manifest, context);
      assert.equal(Object.keys(first.secrets).length, 3);
      const second = await applyManifest(manifest, context);
      assert.deepEqual([second.created, second.updated, second.unchanged.length], [[], [], 5]);
      await applyManifest(
        { apps: [{ name: "Web", owner: "ada@example.com", client_id: "fourth" }] },
        context,
      );
      const apps = [{ name: "Web", owner: "ada@example.com" }];
      assert.equal((await applyManifest({ apps }, context)).unchanged.length, 1);
      await context.store.remove("manifest_names", {});
      await assert.rejects(applyManifest({ apps }, context), (error: Problem) =>
        /^apps\[0\]\.client_id: is required: the owner has 3 apps/.test(linesOf(error)[0] ?? ""),
      );
    });

    test("a manifest renames a record that it names by its id", async () => {
      const context = await ready();
      const id = "01890000-0000-7000-8000-000000000001";
      await applyManifest({ users: [{ id, email: "ada@example.com", name: "Ada" }] }, context);
      const { updated } = await applyManifest({ users: [{ id, email: "ada@new.example" }] }, context);
      assert.deepEqual(updated, ["user ada@new.example"]);
      assert.equal((await context.store.find("users", { id }))?.email_key, "ada@new.example");
    });

    test("every error in a manifest is reported with its path before anything is written", async () => {
      const context = await ready();
      await applyManifest({ users: [{ email: "eve@example.com", name: "Eve" }] }, context);
      const before = await everything(context.store);
      const manifest = {
        widgets: [],
        organizations: [{ slug: "acme", name: "Acme", plan: "gold" }, { slug: "acme", name: "Twice" }, 7],
        users: [
          { email: "ada@example.com", password: "short", created_at: "2020-01-01T00:00:00Z" },
          { email: "no address", name: "x", password: "password123" },
          { email: "x@example.com", name: "a\0b", password_hash: "$argon2id$" },
        ],
        memberships: [
          { user: "ada@example.com", organization: "nowhere", role: "" },
          { user: 7, organization: "acme" },
        ],
        apps: [
          {
            client_id: "a",
            name: "A",
            owner: "ada@example.com",
            redirect_uris: ["http://evil.example/", "https://ok.example/"],
          },
          { client_id: "b", name: "B", owner: "nobody@example.com", public: true, secrets: ["x"] },
          { client_id: "c\n", name: "x".repeat(256), owner: "eve@example.com", owner_id: "x", colour: 1 },
          {
            client_id: "d",
            name: "D",
            owner: "eve@example.com",
            secrets: [{ value: "" }],
            metadata: { resources: [1] },
          },
        ],
        service_accounts: [
          {
            email: "ci@acme.example",
            name: "CI",
            organization: "acme",
            created_by: "eve@example.com",
            key_pairs: [
              { key_id: "k", algorithm: "RS256", public_key_pem: p256 },
              { key_id: "k", public_key_pem: "no key" },
              { service_account_id: "x" },
            ],
          },
        ],
        consents: [{ user: "eve@example.com", app: "a", scopes: "openid", revoked: true }, null],
        "api.keys": {},
      };
      const error: Problem = await applyManifest(manifest, context).then(
        () => assert.fail("it was applied"),
        (each) => each,
      );
      assert.equal(error.code, "invalid_manifest");
      assert.deepEqual(
        column(error.errors, "path"),
        words(`
          widgets api.keys organizations[0].plan organizations[1] organizations[2] users[0].created_at
          users[0].name users[0].password users[1].email users[1].password users[2].password_hash
          users[2].name apps[0].redirect_uris[0] apps[1].owner apps[1].secrets apps[2].owner_id
          apps[2].colour apps[2].name apps[2].client_id apps[3].metadata.resources apps[3].secrets[0].value
          memberships[0].organization memberships[0].role memberships[1].user memberships[1].role
          service_accounts[0].key_pairs[0].algorithm service_accounts[0].key_pairs[1].key_id
          service_accounts[0].key_pairs[1].public_key_pem
          service_accounts[0].key_pairs[2].service_account_id service_accounts[0].key_pairs[2].key_id
          service_accounts[0].key_pairs[2].public_key_pem consents[0].revoked consents[0].scopes consents[1]
        `),
      );
      assert.ok(linesOf(error).includes("organizations[1]: is the same organization as organizations[0]"));
      assert.ok(linesOf(error).includes("apps[2].owner_id: must be given by name, as owner"));
      assert.deepEqual(await everything(context.store), before);
    });

    test("fields named like inherited JavaScript properties, such as __proto__, are refused as unknown", async () => {
      const context = await ready();
      const manifest: unknown = JSON.parse(
        '{"__proto__": [], "constructor": [], "users": [{"__proto__": {"name": "x"}, "email": "a@example.com", "toString": 1}]}',
      );
      await refused(
        applyManifest(manifest, context),
        "invalid_manifest __proto__ constructor users[0].__proto__ users[0].toString users[0].name",
      );
    });

    test("a file that is not a manifest is refused", async () => {
      const context = await ready();
      for (const manifest of [null, undefined, [], "users", 7, { users: {} }])
        await assert.rejects(applyManifest(manifest, context), { code: "invalid_manifest" });
      for (const empty of [{}, { users: null }])
        assert.deepEqual(await applyManifest(empty, context), {
          created: [],
          updated: [],
          unchanged: [],
          secrets: {},
        });
    });

    test("a manifest whose application is interrupted at any point leaves no partial change", async () => {
      const context = await ready();
      const { store } = context;
      for (const failing of words(
        "users oauth_apps oauth_app_secrets service_account_key_pairs oauth_consents",
      )) {
        const broken: Store = {
          ...store,
          transaction: (work, options) =>
            store.transaction(
              (tx) =>
                work({
                  ...tx,
                  insertAll: async (table, rows) => {
                    if (table === failing) throw new Error("the disk is gone");
                    return tx.insertAll(table, rows);
                  },
                }),
              options,
            ),
        };
        await assert.rejects(applyManifest(documented(), { ...context, store: broken }), /the disk is gone/);
        for (const [table, rows] of Object.entries(await everything(store)))
          assert.deepEqual(rows, [], table);
      }
    });

    test("a manifest is refused as a conflict if its records change concurrently, and writes nothing", async () => {
      const context = await ready();
      const { store } = context;
      const racing: Store = {
        ...store,
        async transaction(work, options) {
          await applyManifest({ users: [{ email: "ada@example.com", name: "Other" }] }, context);
          return store.transaction(work, options);
        },
      };
      const manifest = {
        organizations: [{ slug: "acme", name: "Acme" }],
        users: [{ email: "ADA@example.com", name: "Ada" }],
      };
      await refused(applyManifest(manifest, { ...context, store: racing }), "conflict users[0].email");
      assert.equal(await store.count("organizations"), 0);
    });

    test("a dry run of a manifest reports its changes and writes nothing", async () => {
      const context = await ready();
      const result = await applyManifest(documented(), context, { dryRun: true });
      assert.equal(result.created.length, 13);
      assert.deepEqual(result.secrets, {});
      for (const [table, rows] of Object.entries(await everything(context.store)))
        assert.deepEqual(rows, [], table);
    });

    test("an export applied to an empty server creates the same records", async () => {
      const [from, to] = [await ready(), await ready()];
      await applyManifest(documented(), from);
      const exported = JSON.parse(JSON.stringify(await exportManifest(from)));
      const { created } = await applyManifest(exported, to);
      assert.equal(created.length, 13);
      assert.deepEqual(await exportManifest(to), exported);
      assert.deepEqual((await applyManifest(exported, to)).updated, []);
      assert.deepEqual((await applyManifest(exported, from)).updated, []);
      const copied = [
        "organizations",
        "memberships",
        "oauth_apps",
        "service_accounts",
        "service_account_key_pairs",
      ] as const;
      for (const table of [...copied, "oauth_consents"] as const)
        assert.deepEqual(await to.store.list(table), await from.store.list(table), table);
      const people = async ({ store }: TestContext) =>
        (await store.list("users")).map((user) => ({ ...user, password_hash: null }));
      assert.deepEqual(await people(to), await people(from));
    });

    test("an exported manifest contains neither a secret nor the hash of one", async () => {
      const context = await ready();
      await applyManifest(documented(), context);
      const text = JSON.stringify(await exportManifest(context));
      for (const secret of [
        "argon2id",
        password,
        "web-secret",
        "pcs_",
        "secret_hash",
        "password_hash",
        "secret_prefix",
      ])
        assert.ok(!text.includes(secret), secret);
    });
  });
