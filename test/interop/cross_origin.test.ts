/** Tests what a page of another origin may do at the client endpoints, in a real browser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { guessLimits } from "../../src/crypto/guess_limits.ts";
import { UnavailableError } from "../../src/errors.ts";
import type { Store } from "../../src/storage/store.ts";
import { aClientFixture, type ClientFixture } from "../oauth/client_fixture.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { aResource } from "../support/builders.ts";
import { aProof, aProofKey } from "../support/dpop.ts";
import { authorizeParameters, basic, formOf } from "../support/flows.ts";
import { type Application, application } from "./application.ts";

const form = "application/x-www-form-urlencoded";
/** The headers that the SDK of the Model Context Protocol sends with each request. */
const usual = { accept: "application/json", "mcp-protocol-version": "2025-11-25" };

interface Requested {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly credentials?: "include";
}

/** The parts of the response that the page could read; undefined if the browser blocked the response. */
type Read = { readonly status: number; readonly body: string; readonly headers: Record<string, string> };

describe("PR-3: a page of another origin in a browser", () => {
  let it: TestApp;
  let away: TestApp;
  let fixture: ClientFixture;
  let machine: ClientFixture;
  let elsewhere: Application;
  let page: Page;
  let url: string;
  let urlAway: string;
  let access_token: string;

  before(async () => {
    const settings = {
      profiles: ["mcp"],
      registration: "open",
      extra_features: ["par", "dpop"],
      extra_client_auth: ["private_key_jwt"],
      dpop_nonce: "always",
    } as const;
    const { server } = await testApp({ settings });
    it = await testApp({ server: { ...server, guesses: guessLimits({ now: server.now }) } });
    it = { ...it, server, store: server.store };
    await aResource(it.store, { who_may_ask: "any" });
    fixture = await aClientFixture(it);
    machine = await aClientFixture(it, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read"],
    });
    ({ access_token } = await fixture.flow());
    const gone = () => Promise.reject(new UnavailableError("away", "down", undefined));
    const store: Store = new Proxy(server.store, {
      get: (whole, name: keyof Store) => (/^(?:find|get|use)/.test(name) ? gone : whole[name]),
    });
    away = await testApp({ server: { ...server, store, keys: gone } });
    url = await it.app.listen({ host: "127.0.0.1", port: 0 });
    urlAway = await away.app.listen({ host: "127.0.0.1", port: 0 });
    elsewhere = await application();
    page = await (await (await browser()).newContext()).newPage();
    await page.goto(elsewhere.redirect_uri);
  });
  after(async () => {
    await page.context().close();
    elsewhere.close();
    await it.app.close();
    await away.app.close();
  });

  const read = (address: string, requested: Requested = {}): Promise<Read | undefined> =>
    page.evaluate(
      async ([to, init]) => {
        try {
          const answer = await fetch(to, init);
          const { status } = answer;
          return { status, body: await answer.text(), headers: Object.fromEntries(answer.headers) };
        } catch {
          return undefined;
        }
      },
      [address, { ...requested, headers: { ...usual, ...requested.headers } }] as const,
    );
  /** Sends a request without any header that triggers a preflight. */
  const simply = (method: string, address: string) =>
    page.evaluate(
      async ([to, by]) => {
        const answer = await fetch(to, { method: by });
        return { status: answer.status, body: await answer.text() };
      },
      [address, method] as const,
    );
  const post = (address: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    read(address, { method: "POST", body, headers: { "content-type": form, ...headers } });

  const proof = async (nonce?: unknown) =>
    aProof(it, aProofKey(), nonce === undefined ? {} : { claims: { nonce } });
  const authorization = () => ({ authorization: String(machine.authorization) });
  const credentials = "grant_type=client_credentials&scope=orders:read";

  test("PR-3: can read metadata, keys and each refused request", async () => {
    for (const path of [
      "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/api/v1",
      "/.well-known/jwks.json",
    ]) {
      assert.equal((await read(url + path))?.status, 200, path);
      const traced = { headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } };
      assert.equal((await read(url + path, traced))?.status, 200, path);
      // The preflight does not permit DELETE, so the browser itself blocks the request.
      assert.equal(await read(url + path, { method: "DELETE" }), undefined, path);
      assert.equal((await read(url + path, { method: "POST", body: "" }))?.status, 405, path);
    }
    assert.equal((await read(`${urlAway}/.well-known/jwks.json`))?.status, 503);
    // SDKs retry without additional headers, so without a preflight.
    const missing = await simply("GET", `${url}/.well-known/openid-configuration/api/v1`);
    assert.deepEqual([missing.status, JSON.parse(missing.body).error], [404, "invalid_request"]);
    assert.equal((await simply("POST", `${url}/oauth/nothing`)).status, 404);
  });

  test("PR-3: can get DPoP-bound tokens, push requests, call userinfo and revoke tokens", async () => {
    const first = await post(`${url}/oauth/token`, credentials, { ...authorization(), dpop: await proof() });
    assert.deepEqual([first?.status, JSON.parse(first?.body ?? "").error], [400, "use_dpop_nonce"]);
    const dpop = await proof(first?.headers["dpop-nonce"]);
    const token = await post(`${url}/oauth/token`, credentials, { ...authorization(), dpop });
    assert.deepEqual([token?.status, JSON.parse(token?.body ?? "").token_type], [200, "DPoP"]);
    const pushed = await post(`${url}/oauth/par`, formOf(authorizeParameters(fixture.app)), {
      authorization: String(fixture.authorization),
    });
    assert.equal(pushed?.status, 201);
    const bearer = { authorization: `Bearer ${access_token}` };
    assert.equal((await read(`${url}/oauth/userinfo`, { headers: bearer }))?.status, 200);
    assert.equal((await post(`${url}/oauth/userinfo`, "", bearer))?.status, 200);
    assert.equal((await post(`${url}/oauth/revoke`, "token=x"))?.status, 200);
  });

  test("PR-3: can register a client, and read why a registration was refused", async () => {
    const register = (body: string, type = "application/json", at = url) =>
      post(`${at}/oauth/register`, body, { "content-type": type });
    const redirect_uris = ["http://localhost:6274/oauth/callback"];
    const right = JSON.stringify({ redirect_uris, token_endpoint_auth_method: "none" });
    const made = await register(right);
    assert.equal(made?.status, 201);
    assert.deepEqual(JSON.parse(made?.body ?? "").redirect_uris, redirect_uris);
    for (const [status, error, body, type] of [
      [400, "invalid_redirect_uri", "{}", "application/json"],
      [400, "invalid_client_metadata", "{", "application/json"],
      [415, "invalid_request", "x", form],
    ] as const) {
      const refused = await register(body, type);
      assert.deepEqual([refused?.status, JSON.parse(refused?.body ?? "{}").error], [status, error]);
    }
    assert.equal((await register(right, "application/json", urlAway))?.status, 503);
  });

  test("PR-3: can read the challenge and the retry time of each refusal", async () => {
    for (const [status, path, body, headers] of [
      [400, "/oauth/token", "grant_type=nothing", authorization()],
      [413, "/oauth/token", "x".repeat(70_000), authorization()],
      [415, "/oauth/token", "{}", { ...authorization(), "content-type": "application/json" }],
      [401, "/oauth/token", credentials, { authorization: basic("nobody", "x") }],
      [400, "/oauth/par", "request_uri=x", { authorization: String(fixture.authorization) }],
      [401, "/oauth/par", "client_id=nobody", {}],
      [415, "/oauth/par", "{}", { "content-type": "application/json" }],
      [401, "/oauth/userinfo", "", { authorization: "Bearer x" }],
    ] as const) {
      const answer = await post(url + path, body, headers);
      assert.equal(answer?.status, status, `${path} ${body.slice(0, 20)}`);
      if (status === 401) assert.ok(answer?.headers["www-authenticate"], path);
    }
    const wrong = () =>
      post(`${url}/oauth/token`, credentials, { authorization: basic(machine.app.client_id, "x") });
    let answer = await wrong();
    for (let guesses = 0; answer?.status === 401 && guesses < 20; guesses++) answer = await wrong();
    assert.equal(answer?.status, 429);
    assert.match(String(answer?.headers["retry-after"]), /^[1-9]/);
    const down = await post(`${urlAway}/oauth/token`, credentials, authorization());
    assert.deepEqual([down?.status, down?.headers["retry-after"]], [503, "2"]);
  });

  test("PR-3: sends no cookies, and cannot call authorize, introspection or the management API", async () => {
    const me = { credentials: "include" } as const;
    assert.equal(await read(`${url}/.well-known/jwks.json`, me), undefined, "never with credentials");
    for (const path of ["/oauth/authorize", "/oauth/introspect", "/oauth/logout", "/api/v1/me"]) {
      assert.equal(await read(url + path), undefined, path);
      assert.equal(await post(url + path, "token=x"), undefined, path);
    }
  });
});
