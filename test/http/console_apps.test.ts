/** The console pages of unusual apps: open clients, and apps with keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aPerson, browserOf, testApp } from "../support/app.ts";
import { anApp, aResource } from "../support/builders.ts";

async function visited() {
  const it = await testApp({ throttle: false });
  const root = await aPerson(it, { is_platform_admin: true });
  const browser = await browserOf(it, root);
  return { ...it, browser };
}

const open = { provenance: "dynamic_registration", name: "Payroll of Acme" } as const;

test("PR-11: the list of apps has a column for the origin only if it contains open clients", async () => {
  const { store, browser, app } = await visited();
  await anApp(store, { name: "Orders" });
  const plain = await browser.get("/console/apps");
  assert.doesNotMatch(plain.body, /scope="col">Origin</);
  const { id } = await anApp(store, open);
  const mixed = await browser.get("/console/apps");
  assert.match(mixed.body, /scope="col">Origin</);
  assert.match(
    mixed.body,
    /Payroll of Acme.*?class="brief" role="cell"><span title="The client registered itself">/s,
  );
  const record = await browser.get(`/console/apps/${id}`);
  assert.match(record.body, /No administrator registered this client/);
  await app.close();
});

test("the form of an API says that resource servers accept its tokens until they expire", async () => {
  const { browser, app } = await visited();
  const { body } = await browser.get("/console/resources/new");
  assert.match(body, /accept these tokens until they expire/);
  assert.ok(!body.includes("disables it everywhere"));
  await app.close();
});

test("an app with signed assertions, DPoP or PAR gets no snippet that cannot work and no advice to create secrets", async () => {
  const { store, browser, app } = await visited();
  const [plain, ...others] = await Promise.all(
    [
      {},
      { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://bank.example/keys" } as const,
      { dpop_bound_access_tokens: true },
      { require_pushed_authorization_requests: true },
    ].map((input) => anApp(store, { allowed_grants: ["auth_code", "client_credentials"], ...input })),
  );
  const used = async (id = "") => (await browser.get(`/console/apps/${id}/use`)).body;
  assert.match(await used(plain?.id), /OAUTH_CLIENT_SECRET/);
  for (const { id, token_endpoint_auth_method } of others) {
    const body = await used(id);
    assert.doesNotMatch(body, /OAUTH_CLIENT_SECRET|paste-the-secret-here|openid-client/);
    assert.match(body, /docs\/fapi2\.md/);
    assert.equal(body.includes("no active secret"), token_endpoint_auth_method === null);
  }
  const [signing] = others;
  const record = await browser.get(`/console/apps/${signing?.id}`);
  assert.doesNotMatch(record.body, /Rotate the secret/);
  await app.close();
});

test("the quickstart snippets request a token for the API whose scope the app has, or none of its scopes", async () => {
  const { store, browser, app } = await visited();
  const grants = { allowed_grants: ["auth_code"], redirect_uris: ["https://shop.example/cb"] };
  const machine = await anApp(store, {
    allowed_grants: ["client_credentials"],
    allowed_scopes: ["orders:read"],
  });
  const { id } = await anApp(store, { ...grants, allowed_scopes: ["openid", "orders:read"] });
  const other = await anApp(store, { ...grants, allowed_scopes: ["openid"] });
  const scopes = { "orders:read": null };
  await aResource(store, { identifier: "https://orders.example", who_may_ask: "registered", scopes });
  const used = async (of: string) => (await browser.get(`/console/apps/${of}/use`)).body;
  const inEnvironment = /OAUTH_RESOURCE=https:\/\/orders\.example/;
  const inShell = /scope=openid%20orders%3Aread&amp;resource=https%3A%2F%2Forders\.example/;
  assert.match(await used(machine.id), inEnvironment);
  assert.match(await used(id), inShell);
  // The sign-in programs send no `resource`.
  assert.match(await used(id), /OAUTH_SCOPE=openid\n/);
  assert.doesNotMatch(await used(id), /OAUTH_RESOURCE/);
  assert.doesNotMatch(await used(other.id), /resource=/);
  await aResource(store, { identifier: "https://stock.example", who_may_ask: "registered", scopes });
  assert.doesNotMatch(await used(id), /resource=/, "two APIs have the scope");
  assert.doesNotMatch(await used(machine.id), /OAUTH_RESOURCE=/, "two APIs have the scope");
  await app.close();
});

test("an app with both grants gets an environment file for each, with the scopes that its programs may request", async () => {
  const { store, browser, app } = await visited();
  const { id } = await anApp(store, {
    allowed_grants: ["auth_code", "client_credentials"],
    redirect_uris: ["https://shop.example/cb"],
    allowed_scopes: ["openid", "stock:read"],
  });
  const { body } = await browser.get(`/console/apps/${id}/use`);
  const [first, ofMachine = "", ...others] = body.split("OAUTH_ISSUER=").slice(1);
  assert.deepEqual(others, []);
  assert.match(first ?? "", /OAUTH_REDIRECT_URI=.*OAUTH_SCOPE=&#39;openid stock:read&#39;/s);
  assert.match(ofMachine, /^OAUTH_SCOPE=stock:read(?:<|$)/m);
  assert.doesNotMatch(ofMachine, /^OAUTH_REDIRECT_URI=/m);
  await app.close();
});
