/**
 * Fields of an app that the specification does not have, and the metadata that sets them
 * (docs/decisions/clients.md).
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { createApp, updateApp } from "../../src/admin/records/apps.ts";
import { takeOverClient } from "../../src/admin/records/take_over_client.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { anApp, anOrganization, aUser, start } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column, words } from "../support/lists.ts";
import { problem, refused, testContext } from "./context.ts";

const bye = (name: string) => `https://app.example/${name}`;
const jwkOf = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });

for (const database of databasesInForm) {
  describe(`fields of an app on ${database.name}`, async () => {
    const store = await database.open();
    const heard: string[] = [];
    const context: AdminContext = { ...testContext(store), warn: (message) => heard.push(message) };
    const { id: owner_id, email } = await aUser(store);
    const basis = { name: "Orders", owner_id, allowed_scopes: ["orders:read", "orders:write"] };
    const create = async (values: object) => (await createApp(context, { ...basis, ...values })).app;
    const hearing = async <R>(work: Promise<R>): Promise<[R, string[]]> => {
      heard.length = 0;
      return [await work, [...heard]];
    };
    const said = ({ post_logout_redirect_uris, default_scopes }: OAuthApp) => [
      post_logout_redirect_uris,
      default_scopes,
    ];

    test("each field of an app is validated by its own rule, and an error names the path of the field", async () => {
      const wrong: [object, string][] = [
        [{ post_logout_redirect_uris: ["http://app.example/"] }, "/post_logout_redirect_uris/0"],
        [{ default_scopes: ["orders:read", "orders:delete"] }, "/default_scopes/1"],
        [{ default_scopes: ["or ders"] }, "/default_scopes/0"],
        [{ token_endpoint_auth_method: "client_secret_jwt" }, "/token_endpoint_auth_method"],
        [{ token_endpoint_auth_method: "none" }, "/token_endpoint_auth_method"],
        [{ public: true, token_endpoint_auth_method: "client_secret_post" }, "/token_endpoint_auth_method"],
        [{ jwks: { keys: [{ ...jwkOf(), d: "AA" }] } }, "/jwks/keys/0/d"],
        [{ jwks: {} }, "/jwks"],
        [{ jwks: [] }, "/jwks"],
        [{ jwks_uri: "http://app.example/jwks" }, "/jwks_uri"],
        [{ jwks_uri: "https://u@app.example/jwks" }, "/jwks_uri"],
        [{ jwks_uri: "https://app.example/jwks#a" }, "/jwks_uri"],
        [{ jwks: { keys: [] }, jwks_uri: "https://app.example/jwks" }, "/jwks_uri"],
        ...[
          "http://app.example/logout",
          "http://127.0.0.1/logout",
          "https://app.example/logout#a",
          "https://u@app.example/logout",
          "urn:example:app",
        ].map((uri): [object, string] => [{ backchannel_logout_uri: uri }, "/backchannel_logout_uri"]),
        [
          { backchannel_logout_uri: "ftp://10.0.0.1/", backchannel_logout_internal: true },
          "/backchannel_logout_uri",
        ],
        [{ id_token_signed_response_alg: "none" }, "/id_token_signed_response_alg"],
        [{ id_token_signed_response_alg: "HS256" }, "/id_token_signed_response_alg"],
        [{ claims_in_id_token: null }, "/claims_in_id_token"],
      ];
      for (const [values, path] of wrong)
        await assert.rejects(create(values), problem("invalid_record", [path]), JSON.stringify(values));
      const jwks = { keys: [{ kid: "one", ...jwkOf() }] };
      const values = {
        post_logout_redirect_uris: [bye("1"), "com.example.app:/bye"],
        default_scopes: ["orders:read"],
        token_endpoint_auth_method: "client_secret_basic",
        jwks,
        claims_in_id_token: false,
      };
      const app = await create(values);
      for (const [name, value] of Object.entries(values))
        assert.deepEqual(app[name as keyof OAuthApp], value);
      const change = (input: object) => updateApp(context, app.id, input as never);
      const uri = "https://app.example/jwks";
      await refused(change({ jwks_uri: uri }), "invalid_record /jwks_uri");
      assert.equal((await change({ jwks_uri: uri, jwks: null })).jwks_uri, uri);
      await refused(change({ jwks }), "invalid_record /jwks");
      const method = problem("invalid_record", ["/token_endpoint_auth_method"]);
      await assert.rejects(change({ public: true }), method);
      await change({ public: true, token_endpoint_auth_method: null });
      // Stored values remain valid when the scopes that they name are no longer allowed.
      assert.deepEqual((await change({ allowed_scopes: ["orders:write"] })).default_scopes, ["orders:read"]);
    });

    test("FO-4: only a platform administrator allows logout notices to private addresses, or changes such an address", async () => {
      const user = await aUser(store);
      const own = { ...context, actor: { kind: "user", user } as const };
      const uri = "https://app.example/logout";
      const app = await anApp(store, { owner_id: user.id, backchannel_logout_uri: uri });
      const change = (by: AdminContext, input: object) => updateApp(by, app.id, input as never);
      await refused(
        change(own, { backchannel_logout_internal: true }),
        "forbidden /backchannel_logout_internal",
      );
      assert.equal(
        (await change(own, { backchannel_logout_uri: `${uri}/2` })).backchannel_logout_uri,
        `${uri}/2`,
      );
      const internal = {
        backchannel_logout_internal: true,
        backchannel_logout_uri: "http://10.0.0.5/logout",
      };
      assert.equal((await change(context, internal)).backchannel_logout_uri, "http://10.0.0.5/logout");
      // If the permission is withdrawn, the stored address is validated again.
      await refused(
        change(context, { backchannel_logout_internal: false }),
        "invalid_record /backchannel_logout_uri",
      );
      const narrow: AdminContext = {
        ...context,
        actor: {
          kind: "user",
          user: await aUser(store, { is_platform_admin: true }),
          scopes: ["postern:apps:write"],
        },
      };
      for (const by of [own, narrow])
        await refused(change(by, { backchannel_logout_uri: uri }), "forbidden /backchannel_logout_uri");
      await change(context, { backchannel_logout_uri: uri, backchannel_logout_internal: false });
      const refusal = "forbidden /backchannel_logout_internal";
      await refused(change(narrow, { backchannel_logout_internal: true }), refusal);
      const made = createApp(narrow, { name: "New", public: true, backchannel_logout_internal: true });
      await refused(made, refusal);
      await change(narrow, { backchannel_logout_uri: `${uri}/2` });
    });

    test("FO-4: only a platform administrator sets the jwks_uri of an app without an organization", async () => {
      const user = await aUser(store);
      const own = { ...context, actor: { kind: "user", user } as const };
      const app = await anApp(store, { owner_id: user.id });
      const change = (by: AdminContext, input: object) => updateApp(by, app.id, input as never);
      const jwks_uri = "https://keys.internal/jwks";
      await refused(change(own, { jwks_uri }), "forbidden /jwks_uri");
      assert.equal((await change(context, { jwks_uri })).jwks_uri, jwks_uri);
      assert.equal((await change(own, { jwks_uri: null })).jwks_uri, null);
    });

    test("FO-4: an administrator's key with few scopes lets no app fetch a key set from a private address", async () => {
      const root = await aUser(store, { is_platform_admin: true });
      const as = (scopes?: string[]): AdminContext => ({
        ...context,
        actor: { kind: "user", user: root, ...(scopes && { scopes }) },
      });
      const narrow = as(["postern:apps:write"]);
      const jwks_uri = "https://keys.internal/jwks";
      const { id: organization_id } = await anOrganization(store);
      const full = "forbidden /jwks_uri";
      await refused(createApp(narrow, { name: "New", jwks_uri }), full);
      const app = await anApp(store, { owner_id: root.id });
      await refused(updateApp(narrow, app.id, { jwks_uri }), full);
      const theirs = await anApp(store, { owner_id: root.id, organization_id, jwks_uri });
      await refused(updateApp(narrow, theirs.id, { organization_id: null }), full);
      await updateApp(narrow, theirs.id, { name: "Renamed", jwks_uri: `${jwks_uri}/2` });
      const provenance = "metadata_document";
      const client = await anApp(store, { owner_id: root.id, jwks_uri, provenance });
      const takeOver = (by: AdminContext) => takeOverClient(by, client.id, { name: "Ours" });
      await refused(takeOver(narrow), full);
      assert.equal((await takeOver(as())).jwks_uri, jwks_uri);
    });

    test("a setting in an app's metadata still counts while its own field is omitted, and a notice says so", async () => {
      const metadata = { post_logout_redirect_uris: [bye("1")], default_scopes: ["orders:read"] };
      const [app, notices] = await hearing(create({ metadata }));
      assert.deepEqual(said(app), [[bye("1")], ["orders:read"]]);
      assert.deepEqual(app.metadata, metadata);
      assert.deepEqual(notices, [
        "/metadata/post_logout_redirect_uris: still in effect; set post_logout_redirect_uris instead",
        "/metadata/default_scopes: still in effect; set default_scopes instead",
      ]);
      const change = (input: object) => hearing(updateApp(context, app.id, input as never));
      const next = { ...metadata, post_logout_redirect_uris: [bye("2")] };
      assert.deepEqual(said((await change({ metadata: next }))[0]), [[bye("2")], ["orders:read"]]);
      // If metadata no longer has a member, the field that was derived from it is cleared.
      assert.deepEqual(said((await change({ metadata: { colour: "blue" } }))[0]), [[], null]);
    });

    test("an app's own field overrides the same setting in metadata, and a notice reports the difference", async () => {
      const metadata = { post_logout_redirect_uris: [bye("1")], default_scopes: ["orders:read"] };
      const own = { post_logout_redirect_uris: [bye("2")], default_scopes: ["orders:write"] };
      const [app, notices] = await hearing(create({ metadata, ...own }));
      assert.deepEqual(said(app), [[bye("2")], ["orders:write"]]);
      assert.deepEqual(notices, [
        "/metadata/post_logout_redirect_uris: has no effect, because post_logout_redirect_uris is set",
        "/metadata/default_scopes: has no effect, because default_scopes is set",
      ]);
      const change = (input: object) => hearing(updateApp(context, app.id, input as never));
      // Neither a change of other metadata nor the removal of all metadata changes these fields.
      const beside = { ...metadata, colour: "blue" };
      assert.deepEqual(said((await change({ metadata: beside }))[0]), [[bye("2")], ["orders:write"]]);
      assert.deepEqual(said((await change({ metadata: null }))[0]), [[bye("2")], ["orders:write"]]);
      const [both, none] = await change({ metadata, ...metadata });
      assert.deepEqual(said(both), [[bye("1")], ["orders:read"]]);
      assert.deepEqual(none, []);
    });

    test("a manifest of an earlier version is still applied, and reports notices", async () => {
      const entry = { ...basis, owner_id: undefined, owner: email, client_id: "from-file" };
      const file = (uris: string[]) => ({
        apps: [{ ...entry, metadata: { post_logout_redirect_uris: uris } }],
      });
      const apply = (manifest: object) =>
        hearing(applyManifest(JSON.parse(JSON.stringify(manifest)), context));
      const find = async () => (await store.find("oauth_apps", { client_id: "from-file" })) as OAuthApp;
      const [, notices] = await apply(file([bye("1")]));
      assert.deepEqual(notices, [
        "apps[0].metadata.post_logout_redirect_uris: still in effect; set post_logout_redirect_uris instead",
      ]);
      assert.deepEqual((await find()).post_logout_redirect_uris, [bye("1")]);
      assert.deepEqual((await apply(file([bye("1")])))[0].updated, []);
      await apply(file([bye("2")]));
      assert.deepEqual((await find()).post_logout_redirect_uris, [bye("2")]);
      // If the field itself was changed since, applying the unchanged file does not revert it.
      await updateApp(context, (await find()).id, { post_logout_redirect_uris: [bye("3")] });
      assert.deepEqual((await apply(file([bye("2")])))[0].updated, []);
      const exported = await exportManifest(context);
      assert.deepEqual((await hearing(applyManifest(exported, context)))[0].updated, []);
    });

    test("a migration copies settings from the metadata of apps to their fields, and leaves the metadata as it is", async () => {
      const old = await database.open();
      const cases: [OAuthApp["metadata"], unknown[]][] = [
        [null, [[], null]],
        [{ colour: "blue" }, [[], null]],
        [{ post_logout_redirect_uris: [bye("1"), bye("1"), bye("2")] }, [[bye("1"), bye("2")], null]],
        [{ post_logout_redirect_uris: bye("1"), default_scopes: [] }, [[bye("1")], []]],
        [{ post_logout_redirect_uris: [1], default_scopes: ["orders:read"] }, [[], ["orders:read"]]],
      ];
      const { id } = await aUser(old);
      const expected = new Map<string, readonly [OAuthApp["metadata"], unknown[]]>();
      for (const [metadata, members] of cases)
        expected.set((await anApp(old, { owner_id: id, metadata })).id, [metadata, members]);
      // More apps than the migration reads at once.
      const metadata = { default_scopes: ["orders:read"] };
      for (let index = 0; index < 1001; index++)
        expected.set((await anApp(old, { owner_id: id, metadata })).id, [metadata, [[], ["orders:read"]]]);
      const columns = words(`
        post_logout_redirect_uris default_scopes token_endpoint_auth_method jwks jwks_uri
        id_token_signed_response_alg claims_in_id_token
      `);
      await old.transaction(async ({ connection }) => {
        for (const column of columns)
          await connection.run(`ALTER TABLE oauth_apps DROP COLUMN ${column}`, []);
        await connection.run("DELETE FROM postern_migrations WHERE name = 'members_of_apps'", []);
      });
      assert.deepEqual(column(await old.migrate(start), "name"), ["members_of_apps"]);
      const rows = await old.list("oauth_apps", {});
      assert.equal(rows.length, expected.size);
      for (const row of rows) {
        assert.deepEqual([row.metadata, said(row)], expected.get(row.id));
        assert.deepEqual([row.jwks, row.jwks_uri, row.claims_in_id_token], [null, null, true]);
      }
    });
  });
}
