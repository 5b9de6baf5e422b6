/** The number of requests that a credential may send, and the origins whose pages may call the API. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Settings } from "../../../src/oauth/core/server.ts";
import { aPerson, browserOf, cookieOf, testApp } from "../../support/app.ts";
import { anApp } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { credentialsOf, formOf } from "../../support/flows.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [sqlite] = databasesInForm;
assert.ok(sqlite);
const serverWith = (settings: Partial<Settings>) => apiServer(sqlite, {}, settings);
const page = { origin: "https://admin.example" };

describe("H-33: request limits for each credential", () => {
  const ask = (it: ApiServer, key = it.key, url = "/api/v1/me") =>
    it.app.inject({ url, headers: bearer(key) });

  const bulk = (it: ApiServer, count: number) => {
    const operations = Array.from({ length: count }, () => ({ op: "revoke", id: it.administrator.id }));
    const headers = { ...bearer(it.key), "content-type": "application/json" };
    const payload = JSON.stringify({ operations });
    return it.app.inject({ method: "POST", url: "/api/v1/bulk/tokens", headers, payload });
  };

  test("H-33: without the setting, requests are neither counted nor limited", async () => {
    const it = await serverWith({});
    for (let count = 0; count < 5; count += 1) {
      const { statusCode, headers } = await ask(it);
      assert.deepEqual(
        [statusCode, headers.ratelimit, headers["ratelimit-policy"]],
        [200, undefined, undefined],
      );
    }
  });

  test("H-33: each response states the remaining requests, and one over the limit gets 429 with the time to wait", async () => {
    const it = await serverWith({ api_rate_limit: 3 });
    const other = await anApiKeyText(it, { user_id: it.administrator.id, scopes: ["postern:read"] });
    const first = await ask(it);
    assert.equal(first.headers["ratelimit-policy"], '"credential";q=3;w=60');
    assert.equal(first.headers.ratelimit, '"credential";r=2;t=60');
    it.clock.advance(20);
    // A refusal counts like any other response, and reports the remaining requests.
    const missing = await ask(it, it.key, "/api/v1/users/none");
    assert.deepEqual([missing.statusCode, missing.headers.ratelimit], [404, '"credential";r=1;t=40']);
    assert.equal((await ask(it)).headers.ratelimit, '"credential";r=0;t=40');
    const refused = await ask(it);
    assert.deepEqual([refused.statusCode, refused.json().code], [429, "quota_exceeded"]);
    assert.equal(refused.headers["content-type"], "application/problem+json");
    assert.deepEqual(
      [refused.headers["retry-after"], refused.headers.ratelimit],
      ["40", '"credential";r=0;t=40'],
    );
    // Another credential of the same user has a separate quota. Requests of unknown callers are not counted.
    assert.equal((await ask(it, other.key)).headers.ratelimit, '"credential";r=2;t=60');
    const unknown = await ask(it, "pak_none");
    assert.deepEqual([unknown.statusCode, unknown.headers.ratelimit], [401, undefined]);
    it.clock.advance(40);
    assert.equal((await ask(it)).headers.ratelimit, '"credential";r=2;t=60');
    // After the clock is set back, requests are still answered.
    for (let count = 0; count < 3; count += 1) await ask(it);
    it.clock.advance(-3600);
    assert.equal((await ask(it)).headers.ratelimit, '"credential";r=2;t=60');
  });

  test("H-52: a bulk request larger than the quota of a minute is refused without a time to wait", async () => {
    const it = await serverWith({ api_rate_limit: 4 });
    const refused = await bulk(it, 5);
    assert.deepEqual([refused.statusCode, refused.json().code], [422, "invalid_record"]);
    assert.deepEqual(refused.json().errors, [
      {
        path: "/operations",
        code: "more_than_quota",
        message: "must be at most 4: each operation counts toward the limit of 4 requests per minute",
        params: { max: 4 },
      },
    ]);
    assert.equal(refused.headers["retry-after"], undefined);
    // The refusal counted as one request. After a full minute, a bulk request of the maximum size succeeds.
    assert.equal(refused.headers.ratelimit, '"credential";r=3;t=60');
    const later = await bulk(it, 4);
    assert.deepEqual([later.json().code, later.headers["retry-after"]], ["quota_exceeded", "60"]);
    it.clock.advance(60);
    assert.equal((await bulk(it, 4)).statusCode, 200);
  });

  test("H-33: each operation of a bulk request counts, and those beyond the limit are not executed", async () => {
    const it = await serverWith({ api_rate_limit: 4 });
    const done = await bulk(it, 3);
    assert.deepEqual([done.statusCode, done.headers.ratelimit], [200, '"credential";r=1;t=60']);
    assert.equal((await bulk(it, 2)).json().code, "quota_exceeded");
  });

  test("H-33: all tokens of a client for one account share a quota, and a browser session has its own", async () => {
    const it = await testApp({ settings: { api_rate_limit: 3 } });
    const machine = await anApp(it.store, {
      client_id: "machine",
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["postern:read"],
    });
    const authorization = String(await credentialsOf(it, machine));
    const token = async () => {
      const payload = formOf({ grant_type: "client_credentials", scope: "postern:read" });
      const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
      const answer = await it.app.inject({ method: "POST", url: "/oauth/token", headers, payload });
      return answer.json().access_token as string;
    };
    const left = async (headers: Record<string, string>) =>
      (await it.app.inject({ url: "/api/v1/me", headers })).headers.ratelimit;
    assert.equal(await left(bearer(await token())), '"credential";r=2;t=60');
    assert.equal(await left(bearer(await token())), '"credential";r=1;t=60');
    const browser = await browserOf(it, await aPerson(it));
    const cookie = cookieOf(browser);
    assert.equal(await left({ cookie }), '"credential";r=2;t=60');
    assert.equal(await left({ cookie }), '"credential";r=1;t=60');
  });
});

describe("H-34: requests from web pages of other origins", () => {
  const corsOf = (headers: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => /^access-control|^vary$/.test(name)));

  test("H-34: without the setting, no response permits another origin", async () => {
    const it = await serverWith({});
    for (const method of ["GET", "OPTIONS"] as const) {
      const { headers } = await it.app.inject({
        method,
        url: "/api/v1/me",
        headers: { ...page, ...bearer(it.key) },
      });
      assert.deepEqual(corsOf(headers), {});
    }
  });

  test("H-34: a page of a listed origin may read responses to its token, a page of any other origin may not", async () => {
    const it = await serverWith({ api_origins: [page.origin, "http://localhost:5173"] });
    const ask = (url: string, headers: Record<string, string>, method: "GET" | "OPTIONS" | "PUT" = "GET") =>
      it.app.inject({ method, url, headers });
    const preflight = await ask(
      "/api/v1/users",
      { ...page, "access-control-request-method": "PATCH" },
      "OPTIONS",
    );
    assert.equal(preflight.statusCode, 204);
    const allowed = corsOf(preflight.headers);
    assert.equal(allowed["access-control-allow-origin"], page.origin);
    assert.equal(allowed["access-control-max-age"], "600");
    assert.match(String(allowed["access-control-allow-headers"]), /Authorization, Content-Type, .*If-Match/);
    assert.match(String(allowed["access-control-allow-methods"]), /PATCH/);
    for (const [url, status] of [
      ["/api/v1/me", 200],
      ["/api/v1/users/none", 404],
      ["/api/v1/nothing", 404],
    ] as const) {
      const answer = await ask(url, { ...page, ...bearer(it.key) });
      assert.equal(answer.statusCode, status);
      const { vary, "access-control-allow-origin": origin, ...rest } = corsOf(answer.headers);
      assert.deepEqual([vary, origin], ["Origin", page.origin], url);
      assert.deepEqual(Object.keys(rest), ["access-control-expose-headers"]);
    }
    for (const origin of [
      ...["https://admin.example.org", "https://ADMIN.example", "http://admin.example", "null", ""],
    ]) {
      const answer = await ask("/api/v1/me", { origin, ...bearer(it.key) });
      assert.deepEqual(corsOf(answer.headers), { vary: "Origin" }, origin);
    }
    for (const url of ["/login", "/account", "/api/docs", "/setup"]) {
      assert.equal((await ask(url, page)).headers["access-control-allow-origin"], undefined, url);
    }
  });

  test("H-34: a cookie sent by a page of a listed origin is ignored", async () => {
    const it = await testApp({ settings: { api_origins: [page.origin] } });
    const browser = await browserOf(it, await aPerson(it));
    const cookie = cookieOf(browser);
    const ask = (headers: object) => it.app.inject({ url: "/api/v1/me", headers: { cookie, ...headers } });
    assert.equal((await ask({})).statusCode, 200);
    const answer = await ask(page);
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers["access-control-allow-credentials"], undefined);
  });
});

test("H-33: the memory used to count requests of credentials is bounded", async () => {
  const { rateLimits } = await import("../../../src/http/rate_limits.ts");
  const limits = rateLimits(1);
  const at = new Date("2030-01-01T00:00:00Z");
  const take = (credential: string) => limits?.take({} as never, credential, 1, at);
  take("first");
  assert.throws(() => take("first"), { code: "quota_exceeded" });
  for (let count = 0; count < 50_000; count += 1) take(`key ${count}`);
  take("first");
});
