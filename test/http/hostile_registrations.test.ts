import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { apps as appResource } from "../../src/admin/resources/apps.ts";
import { givenFields } from "../../src/admin/resources/resource.ts";
import type { OAuthApp } from "../../src/records/definition.ts";
import { beyondLimits } from "../../src/records/open_clients.ts";
import { testContext } from "../admin/context.ts";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { aConsent, anOrganization, aResource, aUser, later } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";

type Body = Readonly<Record<string, unknown>>;

async function ready() {
  const it = await testApp({ settings: { registration: "open", profiles: ["mcp"] } });
  const { store } = it;
  await aResource(store, {
    identifier: "https://tools.example/mcp",
    scopes: { "tools:read": "Read with tools" },
    who_may_ask: "any",
  });
  const register = (body: unknown, headers: Record<string, string> = {}) =>
    it.app.inject({
      method: "POST",
      url: "/oauth/register",
      headers: { "content-type": "application/json", ...headers },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
  const appOf = async (client_id: unknown) =>
    (await store.find("oauth_apps", { client_id: String(client_id) })) as OAuthApp;
  return { ...it, register, appOf };
}

const redirect_uris = ["https://client.example/cb"];

/** A value that would be more than an open client may have, of each member that a form of an app takes. */
const wider: Readonly<Record<string, unknown>> = {
  id: "01920000-0000-7000-8000-000000000001",
  client_id: "urn:postern:server",
  name: "Postern",
  description: "trusted",
  logo_url: "https://evil.example/logo.svg",
  app_type: "machine",
  owner_id: "01920000-0000-7000-8000-000000000002",
  organization_id: "01920000-0000-7000-8000-000000000003",
  allowed_scopes: ["postern:manage", "token:introspect"],
  allowed_grants: ["client_credentials", "jwt_bearer"],
  allowed_response_types: ["token"],
  access_token_ttl: 31_536_000,
  refresh_token_ttl: 315_360_000,
  refresh_token_rotation: false,
  first_party: true,
  public: false,
  active: false,
  revoked_at: "2020-01-01T00:00:00Z",
  metadata: { resource: "https://api.example", resources: ["https://api.example"] },
  post_logout_redirect_uris: ["https://evil.example/"],
  default_scopes: ["postern:manage"],
  id_token_signed_response_alg: "EdDSA",
  claims_in_id_token: false,
  client_assertion_audience: "issuer_or_token_endpoint",
  provenance: "registered",
  resources: ["https://tools.example/mcp"],
  secrets: ["a secret that the client chose for itself"],
  trusted: true,
};

describe("registrations that want more, or hold hostile text", () => {
  test("PR-25: no member of an app can be given by registering", async () => {
    const it = await ready();
    const plain = await it.appOf(
      (await it.register({ redirect_uris, token_endpoint_auth_method: "none" })).json().client_id,
    );
    const varying = ["id", "client_id", "name"];
    const fields = givenFields(appResource, "create").map(([name]) => name);
    for (const member of new Set([...fields, ...Object.keys(wider)])) {
      if (["redirect_uris", "token_endpoint_auth_method", "jwks", "jwks_uri"].includes(member)) continue;
      if (member === "dpop_bound_access_tokens") continue;
      const value = wider[member] ?? true;
      const answer = await it.register({
        redirect_uris,
        token_endpoint_auth_method: "none",
        [member]: value,
      });
      assert.equal(answer.statusCode, 201, `${member}: ${answer.body}`);
      const app = await it.appOf(answer.json().client_id);
      for (const [name, kept] of Object.entries(app)) {
        if (!varying.includes(name))
          assert.deepEqual(kept, plain[name as keyof OAuthApp], `${member}: ${name}`);
      }
      assert.notEqual(app.id, value);
      assert.notEqual(app.client_id, value);
      assert.deepEqual(beyondLimits(app), []);
    }
    const grants = [
      "authorization_code",
      "client_credentials",
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
    ];
    const scope = "openid tools:read postern:manage postern:register token:introspect";
    const told = (await it.register({ redirect_uris, grant_types: grants, scope })).json() as Body;
    assert.deepEqual([told.grant_types, told.scope], [["authorization_code"], "openid tools:read"]);
  });

  test("PR-25: what registering did not give, no other road gives: manifest, the client's own token, the console", async () => {
    const it = await ready();
    const { store } = it;
    const told = (await it.register({ redirect_uris, client_name: "Climber" })).json() as Body;
    const app = await it.appOf(told.client_id);
    const context = testContext(store);
    const exported = JSON.stringify(await exportManifest(context));
    assert.ok(!exported.includes(app.client_id) && !exported.includes("open-clients@"));
    const owner = (await aUser(store)).email;
    for (const [member, value] of Object.entries({
      first_party: true,
      owner,
      organization: (await anOrganization(store)).slug,
      metadata: { resource: "https://api.example" },
      allowed_scopes: ["postern:manage"],
      allowed_grants: ["client_credentials"],
      app_type: "machine",
      refresh_token_rotation: false,
      default_scopes: ["openid"],
    })) {
      const apps = [{ client_id: app.client_id, name: app.name, [member]: value }];
      await assert.rejects(applyManifest({ apps }, context), { code: "invalid_manifest" }, member);
    }
    // A secret is no token of the management API, and no grant gives the client one for itself.
    const basic = `Basic ${Buffer.from(`${told.client_id}:${told.client_secret}`).toString("base64")}`;
    for (const authorization of [basic, `Bearer ${told.client_secret}`]) {
      const answer = await it.app.inject({
        method: "PATCH",
        url: `/api/v1/apps/${app.id}`,
        headers: { authorization, "content-type": "application/merge-patch+json" },
        payload: '{"first_party":true}',
      });
      assert.equal(answer.statusCode, 401);
    }
    for (const grant of ["client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer"]) {
      const answer = await it.app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { authorization: basic, "content-type": "application/x-www-form-urlencoded" },
        payload: formOf({ grant_type: grant, scope: "postern:manage", assertion: "a.b.c" }),
      });
      assert.equal(answer.statusCode, 400, answer.body);
      assert.equal(answer.json().access_token, undefined);
    }
    const browser = testBrowser(it.app);
    await signInAs(browser, await aPerson(it, { is_platform_admin: true }));
    const page = await browser.get(`/console/apps/${app.id}/edit`);
    const form = { csrf_token: hiddenField(page, "csrf_token"), name: app.name, first_party: "true" };
    const posted = await browser.post(`/console/apps/${app.id}/edit`, form);
    assert.notEqual(posted.statusCode, 303, "the form is refused");
    assert.deepEqual(
      { ...(await it.appOf(app.client_id)), last_used_at: null },
      { ...app, last_used_at: null },
    );
  });

  const attack = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
  const hostile: readonly Body[] = [
    { client_name: attack },
    { client_name: "x".repeat(500) },
    { client_name: "\u202Egnp.exe" },
    { client_name: "Роstern" },
    { client_name: "Postern\u200B" },
    { client_name: "{{7*7}}<%= 7*7 %>" },
    { client_name: "a\r\nBcc: x@y.example" },
    { client_name: "' OR 1=1 --", contacts: [attack, "a\nb"], software_id: attack, software_version: attack },
    {
      client_uri: `https://a.example/${attack}`,
      logo_uri: "https://a.example/logo.svg",
      tos_uri: "javascript:alert(1)",
    },
    {
      redirect_uris: [
        `https://a.example/cb?x=${encodeURIComponent(attack)}`,
        `https://a.example/'"><svg/onload=alert(3)>`,
      ],
    },
    { redirect_uris: ["app:/cb?'\"<script>alert(4)</script>"] },
    { redirect_uris: [`https://xn--pstern-x0a.example/${"a".repeat(1900)}`] },
  ];

  test("PR-24: what a client says of itself is text on every page that shows it, and in every answer", async () => {
    const it = await ready();
    const { store } = it;
    const person = await aPerson(it, { is_platform_admin: true });
    const browser = testBrowser(it.app);
    await signInAs(browser, person);
    for (const said of hostile) {
      const answer = await it.register({ redirect_uris, token_endpoint_auth_method: "none", ...said });
      if (answer.statusCode !== 201) {
        assert.equal(answer.statusCode, 400, JSON.stringify(said));
        continue;
      }
      const app = await it.appOf(answer.json().client_id);
      assert.ok(app.name.length <= 255 && !/[\p{Cc}\p{Bidi_Control}\u200B]/u.test(app.name), app.name);
      await aConsent(store, { app_id: app.id, user_id: person.id });
      await store.update("oauth_apps", { id: app.id }, { last_used_at: later(1) });
      const parameters = authorizeParameters(app, { scope: "openid", resource: "https://tools.example/mcp" });
      const pages = [
        "/account/apps",
        "/console",
        "/console/apps",
        `/console/apps/${app.id}`,
        `/console/apps/${app.id}/edit`,
        `/console/apps/${app.id}/delete`,
        `/console/apps/${app.id}/checks`,
        `/console/apps/${app.id}/use`,
        "/console/open-clients",
        "/console/consents",
        "/console/audit-events",
        `/oauth/authorize?${formOf(parameters)}`,
        `/oauth/authorize?${formOf({ ...parameters, prompt: "consent" })}`,
        `/oauth/authorize?${formOf({ ...parameters, redirect_uri: `https://a.example/${attack}` })}`,
      ];
      for (const url of pages) {
        const { body, statusCode } = await browser.get(url);
        assert.ok(statusCode < 500, `${url}: ${statusCode}`);
        for (const live of ["<script>alert", "<img src=x", "<svg/onload", 'href="javascript:', "\u202E"]) {
          assert.ok(!body.includes(live), `${url} holds ${live} of ${JSON.stringify(said)}`);
        }
      }
    }
  });

  test("PR-92: whatever is sent to register is 201 or a refusal in JSON, never a 5xx", async () => {
    const it = await ready();
    const names = fc.constantFrom(
      ...["redirect_uris", "client_name", "client_uri", "scope", "grant_types", "response_types", "contacts"],
      ...["token_endpoint_auth_method", "jwks", "jwks_uri", "software_id", "application_type", "__proto__"],
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "none",
        "private_key_jwt",
        "authorization_code",
        "https://a.example/cb",
        "a:/b",
        "\0",
        "native",
      ),
    );
    const value = fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.jsonValue());
    const members = fc.array(fc.tuple(names, value), { maxLength: 8 });
    const written = members.map(
      (pairs) =>
        `{${pairs.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join(",")}}`,
    );
    const nearly = fc.dictionary(names, value).map((more) => JSON.stringify({ redirect_uris, ...more }));
    const body = fc.oneof(written, nearly, fc.string(), fc.json());
    const type = fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain", "");
    const authorization = fc.option(
      fc.string().map((each) => each.replaceAll(/[^\x20-\x7e]/g, "")),
      {
        nil: undefined,
        freq: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(body, type, authorization, async (payload, mediaType, credential) => {
        const answer = await it.register(payload, {
          "content-type": mediaType,
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        });
        assert.ok(
          [201, 400, 401, 413, 415].includes(answer.statusCode),
          `${answer.statusCode} ${answer.body}`,
        );
        const told = answer.json() as Body;
        assert.equal(typeof (answer.statusCode === 201 ? told.client_id : told.error), "string");
        assert.equal(answer.headers["cache-control"], "no-store");
        if (answer.statusCode === 201) assert.deepEqual(beyondLimits(await it.appOf(told.client_id)), []);
      }),
      { numRuns: 500 },
    );
  });
});
