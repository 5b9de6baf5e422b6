import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { before, describe, test } from "node:test";
import { ApiProblem, etagOf, type Postern } from "../../../src/client/client.ts";
import { isApiKey } from "../../../src/crypto/api_keys.ts";
import { aSession, aToken, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { type ApiServer, apiServer } from "./server.ts";

/** Returns the code of the problem with which a call is refused. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => assert.fail("the call was not refused"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiProblem, String(error));
  return error.code;
}

for (const database of databasesInForm)
  describe(`the records through the management API on ${database.name}`, () => {
    let it: ApiServer;
    let api: Postern;
    let last: Response;
    let organization_id: string;
    let user_id: string;
    let app_id: string;
    const header = (name: string) => last.headers.get(name);
    before(async () => {
      it = await apiServer(database);
      api = it.client({ heard: (response) => (last = response) });
      user_id = (await aUser(it.store)).id;
      organization_id = (await api.organizations.create({ name: "Home", slug: "home" })).id;
      app_id = (await api.apps.create({ name: "Shop", owner_id: user_id, organization_id })).id;
    });

    test("users can be created, read, found, changed and deleted", async () => {
      const user = await api.users.create({
        email: "Grace@example.com",
        name: "Grace Hopper",
        password: "correct horse battery staple",
      });
      assert.deepEqual([last.status, header("location")], [201, `/api/v1/users/${user.id}`]);
      assert.equal(user.active, true);
      const read = await api.users.get(user.id);
      assert.deepEqual(read, user);
      assert.ok(etagOf(user) !== undefined);
      assert.equal(etagOf(read), etagOf(user));
      for (const query of [{ email: "grace@EXAMPLE.com" }, { q: "hop gra" }])
        assert.deepEqual((await api.users.list(query).page()).data, [user]);
      const change = { name: "Rear Admiral Hopper", avatar_url: "https://example.com/grace.png" };
      const changed = await api.users.update(user.id, change);
      assert.deepEqual({ ...changed, updated_at: "" }, { ...user, ...change, updated_at: "" });
      assert.equal((await api.users.update(user.id, { avatar_url: null })).avatar_url, null);
      await api.users.delete(user.id);
      assert.equal(last.status, 204);
      assert.equal(await refusalOf(api.users.get(user.id)), "not_found");
    });

    test("organizations and their memberships can be created, read, changed and deleted", async () => {
      const { organizations, memberships } = api;
      const settings = { theme: { dark: true, logo: "a" } };
      const organization = await organizations.create({ name: "Acme", slug: "acme", settings });
      const { id } = organization;
      assert.deepEqual(await organizations.get(id), organization);
      assert.deepEqual((await organizations.list({ slug: "acme" }).page()).data, [organization]);
      // RFC 7396: a merge patch also changes fields of nested objects, and null removes a field there.
      const patch = { settings: { theme: { logo: null }, region: "eu" } };
      const merged = await organizations.update(id, patch);
      assert.deepEqual(merged.settings, { theme: { dark: true }, region: "eu" });

      const member = async (role: "owner" | "developer") =>
        memberships.create({ user_id: (await aUser(it.store)).id, organization_id: id, role });
      const [owner, developer] = [await member("owner"), await member("developer")];
      const listed = await memberships.list({ organization_id: id }).page();
      assert.deepEqual(new Set(listed.data.map((each) => each.id)), new Set([owner.id, developer.id]));
      assert.deepEqual(await memberships.get(developer.id), developer);
      const permissions = ["audit_events:read"] as const;
      const promoted = await memberships.update(developer.id, {
        role: "admin",
        permissions: [...permissions],
      });
      assert.deepEqual(promoted.permissions, permissions);
      await memberships.delete(developer.id);
      assert.equal(await refusalOf(memberships.delete(owner.id)), "last_owner");
      await organizations.delete(id);
    });

    test("linked accounts are returned without their tokens", async () => {
      const { linkedAccounts } = api;
      const made = await linkedAccounts.create({
        user_id,
        provider: "github",
        provider_user_id: "583231",
        access_token: "gho_the-token",
        refresh_token: "ghr_the-token",
      });
      assert.deepEqual(await linkedAccounts.get(made.id), made);
      const expires_at = "2030-06-01T00:00:00.000Z";
      const changed = await linkedAccounts.update(made.id, { expires_at, access_token: "gho_another" });
      assert.equal(changed.expires_at, expires_at);
      const list = await linkedAccounts.list({ user_id }).page();
      assert.equal(list.data.length, 1);
      assert.doesNotMatch(JSON.stringify([made, list, changed]), /the-token|gho_|ghr_/);
      await linkedAccounts.delete(made.id);
    });

    test("an API key is shown once, works, and stops working when it is revoked", async () => {
      const { apiKeys } = api;
      const { key, ...shown } = await apiKeys.create({ name: "deploy", scopes: ["postern:users:read"] });
      assert.ok(key !== undefined && isApiKey(key));
      assert.equal(shown.user_id, it.administrator.id);
      assert.deepEqual(await apiKeys.get(shown.id), shown);
      const mine = it.client({ credential: key });
      await mine.users.list().page();
      assert.equal(await refusalOf(mine.apps.list().page()), "forbidden");
      await apiKeys.update(shown.id, { name: "rollout" });
      const { data } = await apiKeys.list({ q: "roll" }).page();
      assert.deepEqual(
        data.map(({ id }) => id),
        [shown.id],
      );
      assert.equal((await apiKeys.revoke(shown.id)).revoked, true);
      assert.equal(await refusalOf(mine.users.list().page()), "unauthorized");
      await apiKeys.delete(shown.id);
    });

    test("apps and their secrets can be managed, and a secret is shown once", async () => {
      const { apps, appSecrets } = api;
      const metadata = { a: 1, b: { c: 2 } };
      const made = await apps.create({ name: "Orders", owner_id: user_id, organization_id, metadata });
      assert.match(String(made.secret), /^\S{40,}$/);
      const { secret, ...app } = made;
      assert.deepEqual(await apps.get(app.id), app);
      const redirect_uris = ["https://orders.example/cb"];
      const changed = await apps.update(app.id, { redirect_uris, metadata: { b: { c: null }, d: true } });
      assert.deepEqual(changed.metadata, { a: 1, b: {}, d: true });
      assert.deepEqual(changed.redirect_uris, redirect_uris);

      const second = await appSecrets.create({ app_id: app.id });
      assert.ok(second.secret !== undefined && second.secret !== secret);
      const secrets = await appSecrets.list({ app_id: app.id, revoked: false }).page();
      assert.equal(secrets.data.length, 2);
      assert.doesNotMatch(JSON.stringify(secrets), /argon2|secret_hash/);
      assert.equal((await appSecrets.get(second.id)).app_id, app.id);
      await appSecrets.update(second.id, { expires_at: "2030-02-01T00:00:00.000Z" });
      assert.equal((await appSecrets.revoke(second.id)).revoked, true);
      await appSecrets.delete(second.id);

      assert.ok((await apps.revoke(app.id)).revoked_at);
      await apps.delete(app.id);
      const left = await apps.list({ client_id: app.client_id }).page();
      assert.deepEqual(left, { data: [], next_cursor: null, previous_cursor: null });
    });

    test("tokens, consents and sessions can be listed and ended, but not created", async () => {
      const { tokens, consents, sessions } = api;
      const { id } = await aToken(it.store, { app_id, user_id, request_data: '{"scope":"openid"}' });
      assert.equal((await tokens.get(id)).request_data, '{"scope":"openid"}');
      const { data: listed } = await tokens.list({ app_id, revoked: false }).page();
      assert.deepEqual(
        listed.map((token) => [token.id, "request_data" in token]),
        [[id, false]],
      );
      assert.equal((await tokens.revoke(id)).revoked_reason, "revoked");

      const consent = await consents.create({ user_id, app_id, scopes: ["openid", "profile"] });
      assert.deepEqual(await consents.get(consent.id), consent);
      assert.deepEqual((await consents.list({ user_id }).page()).data, [consent]);
      await consents.update(consent.id, { scopes: ["openid"] });
      assert.equal((await consents.revoke(consent.id)).revoked, true);
      await consents.delete(consent.id);

      const session = await aSession(it.store, { user_id });
      assert.equal((await sessions.get(session.id)).ended_at, null);
      const { data } = await sessions.list({ user_id }).page();
      assert.deepEqual(
        data.map((each) => each.id),
        [session.id],
      );
      assert.ok((await sessions.revoke(session.id)).ended_at);
    });

    test("service accounts and key pairs can be managed, and a generated private key is shown once", async () => {
      const { serviceAccounts, keyPairs } = api;
      const account = { name: "CI", email: "ci@acme.example", organization_id, created_by: user_id };
      const made = await serviceAccounts.create(account);
      assert.deepEqual(await serviceAccounts.get(made.id), made);
      assert.deepEqual((await serviceAccounts.list({ email: "CI@acme.example" }).page()).data, [made]);
      await serviceAccounts.update(made.id, { description: "builds" });

      const kind = { service_account_id: made.id, key_type: "ec", algorithm: "ES256" } as const;
      const { private_key_pem, ...pair } = await keyPairs.create(kind);
      assert.match(String(private_key_pem), /PRIVATE KEY/);
      assert.deepEqual(await keyPairs.get(pair.id), pair);
      const { public_key_pem } = pair;
      const uploaded = await keyPairs.create({ ...kind, key_id: "again", public_key_pem });
      assert.equal(uploaded.private_key_pem, undefined);
      const pairs = await keyPairs.list({ service_account_id: made.id }).page();
      assert.equal(pairs.data.length, 2);
      assert.doesNotMatch(JSON.stringify(pairs), /PRIVATE/);
      await keyPairs.update(pair.id, { active: false });
      assert.equal((await keyPairs.revoke(pair.id)).revoked, true);
      await keyPairs.delete(pair.id);
      await serviceAccounts.delete(made.id);
    });

    test("all these operations are in the audit log, readable page by page and as JSON lines", async () => {
      const { auditEvents } = api;
      const all: string[] = [];
      for await (const { data } of auditEvents.list({ limit: 7 }).pages()) {
        assert.ok(data.length <= 7);
        all.push(...data.map(({ id }) => id));
      }
      assert.ok(all.length > 30);
      assert.equal(new Set(all).size, all.length);
      const exported: string[] = [];
      for await (const { id } of auditEvents.export()) exported.push(id);
      assert.deepEqual(exported, all);
      const [first = ""] = all;
      assert.equal((await auditEvents.get(first)).id, first);
      const makers: unknown[] = [];
      for await (const { actor_id } of auditEvents.export({ type: "app.created" })) makers.push(actor_id);
      assert.deepEqual(makers, [it.administrator.id, it.administrator.id]);
    });

    test("callers can read their own permissions", async () => {
      const me = await api.me();
      assert.deepEqual(me.actor, { kind: "user", id: it.administrator.id, name: "Root" });
      assert.equal(me.is_platform_admin, true);
      assert.deepEqual(me.scopes, ["postern:manage"]);
      assert.ok(me.permissions.includes("signing_keys:write"));
      assert.doesNotMatch(JSON.stringify(me), /password/);
    });

    test("an app has its own fields, and a header names fields that are still read from metadata", async () => {
      const { apps } = api;
      const metadata = { post_logout_redirect_uris: ["https://app.example/bye"], default_scopes: [] };
      const { id, client_id, ...app } = await apps.create({
        name: "Shop",
        owner_id: user_id,
        organization_id,
        metadata,
      });
      assert.deepEqual(app.post_logout_redirect_uris, metadata.post_logout_redirect_uris);
      const goesOn = (name: string) => `/metadata/${name}: still in effect; set ${name} instead`;
      const both = `${goesOn("post_logout_redirect_uris")}, ${goesOn("default_scopes")}`;
      assert.equal(header("postern-notice"), both);
      const merged = await apps.update(id, { metadata: { post_logout_redirect_uris: null } });
      assert.deepEqual(merged.post_logout_redirect_uris, []);
      assert.equal(header("postern-notice"), goesOn("default_scopes"));
      const { publicKey } = generateKeyPairSync("ed25519");
      const own = {
        jwks: { keys: [{ ...publicKey.export({ format: "jwk" }) }] },
        post_logout_redirect_uris: ["https://app.example/"],
      };
      const { jwks, post_logout_redirect_uris } = await apps.update(id, own);
      assert.deepEqual({ jwks, post_logout_redirect_uris }, own);
      assert.equal(header("postern-notice"), null);
      const [listed] = (await apps.list({ client_id }).page()).data;
      assert.ok(listed !== undefined && !("jwks" in listed) && "jwks_uri" in listed);
    });

    test("a header reports that pages will not show a picture that was saved", async () => {
      const { apps } = api;
      const logo_url = "https://cdn.example.com/logo.png";
      const { id } = await apps.create({ name: "Shop", owner_id: user_id, organization_id, logo_url });
      const hidden =
        "/logo_url: pages do not show this picture; add cdn.example.com to POSTERN_PICTURE_HOSTS to show it";
      assert.equal(header("postern-notice"), hidden);
      await apps.update(id, { name: "Shop 2" });
      assert.equal(header("postern-notice"), null);
      await apps.update(id, { logo_url: null });
      assert.equal(header("postern-notice"), null);
    });

    test("API identifiers in an app's metadata become API records, and a header reports it", async () => {
      const { apps, resources } = api;
      const [own, requested] = ["https://named.example/own", "https://named.example/asked"] as const;
      const metadata = { resource: own, resources: [requested] };
      const app = await apps.create({ name: "Carried", owner_id: user_id, organization_id, metadata });
      assert.match(
        String(header("postern-notice")),
        /^\/metadata\/resource[^,]*, \/metadata\/resources[^,]*$/,
      );
      assert.deepEqual(app.resources, [requested]);
      const apiAt = async (identifier: string) => (await resources.list({ identifier }).page()).data[0];
      const [it_is, may_ask] = [await apiAt(own), await apiAt(requested)];
      assert.deepEqual([it_is?.app_ids, it_is?.who_may_ask], [[app.id], "listed"]);
      assert.equal(it_is?.organization_id, organization_id);
      assert.deepEqual([may_ask?.app_ids, may_ask?.who_may_ask], [[], "listed"]);
      assert.equal(may_ask?.organization_id, null);

      await apps.update(app.id, { metadata: { resource: null } });
      assert.match(String(header("postern-notice")), /^\/metadata\/resources[^,]*$/);
      assert.deepEqual((await apiAt(own))?.app_ids, [], "the record stays, without the app");
      const none = await apps.update(app.id, { metadata: { resources: null } });
      assert.equal(header("postern-notice"), null);
      assert.deepEqual(none.resources, []);
    });
  });
