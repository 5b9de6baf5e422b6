import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  accessTokenSignature,
  credentialPrefix,
  findSignature,
  newCredential,
} from "../../../src/crypto/credentials.ts";
import type { OAuthToken } from "../../../src/records/definition/definition.ts";
import { cookieOf, password, signInAs, type TestBrowser, testBrowser } from "../../support/app.ts";
import { issuer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anApp,
  anOrganization,
  aServiceAccount,
  aToken,
  aUser,
  later,
} from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [sqlite] = databasesInForm;

describe("callers of the management API", () => {
  let it: ApiServer;
  before(async () => {
    assert.ok(sqlite);
    it = await apiServer(sqlite);
  });

  type Headers = Readonly<Record<string, string>>;
  const ask = (headers: Headers, url = "/api/v1/me") => it.app.inject({ url, headers });
  const me = async (credential: string) => (await ask(bearer(credential))).json();

  async function refused(headers: Headers, challenge: string): Promise<void> {
    const answer = await ask(headers);
    assert.equal(answer.statusCode, 401, JSON.stringify(headers));
    assert.equal(answer.json().code, "unauthorized");
    assert.equal(answer.headers["www-authenticate"], `Bearer realm="${issuer}"${challenge}`);
    assert.equal(answer.headers["cache-control"], "no-store");
  }

  /** Stores an active access token, and returns a text that has the format of a JWT and leads to it. */
  async function anAccessToken(overrides: Partial<OAuthToken>): Promise<string> {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "RS256" })}.${part({ jti: it.store.newId(it.clock.now()) })}.c2lnbmVk`;
    const access_token_signature = accessTokenSignature(token);
    assert.ok(access_token_signature);
    await aToken(it.store, { access_token_signature, audience: [issuer], ...overrides });
    return token;
  }

  test("a request without a credential, or with another server's credential, gets the 401 of RFC 6750", async () => {
    await refused({}, "");
    const wrong = ', error="invalid_token"';
    for (const authorization of [
      ...["Bearer", "Bearer ", "bearer x", "Basic YTpi"],
      `Bearer ${it.key}x`,
      `Bearer ${it.key.slice(0, -1)}`,
      `Bearer ${it.key} ${it.key}`,
      `Token ${it.key}`,
      "Bearer pak_",
      "Bearer a.b.c",
      `Bearer ${"a".repeat(9000)}`,
    ]) {
      await refused({ authorization }, wrong);
    }
    await refused({ cookie: "__Host-postern_session=pse_none" }, wrong);
  });

  test("spec 2.5: the use of an API key is stored, and a key with user and organization acts as the organization", async () => {
    const { id: user_id } = await aUser(it.store);
    const organization = await anOrganization(it.store);
    const overrides = { user_id, organization_id: organization.id, scopes: [] };
    const { key, row } = await anApiKeyText(it, overrides);
    const { id, name } = organization;
    assert.deepEqual((await me(key)).actor, { kind: "organization", id, name });
    await it.store.flushUses();
    const used = await it.store.find("api_keys", { id: row.id });
    assert.deepEqual(used?.last_used_at, it.clock.now());
    await it.store.update("users", { id: user_id }, { active: false });
    await refused(bearer(key), ', error="invalid_token"');
  });

  test("S-6: a token for an organization's audience may call the management API only if it also names this server", async () => {
    const user = await aUser(it.store);
    const urn = "urn:postern:organization:01b8dac5-b400-7009-9ab7-8e6d2cd4b1a9";
    const overrides = { user_id: user.id, scopes: ["postern:users:read"] };
    const token = await anAccessToken({ ...overrides, audience: [urn, issuer] });
    assert.equal((await me(token)).actor.id, user.id);
    for (const audience of [[urn], [urn, `${issuer}/oauth/userinfo`], [`${issuer}/`]])
      await refused(bearer(await anAccessToken({ ...overrides, audience })), ', error="invalid_token"');
  });

  describe("with a browser session", () => {
    let browser: TestBrowser;
    before(async () => {
      const password_hash = await it.server.passwords.hash(password);
      const user = await aUser(it.store, { is_platform_admin: true, password_hash });
      browser = testBrowser(it.app);
      await signInAs(browser, user);
    });
    const cookie = () => cookieOf(browser);
    const create = (headers: Headers) =>
      it.app.inject({
        method: "POST",
        url: "/api/v1/organizations",
        headers: { "content-type": "application/json", cookie: cookie(), ...headers },
        payload: JSON.stringify({ name: "Acme", slug: `acme-${crypto.randomUUID()}` }),
      });

    test("a browser session may read all of the user's own records, whatever site the browser came from", async () => {
      const answer = await ask({ cookie: cookie(), "sec-fetch-site": "cross-site" });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.json().scopes, null);
      assert.equal(answer.json().actor.kind, "user");
    });

    test("L-5: a change with a browser session must come from a page of this server", async () => {
      for (const headers of [
        { "sec-fetch-site": "same-origin" },
        { "sec-fetch-site": "none" },
        { origin: issuer },
      ] as Headers[]) {
        assert.equal((await create(headers)).statusCode, 201, JSON.stringify(headers));
      }
      for (const headers of [
        {},
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "cross-site", origin: issuer },
        { origin: "null" },
        { origin: `${issuer}.evil.example` },
        { origin: "http://id.example" },
        { referer: `${issuer}/console` },
      ] as Headers[]) {
        const answer = await create(headers);
        assert.equal(answer.statusCode, 403, JSON.stringify(headers));
        assert.equal(answer.json().code, "forbidden");
      }
    });

    test("a credential in the header takes precedence, and a cookie does not replace an invalid one", async () => {
      const answer = await create({ ...bearer("pak_wrong"), "sec-fetch-site": "same-origin" });
      assert.equal(answer.statusCode, 401);
    });

    test("L-7: a request with the cookie of an ended session is not authenticated", async () => {
      const { data } = (await ask({ cookie: cookie() }, "/api/v1/sessions")).json();
      const [session] = data;
      const url = `/api/v1/sessions/${session.id}/revoke`;
      assert.equal((await it.app.inject({ method: "POST", url, headers: bearer(it.key) })).statusCode, 200);
      await refused({ cookie: cookie() }, ', error="invalid_token"');
    });
  });

  test("an access token acts as the user, service account or client to which it was issued", async () => {
    const scopes = ["openid", "postern:users:read"];
    const user = await aUser(it.store);
    const users = await me(await anAccessToken({ user_id: user.id, scopes }));
    assert.deepEqual(users.actor, { kind: "user", id: user.id, name: user.name });
    assert.deepEqual(users.scopes, scopes);
    assert.deepEqual(users.permissions, ["users:read"]);

    const organization = await anOrganization(it.store);
    const account = await aServiceAccount(it.store, { organization_id: organization.id });
    const machines = await me(
      await anAccessToken({ user_id: null, service_account_id: account.id, scopes: ["postern:apps:read"] }),
    );
    assert.deepEqual(machines.actor, { kind: "service_account", id: account.id, name: account.name });
    assert.deepEqual(machines.organizations, [
      {
        id: organization.id,
        slug: organization.slug,
        name: organization.name,
        role: "admin",
        permissions: ["apps:read"],
      },
    ]);

    const app = await anApp(it.store, { organization_id: null });
    const clients = await me(await anAccessToken({ app_id: app.id, user_id: null, scopes }));
    assert.deepEqual(clients.actor, { kind: "client", id: app.id, name: app.name });
    assert.equal(clients.is_platform_admin, true);
  });

  test("S-10: a token for one organization shows only that organization, if its scopes include organization and roles", async () => {
    const user = await aUser(it.store);
    const organization = await anOrganization(it.store);
    const { id: membership_id } = await aMembership(it.store, {
      user_id: user.id,
      organization_id: organization.id,
      role: "admin",
    });
    await aMembership(it.store, { user_id: user.id });
    const told = async (scopes: readonly string[]) =>
      (await me(await anAccessToken({ user_id: user.id, membership_id, scopes }))).organizations;
    assert.deepEqual(await told(["openid", "roles"]), []);
    assert.deepEqual(await told(["openid", "organization"]), []);
    const { id, slug, name } = organization;
    assert.deepEqual(await told(["openid", "organization", "roles"]), [
      { id, slug, name, role: "admin", permissions: [] },
    ]);
  });

  test("S-10: a token without a management scope shows the user's id, with profile the name, and no membership", async () => {
    const user = await aUser(it.store, { is_platform_admin: true });
    const { id } = await anOrganization(it.store);
    await aMembership(it.store, { user_id: user.id, organization_id: id });
    for (const [scopes, name] of [
      [["openid"], user.id],
      [["openid", "email"], user.id],
      [["openid", "profile"], user.name],
    ] as const) {
      assert.deepEqual(await me(await anAccessToken({ user_id: user.id, scopes: [...scopes] })), {
        actor: { kind: "user", id: user.id, name },
        scopes,
        is_platform_admin: false,
        permissions: [],
        organizations: [],
      });
    }
    const managing = await me(await anAccessToken({ user_id: user.id, scopes: ["postern:users:read"] }));
    assert.equal(managing.actor.name, user.name);
    assert.equal(managing.is_platform_admin, true);
    assert.deepEqual(
      managing.organizations.map((organization: { readonly id: string }) => organization.id),
      [id],
    );
  });

  test("RFC 9068 4: a token for another audience, an ended token or a refresh token is refused", async () => {
    const user = await aUser(it.store);
    const of = { user_id: user.id, scopes: ["postern:manage"] };
    assert.equal((await ask(bearer(await anAccessToken(of)))).statusCode, 200);
    const inactive = await aUser(it.store, { active: false });
    for (const overrides of [
      { audience: ["https://api.example"] },
      { audience: [] },
      { revoked: true },
      { access_expires_at: it.clock.now() },
      { user_id: inactive.id },
      { app_id: (await anApp(it.store, { active: false })).id },
    ]) {
      await refused(bearer(await anAccessToken({ ...of, ...overrides })), ', error="invalid_token"');
    }
    const refresh = newCredential(credentialPrefix.refresh_token, it.clock.now());
    const refresh_token_signature = findSignature(credentialPrefix.refresh_token, refresh) ?? null;
    await anAccessToken({ ...of, refresh_token_signature });
    await refused(bearer(refresh), ', error="invalid_token"');
  });

  test("an API key acts as its owner while both key and owner are active", async () => {
    const user = await aUser(it.store);
    const organization = await anOrganization(it.store);
    const scopes = ["postern:read"];
    const own = await anApiKeyText(it, { user_id: user.id, scopes });
    assert.equal((await me(own.key)).actor.id, user.id);
    const shared = await anApiKeyText(it, { organization_id: organization.id, scopes });
    const { actor, organizations } = await me(shared.key);
    assert.deepEqual(actor, { kind: "organization", id: organization.id, name: organization.name });
    assert.ok(organizations[0].permissions.includes("apps:read"));
    assert.ok(!organizations[0].permissions.includes("apps:write"));

    const wrong = ', error="invalid_token"';
    const expired = await anApiKeyText(it, { user_id: user.id, scopes, expires_at: it.clock.now() });
    await refused(bearer(expired.key), wrong);
    assert.equal(
      (await ask(bearer((await anApiKeyText(it, { user_id: user.id, scopes, expires_at: later(60) })).key)))
        .statusCode,
      200,
    );
    await it.store.update("organizations", { id: organization.id }, { active: false });
    await refused(bearer(shared.key), wrong);
    await it.store.update("users", { id: user.id }, { active: false });
    await refused(bearer(own.key), wrong);
  });
});
