/** Error responses to clients are uncached JSON, with Retry-After if a retry can succeed. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { createWaitingApp } from "../../src/app.ts";
import { guessLimits } from "../../src/crypto/guess_limits.ts";
import { OverloadedError, UnavailableError } from "../../src/errors.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { aClientFixture } from "../oauth/client_fixture.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { anApp, aResource } from "../support/builders.ts";
import { basic, credentialsOf } from "../support/flows.ts";

const form = "application/x-www-form-urlencoded";
const settings = {
  profiles: ["mcp"],
  registration: "open",
  extra_features: ["par", "dpop"],
  extra_client_auth: ["private_key_jwt"],
} as const;

/**
 * Endpoints that pages of any origin may call by POST. Revocation is not listed, because it always responds
 * 200.
 */
const posted = ["/oauth/token", "/oauth/par", "/oauth/userinfo"];
const read = [
  ...["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"],
  ...["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/api/v1"],
  ...["/.well-known/jwks.json", "/oauth/userinfo"],
];

function assertJson(answer: LightMyRequestResponse, status: number, what: string): void {
  assert.equal(answer.statusCode, status, `${what}: ${answer.body}`);
  assert.match(String(answer.headers["content-type"]), /^application\/json/, what);
  assert.equal(answer.headers["cache-control"], "no-store", what);
  const { error, error_description } = answer.json();
  assert.deepEqual([typeof error, typeof error_description], ["string", "string"], what);
}

function assertReadable({ headers }: LightMyRequestResponse, what: string): void {
  assert.equal(headers["access-control-allow-origin"], "*", what);
  assert.equal(headers["access-control-allow-credentials"], undefined, what);
  assert.equal(headers["access-control-expose-headers"], "WWW-Authenticate, DPoP-Nonce, Retry-After", what);
}

