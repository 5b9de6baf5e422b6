/** The fields that a new app of a known kind still requires, through management and a manifest. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { Switches } from "../../src/records/names/profiles.ts";
import { appKinds, kindDefaults, signsPeopleIn } from "../../src/records/rules/app_kinds.ts";
import { clientFixtureOf } from "../oauth/client_fixture.ts";
import { testServer } from "../support/authorization_server.ts";
import { aMembership, anOrganization, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { basic, codeFlow, origin, redeem, signedIn } from "../support/flows.ts";
import { refused, testContext } from "./context.ts";

const apps = resourceOf("apps");

for (const database of databasesInForm)
  describe(`kinds of apps on ${database.name}`, () => {
    async function ready() {
      const store = await database.open();
      const owner = await aUser(store);
      const { id: organization_id } = await anOrganization(store);
      return { store, context: testContext(store), owner, organization_id };
    }

    test("for each kind of app, a name and redirect URIs suffice to create an app that gets a token", async () => {
      const { store, context, owner, organization_id } = await ready();
      const it = await testServer(store);
      const who = await signedIn(it, owner);
      // Only members of the organization may use its apps (OC-8).
      await aMembership(store, { user_id: owner.id, organization_id });
      for (const kind of appKinds) {
        const redirect_uris =
          signsPeopleIn(kind) && kind !== "command_line" ? ["https://shop.example/cb"] : undefined;
        const { record, once } = await createRecord(context, apps, {
          name: kind,
          owner_id: owner.id,
          organization_id,
          kind,
          ...(redirect_uris && { redirect_uris }),
        });
        const app = record as unknown as OAuthApp;
        assert.equal(app.app_type, kindDefaults[kind].app_type, kind);
        assert.equal(once.secret === undefined, app.public, kind);
        const secret = once.secret === undefined ? undefined : basic(app.client_id, once.secret);
        const tokens = signsPeopleIn(kind)
          ? await codeFlow(it, app, secret, who, { scope: "openid profile email" })
          : await redeem(it, app, secret, { grant_type: "client_credentials" });
        assert.equal(tokens.scope, signsPeopleIn(kind) ? "openid profile email" : "api", kind);
        assert.equal(tokens.refresh_token !== undefined, signsPeopleIn(kind), kind);
      }
    });

    test("values of the request override those of the kind, even an empty list; without a kind the usual defaults apply", async () => {
      const { context, owner } = await ready();
      const make = async (input: object) =>
        (await createRecord(context, apps, { name: "A", owner_id: owner.id, ...input })).record;
      const spa = await make({ kind: "browser", public: false, allowed_scopes: [] });
      assert.deepEqual([spa.app_type, spa.public, spa.allowed_scopes], ["spa", false, []]);
      const plain = await make({ app_type: "spa" });
      assert.deepEqual([plain.public, plain.allowed_scopes], [false, []]);
      assert.ok(!("kind" in plain));
    });

    test("A-14: a new app of a kind that signs users in requires PKCE, unless the caller says otherwise", async () => {
      const { context, owner } = await ready();
      const make = async (input: object) =>
        (await createRecord(context, apps, { name: "A", owner_id: owner.id, ...input })).record;
      for (const kind of appKinds)
        assert.equal((await make({ kind })).require_pkce, signsPeopleIn(kind), kind);
      assert.equal((await make({ kind: "website", require_pkce: false })).require_pkce, false);
      assert.equal((await make({ app_type: "web" })).require_pkce, false);
    });

    test("four concurrent refreshes and an interrupted request sign out users only if the app's rotation is strict", async () => {
      const { store, context, owner } = await ready();
      const it = await testServer(store);
      const make = (input: object) =>
        createRecord(context, apps, {
          name: "A",
          owner_id: owner.id,
          redirect_uris: ["https://shop.example/cb"],
          allowed_grants: ["auth_code", "refresh"],
          allowed_scopes: ["openid"],
          ...input,
        });
      for (const kind of [undefined, ...appKinds.filter((each) => signsPeopleIn(each))]) {
        const { record, once } = await make(kind === undefined ? {} : { kind });
        const app = record as unknown as OAuthApp;
        const secret = once.secret === undefined ? undefined : basic(app.client_id, once.secret);
        const fixture = clientFixtureOf({
          test: it,
          app,
          authorization: secret,
          user: owner,
          who: await signedIn(it, owner),
        });
        const { access_token, refresh_token } = await fixture.flow({ scope: "openid" });
        const requested = Array.from({ length: 4 }, () => fixture.refresh(refresh_token));
        const answers = await Promise.allSettled(requested);
        const tokens = answers.flatMap((each) =>
          each.status === "fulfilled" ? [each.value.access_token] : [],
        );
        const isActive = (token: string) =>
          userinfo(
            { method: "GET", authorization: `Bearer ${token}`, dpop: undefined, params: undefined, origin },
            it.server,
          ).then(
            () => true,
            () => false,
          );
        const alive = await Promise.all([access_token, ...tokens].map(isActive));
        if (kind === undefined) assert.ok(tokens.length < 4 && !alive.includes(true), "strict");
        else assert.deepEqual(alive, [true, true, true, true, true], kind);
        it.clock.advance(30);
        assert.equal(await isActive(access_token), false);
        await assert.rejects(fixture.refresh(refresh_token), { code: "invalid_grant" });
        assert.equal(await isActive(tokens[0] ?? ""), false, "a replay after the window ends the family");
      }
    });

    test("the kind of an app sets its refresh token reuse window by default, and fapi2 disables the window", async () => {
      const { store, owner } = await ready();
      const windowOf = async (input: object, switches: Switches = {}) => {
        const context = { ...testContext(store), switches };
        const { record } = await createRecord(context, apps, {
          name: "A",
          owner_id: owner.id,
          kind: "website",
          redirect_uris: ["https://shop.example/cb"],
          ...input,
        });
        return record.metadata;
      };
      assert.deepEqual(await windowOf({}), { refresh_reuse_window: 30 });
      assert.deepEqual(await windowOf({ metadata: { shelf: 1 } }), { refresh_reuse_window: 30, shelf: 1 });
      const strict = { refresh_reuse_window: 0 };
      assert.deepEqual(await windowOf({ metadata: strict }), strict);
      assert.equal(await windowOf({ metadata: null }), null);
      assert.equal(await windowOf({ kind: "machine", redirect_uris: [] }), null);
      const signs = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://shop.example/jwks" };
      assert.equal(await windowOf(signs, { profiles: ["fapi2"] }), null);
    });

    test("a request with an unknown kind is refused, and so is a change of an app's kind", async () => {
      const { context, owner } = await ready();
      for (const kind of ["webshop", null, 1, "__proto__"])
        await refused(
          createRecord(context, apps, { name: "A", owner_id: owner.id, kind }),
          "invalid_record /kind",
        );
      const { record } = await createRecord(context, apps, { name: "A", owner_id: owner.id });
      await refused(
        updateRecord(context, apps, String(record.id), { kind: "browser" }),
        "invalid_record /kind",
      );
    });

    test("a manifest applies the kind to a new app, and changes nothing in an existing app", async () => {
      const { store, context, owner } = await ready();
      const manifest = { apps: [{ client_id: "spa", name: "Shop", owner: owner.email, kind: "browser" }] };
      assert.equal((await applyManifest(manifest, context)).created.length, 1);
      const app = await store.find("oauth_apps", { client_id: "spa" });
      assert.deepEqual([app?.app_type, app?.public], ["spa", true]);
      const again = { apps: [{ ...manifest.apps[0], kind: "website" }] };
      assert.equal((await applyManifest(again, context)).unchanged.length, 1);
      const wrong = { apps: [{ ...manifest.apps[0], kind: "webshop" }] };
      await refused(applyManifest(wrong, context), "invalid_manifest apps[0].kind");
    });

    test("allowed_grants accepts the grant types of RFC 6749 and stores them under the specification's names", async () => {
      const { context, owner } = await ready();
      const grants = ["authorization_code", "refresh_token", "client_credentials"];
      const input = { name: "A", owner_id: owner.id, allowed_grants: grants };
      const { record } = await createRecord(context, apps, input);
      const kept = ["auth_code", "refresh", "client_credentials"];
      assert.deepEqual(record.allowed_grants, kept);
      const changed = await updateRecord(context, apps, String(record.id), {
        allowed_grants: ["refresh_token"],
      });
      assert.deepEqual(changed.allowed_grants, ["refresh"]);
      const manifest = {
        apps: [{ client_id: "wire", name: "B", owner: owner.email, allowed_grants: grants }],
      };
      await applyManifest(manifest, context);
      assert.equal((await applyManifest(manifest, context)).unchanged.length, 1);
    });
  });
