import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { before, describe, test } from "node:test";
import { isApiKey } from "../../../src/crypto/api_keys.ts";
import { aSession, aToken, aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { type ApiClient, type ApiServer, apiServer } from "./server.ts";

/** What a call gave; fails where it was refused. */
function given<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  assert.ok(response.ok, `${response.status} ${JSON.stringify(error)}`);
  return data as T;
}

for (const database of databases)
  describe(`the records through the management API on ${database.name}`, () => {
    let it: ApiServer;
    let api: ApiClient;
    let organization_id: string;
    let user_id: string;
    let app_id: string;
    before(async () => {
      it = await apiServer(database);
      api = it.client();
      user_id = (await aUser(it.store)).id;
      organization_id = given(
        await api.POST("/api/v1/organizations", { body: { name: "Home", slug: "home" } }),
      ).id;
      app_id = given(
        await api.POST("/api/v1/apps", { body: { name: "Shop", owner_id: user_id, organization_id } }),
      ).id;
    });

    test("users are created, read, found, changed and deleted", async () => {
      const made = await api.POST("/api/v1/users", {
        body: { email: "Grace@example.com", name: "Grace Hopper", password: "correct horse battery staple" },
      });
      const user = given(made);
      assert.equal(made.response.status, 201);
      assert.equal(made.response.headers.get("location"), `/api/v1/users/${user.id}`);
      assert.equal(user.active, true);
      const params = { path: { id: user.id } };
      const read = await api.GET("/api/v1/users/{id}", { params });
      assert.deepEqual(given(read), user);
      assert.equal(read.response.headers.get("etag"), made.response.headers.get("etag"));
      for (const query of [{ email: "grace@EXAMPLE.com" }, { q: "hop gra" }]) {
        const { data } = given(await api.GET("/api/v1/users", { params: { query } }));
        assert.deepEqual(data, [user]);
      }
      const change = { name: "Rear Admiral Hopper", avatar_url: "https://example.com/grace.png" };
      const changed = given(await api.PATCH("/api/v1/users/{id}", { params, body: change }));
      assert.deepEqual({ ...changed, updated_at: "" }, { ...user, ...change, updated_at: "" });
      const emptied = given(await api.PATCH("/api/v1/users/{id}", { params, body: { avatar_url: null } }));
      assert.equal(emptied.avatar_url, null);
      const removed = await api.DELETE("/api/v1/users/{id}", { params });
      assert.equal(removed.response.status, 204);
      assert.equal((await api.GET("/api/v1/users/{id}", { params })).error?.code, "not_found");
    });

    test("organizations and their memberships", async () => {
      const organization = given(
        await api.POST("/api/v1/organizations", {
          body: { name: "Acme", slug: "acme", settings: { theme: { dark: true, logo: "a" } } },
        }),
      );
      const params = { path: { id: organization.id } };
      assert.deepEqual(given(await api.GET("/api/v1/organizations/{id}", { params })), organization);
      const found = given(await api.GET("/api/v1/organizations", { params: { query: { slug: "acme" } } }));
      assert.deepEqual(found.data, [organization]);
      // RFC 7396: a merge patch reaches into members that are objects, and null removes there.
      const patch = { settings: { theme: { logo: null }, region: "eu" } };
      const merged = given(await api.PATCH("/api/v1/organizations/{id}", { params, body: patch }));
      assert.deepEqual(merged.settings, { theme: { dark: true }, region: "eu" });

      const members = await Promise.all(
        (["owner", "developer"] as const).map(async (role) =>
          given(
            await api.POST("/api/v1/memberships", {
              body: { user_id: (await aUser(it.store)).id, organization_id: organization.id, role },
            }),
          ),
        ),
      );
      const [owner, developer] = members;
      assert.ok(owner && developer);
      const query = { organization_id: organization.id };
      const listed = given(await api.GET("/api/v1/memberships", { params: { query } }));
      assert.deepEqual(new Set(listed.data.map(({ id }) => id)), new Set([owner.id, developer.id]));
      const path = { id: developer.id };
      assert.deepEqual(given(await api.GET("/api/v1/memberships/{id}", { params: { path } })), developer);
      const promoted = await api.PATCH("/api/v1/memberships/{id}", {
        params: { path },
        body: { role: "admin", permissions: ["audit_events:read"] },
      });
      assert.deepEqual(given(promoted).permissions, ["audit_events:read"]);
      given(await api.DELETE("/api/v1/memberships/{id}", { params: { path } }));
      const last = await api.DELETE("/api/v1/memberships/{id}", { params: { path: { id: owner.id } } });
      assert.equal(last.error?.code, "last_owner");
      given(await api.DELETE("/api/v1/organizations/{id}", { params }));
    });

    test("linked accounts never show their tokens", async () => {
      const body = {
        user_id,
        provider: "github",
        provider_user_id: "583231",
        access_token: "gho_the-token",
        refresh_token: "ghr_the-token",
      };
      const made = given(await api.POST("/api/v1/linked-accounts", { body }));
      const params = { path: { id: made.id } };
      assert.deepEqual(given(await api.GET("/api/v1/linked-accounts/{id}", { params })), made);
      const expires_at = "2030-06-01T00:00:00.000Z";
      const changed = await api.PATCH("/api/v1/linked-accounts/{id}", {
        params,
        body: { expires_at, access_token: "gho_another" },
      });
      assert.equal(given(changed).expires_at, expires_at);
      const list = given(await api.GET("/api/v1/linked-accounts", { params: { query: { user_id } } }));
      assert.equal(list.data.length, 1);
      assert.doesNotMatch(JSON.stringify([made, list, changed.data]), /the-token|gho_|ghr_/);
      given(await api.DELETE("/api/v1/linked-accounts/{id}", { params }));
    });

    test("API keys are shown once, work, and stop when they are revoked", async () => {
      const scopes = ["postern:users:read"];
      const made = given(await api.POST("/api/v1/api-keys", { body: { name: "deploy", scopes } }));
      assert.ok(made.key !== undefined && isApiKey(made.key));
      assert.equal(made.user_id, it.administrator.id);
      const { key, ...shown } = made;
      const params = { path: { id: made.id } };
      assert.deepEqual(given(await api.GET("/api/v1/api-keys/{id}", { params })), shown);
      const mine = it.client({ authorization: `Bearer ${key}` });
      given(await mine.GET("/api/v1/users"));
      assert.equal((await mine.GET("/api/v1/apps")).error?.code, "forbidden");
      given(await api.PATCH("/api/v1/api-keys/{id}", { params, body: { name: "rollout" } }));
      const list = given(await api.GET("/api/v1/api-keys", { params: { query: { q: "roll" } } }));
      assert.deepEqual(
        list.data.map(({ id }) => id),
        [made.id],
      );
      assert.equal(given(await api.POST("/api/v1/api-keys/{id}/revoke", { params })).revoked, true);
      assert.equal((await mine.GET("/api/v1/users")).error?.code, "unauthorized");
      given(await api.DELETE("/api/v1/api-keys/{id}", { params }));
    });

    test("apps and their secrets", async () => {
      const made = given(
        await api.POST("/api/v1/apps", {
          body: { name: "Orders", owner_id: user_id, organization_id, metadata: { a: 1, b: { c: 2 } } },
        }),
      );
      assert.match(String(made.secret), /^\S{40,}$/);
      const { secret, ...app } = made;
      const params = { path: { id: app.id } };
      assert.deepEqual(given(await api.GET("/api/v1/apps/{id}", { params })), app);
      const change = { redirect_uris: ["https://orders.example/cb"], metadata: { b: { c: null }, d: true } };
      const changed = given(await api.PATCH("/api/v1/apps/{id}", { params, body: change }));
      assert.deepEqual(changed.metadata, { a: 1, b: {}, d: true });
      assert.deepEqual(changed.redirect_uris, change.redirect_uris);

      const second = given(await api.POST("/api/v1/app-secrets", { body: { app_id: app.id } }));
      assert.ok(second.secret !== undefined && second.secret !== secret);
      const query = { app_id: app.id, revoked: false };
      const secrets = given(await api.GET("/api/v1/app-secrets", { params: { query } }));
      assert.equal(secrets.data.length, 2);
      assert.doesNotMatch(JSON.stringify(secrets), /argon2|secret_hash/);
      const path = { id: second.id };
      assert.equal(given(await api.GET("/api/v1/app-secrets/{id}", { params: { path } })).app_id, app.id);
      const expires_at = "2030-02-01T00:00:00.000Z";
      given(await api.PATCH("/api/v1/app-secrets/{id}", { params: { path }, body: { expires_at } }));
      const revoked = given(await api.POST("/api/v1/app-secrets/{id}/revoke", { params: { path } }));
      assert.equal(revoked.revoked, true);
      given(await api.DELETE("/api/v1/app-secrets/{id}", { params: { path } }));

      assert.ok(given(await api.POST("/api/v1/apps/{id}/revoke", { params })).revoked_at);
      given(await api.DELETE("/api/v1/apps/{id}", { params }));
      const list = given(await api.GET("/api/v1/apps", { params: { query: { client_id: app.client_id } } }));
      assert.deepEqual(list, { data: [], next_cursor: null, previous_cursor: null });
    });

    test("tokens, consents and sessions are seen and ended, not made", async () => {
      const token = await aToken(it.store, { app_id, user_id, request_data: '{"scope":"openid"}' });
      const params = { path: { id: token.id } };
      const read = given(await api.GET("/api/v1/tokens/{id}", { params }));
      assert.equal(read.request_data, '{"scope":"openid"}');
      const tokens = given(
        await api.GET("/api/v1/tokens", { params: { query: { app_id, revoked: false } } }),
      );
      assert.deepEqual(
        tokens.data.map(({ id }) => id),
        [token.id],
      );
      assert.ok(!("request_data" in (tokens.data[0] ?? {})));
      assert.equal(given(await api.POST("/api/v1/tokens/{id}/revoke", { params })).revoked_reason, "revoked");

      const body = { user_id, app_id, scopes: ["openid", "profile"] };
      const consent = given(await api.POST("/api/v1/consents", { body }));
      const path = { id: consent.id };
      assert.deepEqual(given(await api.GET("/api/v1/consents/{id}", { params: { path } })), consent);
      const consents = given(await api.GET("/api/v1/consents", { params: { query: { user_id } } }));
      assert.deepEqual(consents.data, [consent]);
      const narrower = { scopes: ["openid"] };
      given(await api.PATCH("/api/v1/consents/{id}", { params: { path }, body: narrower }));
      assert.equal(given(await api.POST("/api/v1/consents/{id}/revoke", { params: { path } })).revoked, true);
      given(await api.DELETE("/api/v1/consents/{id}", { params: { path } }));

      const session = await aSession(it.store, { user_id });
      const at = { path: { id: session.id } };
      assert.equal(given(await api.GET("/api/v1/sessions/{id}", { params: at })).ended_at, null);
      const sessions = given(await api.GET("/api/v1/sessions", { params: { query: { user_id } } }));
      assert.deepEqual(
        sessions.data.map(({ id }) => id),
        [session.id],
      );
      assert.ok(given(await api.POST("/api/v1/sessions/{id}/revoke", { params: at })).ended_at);
    });

    test("service accounts and their key pairs, whose private half is shown once", async () => {
      const made = given(
        await api.POST("/api/v1/service-accounts", {
          body: { name: "CI", email: "ci@acme.example", organization_id, created_by: user_id },
        }),
      );
      const params = { path: { id: made.id } };
      assert.deepEqual(given(await api.GET("/api/v1/service-accounts/{id}", { params })), made);
      const query = { email: "CI@acme.example" };
      const list = given(await api.GET("/api/v1/service-accounts", { params: { query } }));
      assert.deepEqual(list.data, [made]);
      given(await api.PATCH("/api/v1/service-accounts/{id}", { params, body: { description: "builds" } }));

      const body = { service_account_id: made.id, key_type: "ec", algorithm: "ES256" } as const;
      const { private_key_pem, ...pair } = given(await api.POST("/api/v1/key-pairs", { body }));
      assert.match(String(private_key_pem), /PRIVATE KEY/);
      const path = { id: pair.id };
      const read = await api.GET("/api/v1/key-pairs/{id}", { params: { path } });
      assert.deepEqual(given(read), pair);
      const again = { ...body, key_id: "again", public_key_pem: pair.public_key_pem };
      const uploaded = given(await api.POST("/api/v1/key-pairs", { body: again }));
      assert.equal(uploaded.private_key_pem, undefined);
      const pairs = await api.GET("/api/v1/key-pairs", {
        params: { query: { service_account_id: made.id } },
      });
      assert.equal(given(pairs).data.length, 2);
      assert.doesNotMatch(JSON.stringify(pairs.data), /PRIVATE/);
      given(await api.PATCH("/api/v1/key-pairs/{id}", { params: { path }, body: { active: false } }));
      assert.equal(
        given(await api.POST("/api/v1/key-pairs/{id}/revoke", { params: { path } })).revoked,
        true,
      );
      given(await api.DELETE("/api/v1/key-pairs/{id}", { params: { path } }));
      given(await api.DELETE("/api/v1/service-accounts/{id}", { params }));
    });

    test("signing keys are listed and rotated without their private half", async () => {
      const before = given(await api.GET("/api/v1/signing-keys")).data.length;
      const made = given(await api.POST("/api/v1/signing-keys", { body: { activates_in: 60 } }));
      const params = { path: { id: made.id } };
      assert.equal(given(await api.GET("/api/v1/signing-keys/{id}", { params })).kid, made.kid);
      const list = given(await api.GET("/api/v1/signing-keys"));
      assert.equal(list.data.length, before + 1);
      assert.doesNotMatch(JSON.stringify(list), /sealed|"d":/);
    });

    test("audit events tell of all this, page by page and as JSON lines", async () => {
      const all: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 7, ...(cursor !== undefined && { cursor }) };
        const page = given(await api.GET("/api/v1/audit-events", { params: { query } }));
        assert.ok(page.data.length <= 7);
        all.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      assert.ok(all.length > 30);
      assert.equal(new Set(all).size, all.length);
      const lines = given(await api.GET("/api/v1/audit-events/export", { parseAs: "text" })).split("\n");
      assert.equal(lines.pop(), "");
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).id),
        all,
      );
      const [first = ""] = all;
      const params = { path: { id: first } };
      assert.equal(given(await api.GET("/api/v1/audit-events/{id}", { params })).id, first);
      const of = { query: { type: "app.created" } };
      const some = given(await api.GET("/api/v1/audit-events/export", { params: of, parseAs: "text" }));
      assert.equal(some.trim().split("\n").length, 2);
      assert.match(some, new RegExp(it.administrator.id));
    });

    test("who calls is told what it may do", async () => {
      const me = given(await api.GET("/api/v1/me"));
      assert.deepEqual(me.actor, { kind: "user", id: it.administrator.id, name: "Root" });
      assert.equal(me.is_platform_admin, true);
      assert.deepEqual(me.scopes, ["postern:manage"]);
      assert.ok(me.permissions.includes("signing_keys:write"));
      assert.doesNotMatch(JSON.stringify(me), /password/);
    });

    test("an app has members of its own, and a header says what is read in metadata in their place", async () => {
      const metadata = { post_logout_redirect_uris: ["https://app.example/bye"], default_scopes: [] };
      const body = { name: "Shop", owner_id: user_id, organization_id };
      const made = await api.POST("/api/v1/apps", { body: { ...body, metadata } });
      const app = given(made);
      assert.deepEqual(app.post_logout_redirect_uris, metadata.post_logout_redirect_uris);
      const goesOn = (name: string) => `/metadata/${name}: goes on being read; give ${name} itself`;
      assert.equal(
        made.response.headers.get("postern-notice"),
        `${goesOn("post_logout_redirect_uris")}, ${goesOn("default_scopes")}`,
      );
      const params = { path: { id: app.id } };
      const change = (input: object) => api.PATCH("/api/v1/apps/{id}", { params, body: input });
      const merged = await change({ metadata: { post_logout_redirect_uris: null } });
      assert.deepEqual(given(merged).post_logout_redirect_uris, []);
      assert.equal(merged.response.headers.get("postern-notice"), goesOn("default_scopes"));
      const jwks = { keys: [generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })] };
      const own = await change({ jwks, post_logout_redirect_uris: ["https://app.example/"] });
      assert.deepEqual(
        [given(own).jwks, given(own).post_logout_redirect_uris],
        [jwks, ["https://app.example/"]],
      );
      assert.equal(own.response.headers.get("postern-notice"), null);
      const { data } = given(
        await api.GET("/api/v1/apps", { params: { query: { client_id: app.client_id } } }),
      );
      assert.ok(data[0] !== undefined && !("jwks" in data[0]) && "jwks_uri" in data[0]);
    });

    test("APIs that an app names in metadata become records, and a header says what is read there", async () => {
      const [own, asked] = ["https://named.example/own", "https://named.example/asked"] as const;
      const body = { name: "Carried", owner_id: user_id, organization_id };
      const made = await api.POST("/api/v1/apps", {
        body: { ...body, metadata: { resource: own, resources: [asked] } },
      });
      const app = given(made);
      const notice = (response: Response) => response.headers.get("postern-notice") ?? "";
      assert.match(notice(made.response), /^\/metadata\/resource[^,]*, \/metadata\/resources[^,]*$/);
      assert.deepEqual(app.resources, [asked]);
      const apiAt = async (identifier: string) =>
        given(await api.GET("/api/v1/resources", { params: { query: { identifier } } })).data[0];
      const [it_is, may_ask] = [await apiAt(own), await apiAt(asked)];
      assert.deepEqual([it_is?.app_ids, it_is?.who_may_ask], [[app.id], "listed"]);
      assert.equal(it_is?.organization_id, organization_id);
      assert.deepEqual([may_ask?.app_ids, may_ask?.who_may_ask], [[], "listed"]);
      assert.equal(may_ask?.organization_id, null);

      const params = { path: { id: app.id } };
      const change = (input: object) => api.PATCH("/api/v1/apps/{id}", { params, body: input });
      const less = await change({ metadata: { resource: null } });
      assert.match(notice(less.response), /^\/metadata\/resources[^,]*$/);
      assert.deepEqual((await apiAt(own))?.app_ids, [], "the record stays, without the app");
      const none = await change({ metadata: { resources: null } });
      assert.equal(none.response.headers.get("postern-notice"), null);
      assert.deepEqual(given(none).resources, []);
    });
  });