describe("error responses of the endpoints for clients", () => {
  let it: TestApp;
  let client: OAuthApp;
  let authorization: string;
  let access_token: string;
  before(async () => {
    it = await testApp({ throttle: false, settings });
    ({ access_token } = await (await aClientFixture(it)).flow());
    client = await anApp(it.store);
    await aResource(it.store, { who_may_ask: "any" });
    authorization = String(await credentialsOf(it, client));
  });

  const post = (url: string, payload: string, type = form, at: Pick<TestApp, "app"> = it) =>
    at.app.inject({
      method: "POST",
      url,
      headers: { "content-type": type, authorization, accept: "text/html" },
      payload,
    });

  test("T-3, T-5, PR-14: a wrong path, method, content type, size or form gets a JSON error readable from any origin", async () => {
    for (const url of posted) {
      for (const [status, payload, type] of [
        [415, "{}", "application/json"],
        [415, "a=b", "text/plain"],
        [415, "a=b", `${form}x`],
        [413, `a=${"x".repeat(70_000)}`, form],
        [400, "a=%", form],
        [400, "a=%00", form],
        [400, "a=%C3%28", form],
        [400, Array.from({ length: 101 }, (_, index) => `p${index}=1`).join("&"), form],
        [400, "client_id=a&client_id=b&access_token=a&access_token=b", form],
      ] as const) {
        // Userinfo ignores a form of another content type, because the credential is in the header.
        if (url === "/oauth/userinfo" && status === 415) continue;
        const answer = await post(url, payload, type);
        const what = `${url} ${status} ${payload.slice(0, 9)}`;
        assertJson(answer, status, what);
        assertReadable(answer, what);
      }
    }
    for (const [status, payload, type] of [
      [415, "redirect_uris=x", form],
      [413, `"${"x".repeat(40_000)}"`, "application/json"],
      [400, "{", "application/json"],
      [400, '{"redirect_uris":[],"redirect_uris":[]}', "application/json"],
      [400, "{}", "application/json"],
    ] as const) {
      const answer = await it.app.inject({
        method: "POST",
        url: "/oauth/register",
        headers: { "content-type": type, accept: "text/html" },
        payload,
      });
      const what = `registration ${status} ${payload.slice(0, 20)}`;
      assertJson(answer, status, what);
      assertReadable(answer, what);
    }
    for (const url of [...posted, ...read, "/oauth/revoke", "/oauth/register"]) {
      const answer = await it.app.inject({ method: "PUT", url, headers: { accept: "text/html" } });
      assertJson(answer, 405, url);
      assertReadable(answer, url);
      assert.match(String(answer.headers.allow), /OPTIONS$/);
    }
    for (const url of ["/oauth/nothing", "/oauth/token/x", "/.well-known/openid-configuration/api"]) {
      const answer = await it.app.inject({ url, headers: { accept: "text/html" } });
      assertJson(answer, 404, url);
      assertReadable(answer, url);
    }
    const unknown = await it.app.inject({ url: "/oauth/userinfo", headers: { authorization: "Bearer x" } });
    assertJson(unknown, 401, "userinfo");
    assertReadable(unknown, "userinfo");
  });

  test("A-24, PR-3: endpoints that web pages may not read allow no other origin in any response", async () => {
    for (const [method, url] of [
      ["GET", "/oauth/authorize"],
      ["GET", "/oauth/authorize?client_id=nobody"],
      ["OPTIONS", "/oauth/authorize"],
      ["PUT", "/oauth/authorize"],
      ["GET", "/login"],
      ["OPTIONS", "/oauth/introspect"],
      ["POST", "/oauth/introspect"],
      ["OPTIONS", "/oauth/logout"],
      ["GET", "/api/v1/me"],
      ["OPTIONS", "/api/v1/me"],
      ["GET", "/nothing"],
    ] as const) {
      const headers = { origin: "https://elsewhere.example", "access-control-request-method": "POST" };
      const answer = await it.app.inject({ method, url, headers });
      const opened = Object.keys(answer.headers).filter((name) => name.startsWith("access-control"));
      assert.deepEqual(opened, [], `${method} ${url}`);
    }
  });

  test("A-24, PR-3, design 6.20: a preflight allows the requested headers within limits, and never credentials", async () => {
    const usual = "Authorization, Content-Type";
    const { app } = await testApp();
    const allowed = async (requested: string, url = "/oauth/token") => {
      const headers = { origin: "https://app.example", "access-control-request-headers": requested };
      const answer = await app.inject({ method: "OPTIONS", url, headers });
      assert.equal(answer.headers["access-control-allow-credentials"], undefined);
      assert.ok(["*", undefined].includes(String(answer.headers["access-control-allow-origin"] ?? "*")));
      return answer.headers["access-control-allow-headers"];
    };
    for (const url of ["/oauth/token", "/oauth/revoke", "/oauth/userinfo", "/.well-known/jwks.json"]) {
      assert.equal(
        await allowed("content-type,traceparent, sentry-trace", url),
        `${usual}, traceparent, sentry-trace`,
      );
    }
    assert.equal(await allowed("baggage,baggage,AUTHORIZATION"), `${usual}, baggage`);
    assert.equal(await allowed("a b, c:d, *, e\u00e9, , traceparent"), `${usual}, traceparent`);
    assert.equal(await allowed("x".repeat(65)), usual);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}`).join(",");
    assert.equal(await allowed(many(33)), usual);
    assert.equal(String(await allowed(many(32))).split(", ").length, 34);
    assert.equal(await allowed("traceparent", "/oauth/authorize"), undefined);
    assert.equal(await allowed("traceparent", "/oauth/introspect"), undefined);
  });

  test("PR-3: with the features enabled, a preflight allows every header that a client of this server sends", async () => {
    const sent = async (input: TestApp) =>
      (await input.app.inject({ method: "OPTIONS", url: "/oauth/token" })).headers;
    const all = await sent(it);
    assert.equal(
      all["access-control-allow-headers"],
      "Authorization, Content-Type, Accept, MCP-Protocol-Version, DPoP",
    );
    const mcp = await sent(await testApp({ settings: { profiles: ["mcp"] } }));
    assert.equal(
      mcp["access-control-allow-headers"],
      "Authorization, Content-Type, Accept, MCP-Protocol-Version",
    );
    assert.equal(mcp["access-control-expose-headers"], "WWW-Authenticate, Retry-After");
    for (const url of [...posted, ...read, "/oauth/revoke", "/oauth/register"]) {
      const { statusCode, headers } = await it.app.inject({ method: "OPTIONS", url });
      assert.equal(statusCode, 204, url);
      assert.deepEqual(
        Object.entries(headers).filter(([name]) => /^access-control-(?:allow-h|expose)/.test(name)),
        Object.entries(all).filter(([name]) => /^access-control-(?:allow-h|expose)/.test(name)),
      );
    }
  });

  test("PR-14: a busy server, an unavailable database or an internal error is reported in JSON, with Retry-After", async () => {
    const broken = (error: Error): Store =>
      new Proxy(it.store, {
        get: (store, name: keyof Store) =>
          /^(?:find|get|insert|use)/.test(name) ? () => Promise.reject(error) : store[name],
      });
    for (const [status, error, retry_after] of [
      [503, new UnavailableError("away", "down", undefined), "2"],
      [503, new OverloadedError(3), "3"],
      [500, new Error("a fault"), undefined],
    ] as const) {
      const { server } = it;
      const store = broken(error);
      // The signing keys fail too; otherwise they would come from the cache.
      const keys = () => Promise.reject(error);
      const at = await testApp({ server: { ...server, store, keys } });
      for (const url of posted) {
        const token = url === "/oauth/userinfo" ? { authorization: `Bearer ${access_token}` } : {};
        const answer = await at.app.inject({
          method: "POST",
          url,
          headers: { "content-type": form, authorization, ...token },
          payload: "grant_type=client_credentials",
        });
        assertJson(answer, status, `${url} ${error.name}`);
        assertReadable(answer, url);
        assert.equal(answer.headers["retry-after"], retry_after);
        assert.doesNotMatch(answer.body, /down|a fault/);
      }
      const keySet = await at.app.inject("/.well-known/jwks.json");
      assertJson(keySet, status, "the key set");
      assertReadable(keySet, "the key set");
    }
    const waiting = createWaitingApp({
      log: { debug() {}, info() {}, warn() {}, error() {} },
      secure: true,
      reason: () => new UnavailableError("away", "down", undefined),
    });
    for (const url of [...posted, "/oauth/revoke", "/oauth/register"]) {
      const answer = await waiting.inject({ method: "POST", url, headers: { "content-type": form } });
      assertJson(answer, 503, `${url} before the database is there`);
      assert.equal(answer.headers["retry-after"], "2");
    }
    await waiting.close();
  });

  test("PR-14: too many wrong secrets get 429 in JSON, with a Retry-After that web pages may read", async () => {
    const { server, clock } = it;
    const at = await testApp({ server: { ...server, guesses: guessLimits({ now: clock.now }) } });
    const guess = () =>
      at.app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": form, authorization: basic(client.client_id, "wrong") },
        payload: "grant_type=client_credentials",
      });
    let answer = await guess();
    for (let guesses = 0; answer.statusCode === 401 && guesses < 20; guesses++) answer = await guess();
    assertJson(answer, 429, "guesses");
    assertReadable(answer, "guesses");
    assert.match(String(answer.headers["retry-after"]), /^[1-9][0-9]*$/);
  });

  test("PR-14: bytes that are not HTTP are refused in JSON that is not cached, and the connection is closed", async () => {
    const { app } = await testApp({ settings });
    const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
    for (const [status, text] of [
      [400, "nonsense\r\n\r\n"],
      [400, "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"],
      [405, "BREW /oauth/token HTTP/1.1\r\nHost: a\r\n\r\n"],
      [404, "BREW /oauth/nothing HTTP/1.1\r\nHost: a\r\n\r\n"],
      [431, `GET /oauth/token HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
      [400, "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
      [400, "GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n"],
      [400, "GET /.well-known/openid-configuration HTTP/1.1\r\n\r\n"],
      [400, "GET /nothing HTTP/1.1\r\n\r\n"],
      [417, "POST /oauth/token HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 0\r\n\r\n"],
    ] as const) {
      const socket = connect(Number(port), "127.0.0.1").setEncoding("latin1");
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
      });
      const ended = new Promise((resolve) => socket.once("close", resolve));
      socket.on("error", () => {});
      socket.write(text);
      await ended;
      const [head = "", body = ""] = received.split("\r\n\r\n");
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), text.slice(0, 30));
      assert.match(head, /\r\nContent-Type: application\/json(?:; charset=utf-8)?\r\n/i);
      assert.match(head, /\r\nCache-Control: no-store\r\n/i);
      assert.match(head, /\r\nX-Content-Type-Options: nosniff\r\n/i);
      assert.equal(JSON.parse(body).error, "invalid_request");
    }
    await app.close();
  });
});
