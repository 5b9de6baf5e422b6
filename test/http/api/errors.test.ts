import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { OverloadedError, statusOfProblem, UnavailableError } from "../../../src/errors.ts";
import { problemKinds } from "../../../src/http/problems.ts";
import { startSession } from "../../../src/people/core/sessions.ts";
import { issuer } from "../../support/authorization_server.ts";
import {
  aConsent,
  aFeedEvent,
  anApp,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aServiceAccount,
  aUser,
} from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { aMembership } from "../../support/management_fixture.ts";
import { until } from "../../support/until.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [sqlite] = databasesInForm;

describe("errors of the management API", () => {
  let it: ApiServer;
  before(async () => {
    assert.ok(sqlite);
    it = await apiServer(sqlite);
  });

  const seen = new Set<string>();
  after(() => {
    const codes = Object.keys(problemKinds);
    assert.deepEqual([...seen].sort(), codes.sort(), "every code is met once");
  });

  type Headers = Readonly<Record<string, string>>;
  type Method = "GET" | "PATCH" | "DELETE" | "POST" | "PUT" | "HEAD";
  interface Given {
    readonly headers?: Headers;
    readonly body?: unknown;
    /** The text to send in place of `body`. */
    readonly text?: string | Buffer;
    readonly key?: string;
  }
  function call(method: Method, url: string, { headers, body, text, key = it.key }: Given = {}) {
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    return it.app.inject({
      method,
      url: `/api/v1${url}`,
      headers: {
        ...bearer(key),
        ...(payload !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
  }

  /** Asserts that the response is a complete problem document with this code, and returns its errors. */
  function expect(answer: LightMyRequestResponse, code: keyof typeof problemKinds): { path: string }[] {
    const problem = answer.json();
    assert.equal(problem.code, code, answer.body);
    seen.add(code);
    const { title } = problemKinds[code];
    const status = statusOfProblem[code];
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers["content-type"], "application/problem+json");
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.deepEqual(
      { type: problem.type, title: problem.title, status: problem.status },
      { type: `/api/docs#${code}`, title, status },
    );
    assert.ok(problem.detail.length > 0 && problem.request_id.length > 0);
    return problem.errors ?? [];
  }
  const pathsOf = (errors: { path: string }[]) => errors.map(({ path }) => path).sort();

  test("each error has a code and parameters for programs, and a sentence for people", async () => {
    const body = { email: "ada", name: "x".repeat(256), plan: "gold" };
    const errors = expect(await call("POST", "/users", { body }), "invalid_record");
    assert.deepEqual(
      errors.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
      [
        { path: "/email", message: "must be an email address", code: "not_email", params: {} },
        {
          path: "/name",
          message: "must be at most 255 characters",
          code: "too_long",
          params: { characters: 255 },
        },
        { path: "/plan", message: "is not a field of this record", code: "unknown_field", params: {} },
      ],
    );
  });

  test("a feed position whose events were deleted, and a cursor for another event, are answered with 410", async () => {
    for (let made = 0; made < 2; made++) await aFeedEvent(it.store);
    await it.store.numberEvents();
    await it.store.remove("events", { position: 1 });
    expect(await call("GET", "/events?after=0"), "events_gone");
    expect(await call("GET", "/events?after=2.00000000"), "feed_restored");
  });

  test("the path of an unknown field or parameter is a valid JSON pointer, whatever its name", async () => {
    const body = { email: "ada@example.com", name: "Ada", "is/platform~admin": true };
    assert.deepEqual(pathsOf(expect(await call("POST", "/users", { body }), "invalid_record")), [
      "/is~1platform~0admin",
    ]);
    const read = await call("GET", "/audit-events/01b8dac5-b400-71b4-87c7-48f448ce5396?a%2Fb=1");
    assert.deepEqual(pathsOf(expect(read, "invalid_filter")), ["/a~1b"]);
  });

  test("a missing body, a body that is not JSON, and a malformed request get their error codes", async () => {
    expect(await call("POST", "/users", { text: "{" }), "invalid_json");
    expect(await call("POST", "/users", { text: Buffer.from([0xff]) }), "invalid_json");
    expect(await call("POST", "/users"), "invalid_json");
    expect(await call("PATCH", `/users/${it.administrator.id}`), "invalid_json");
    const twice = await call("POST", "/users", { text: '{"name":"a","name":"b"}' });
    assert.deepEqual(pathsOf(expect(twice, "invalid_json")), ["/name"]);
    expect(await call("GET", "/users?email=%ff"), "invalid_request");
    expect(await call("GET", "/users/%"), "invalid_request");
    expect(await call("GET", `/users/${"a".repeat(256)}`), "address_too_long");
    for (const key of ["", "a b", "é", "x".repeat(256)]) {
      const headers = { "idempotency-key": key };
      expect(await call("POST", "/users", { headers, body: {} }), "invalid_request");
    }
  });

  test("H-1: a body that is too large or of another content type gets its error code", async () => {
    expect(await call("POST", "/users", { text: `{"name":"${"a".repeat(70_000)}"}` }), "too_large");
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
    ]) {
      const headers = { "content-type": type };
      expect(await call("POST", "/users", { text: "{}", headers }), "unsupported_media_type");
    }
    const merge = { "content-type": "application/merge-patch+json" };
    expect(await call("POST", "/users", { text: "{}", headers: merge }), "unsupported_media_type");
    const patch = { text: "{}", headers: { "content-type": "application/json-patch+json" } };
    expect(await call("PATCH", `/users/${it.administrator.id}`, patch), "unsupported_media_type");
    for (const type of [
      "application/json",
      "Application/JSON; charset=UTF-8",
      "application/merge-patch+json",
    ]) {
      const accepted = { text: "{}", headers: { "content-type": type } };
      const answer = await call("PATCH", `/users/${it.administrator.id}`, accepted);
      assert.equal(answer.statusCode, 200, type);
    }
  });

  test("all errors of a record's fields are reported together, including unknown fields, and nothing is written", async () => {
    const body = {
      email: "x",
      name: "",
      plan: "pro",
      password_hash: "$argon2id$",
      active: "yes",
      created_at: "2026-01-01T00:00:00Z",
    };
    const errors = expect(await call("POST", "/users", { body }), "invalid_record");
    assert.deepEqual(pathsOf(errors), [
      ...["/active", "/created_at", "/email", "/name", "/password_hash", "/plan"],
    ]);
    const { id } = await anApp(it.store);
    const uris = { redirect_uris: ["https://ok.example/cb", "http://evil.example/*", "x"] };
    const wrong = expect(await call("PATCH", `/apps/${id}`, { body: uris }), "invalid_record");
    assert.deepEqual(pathsOf(wrong), ["/redirect_uris/1", "/redirect_uris/2"]);
    const extra = expect(await call("POST", `/apps/${id}/revoke`, { body: { why: 1 } }), "invalid_record");
    assert.deepEqual(pathsOf(extra), ["/why"]);
    const successor = expect(await call("DELETE", `/apps/${id}?successor=x`), "invalid_record");
    assert.deepEqual(pathsOf(successor), ["/successor"]);
  });

  test("an invalid filter or page is refused, and the error names the parameter", async () => {
    const query = "active=perhaps&nothing=1&created_from=yesterday&__proto__=1";
    const errors = expect(await call("GET", `/users?${query}`), "invalid_filter");
    assert.deepEqual(pathsOf(errors), ["/__proto__", "/active", "/created_from", "/nothing"]);
    const twice = expect(await call("GET", "/users?active=true&active=false"), "invalid_filter");
    assert.deepEqual(pathsOf(twice), ["/active"]);
    expect(await call("GET", "/audit-events/export?limit=5"), "invalid_filter");
    for (const page of ["limit=0", "limit=201", "limit=x", "limit=1e1", "cursor=x"]) {
      expect(await call("GET", `/users?${page}`), "invalid_page");
    }
  });

  test("a forbidden request gets 403, and a foreign record the same answer as a missing one", async () => {
    const app = await anApp(it.store);
    const body = {
      owner_id: app.owner_id,
      name: "Mine",
      organization_id: (await anOrganization(it.store)).id,
    };
    const stranger = await anApiKeyText(it, {
      user_id: (await aUser(it.store)).id,
      scopes: ["postern:manage"],
    });
    const { key } = stranger;
    expect(await call("POST", "/organizations", { key, body: { name: "A", slug: "a" } }), "forbidden");
    const hidden = await call("GET", `/apps/${app.id}`, { key });
    const absent = await call("GET", `/apps/${it.store.newId(it.clock.now())}`, { key });
    expect(hidden, "not_found");
    expect(absent, "not_found");
    const plain = (answer: LightMyRequestResponse) => ({ ...answer.json(), detail: "", request_id: "" });
    assert.deepEqual(plain(hidden), plain(absent));
    for (const id of ["x", "..", "%00", "a".repeat(200), "%2e%2e%2f"]) {
      expect(await call("GET", `/apps/${id}`), "not_found");
    }
    const misplaced = await call("GET", `/api-keys/${it.key}`);
    expect(misplaced, "not_found");
    assert.ok(!misplaced.body.includes(it.key));
    expect(await call("POST", "/apps", { key, body }), "not_found");
    expect(await call("GET", "/nothing"), "not_found");
    expect(await call("GET", "/apps", { key: "pak_x" }), "unauthorized");
    const wrong = await call("PUT", `/apps/${app.id}`, { body: {} });
    expect(wrong, "method_not_allowed");
    assert.equal(wrong.headers.allow, "GET, HEAD, PATCH, DELETE, OPTIONS");
  });

  test("a credential that has used up its quota gets 429 with Retry-After", async () => {
    assert.ok(sqlite);
    const limited = await apiServer(sqlite, {}, { api_rate_limit: 1 });
    const ask = () => limited.app.inject({ url: "/api/v1/me", headers: bearer(limited.key) });
    assert.equal((await ask()).statusCode, 200);
    const refused = await ask();
    expect(refused, "quota_exceeded");
    assert.equal(refused.headers["retry-after"], "60");
  });

  test("a manifest that cannot be applied gets the code invalid_manifest", async () => {
    const body = { manifest: { users: [{ email: "x" }] } };
    const refused = await call("POST", "/apply", { body });
    const paths = expect(refused, "invalid_manifest").map(({ path }) => path);
    assert.ok(paths.includes("users[0].email"), String(paths));
  });

  test("SU-7: a sensitive operation with a sign-in that is too old gets a code for a fresh sign-in", async () => {
    assert.ok(sqlite);
    const strict = await apiServer(sqlite, {}, { api_step_up_age: 300 });
    const { store, memory, passwords, sealer, now, report } = strict.server;
    const user = strict.administrator;
    const { cookie } = await startSession(
      { user, methods: [], origin: { client_ip: null, user_agent: null, request_id: "r" } },
      { store, memory, passwords, sealer, now, report, throttle: true },
    );
    const headers = { cookie: `__Host-postern_session=${cookie}`, origin: issuer };
    const url = `/api/v1/users/${user.id}`;
    const old = await strict.app.inject({ method: "DELETE", url, headers });
    expect(old, "insufficient_user_authentication");
  });

  test("a record that conflicts with another gets the code of a conflict", async () => {
    const organization = await anOrganization(it.store);
    const body = { name: "Again", slug: organization.slug };
    const taken = expect(await call("POST", "/organizations", { body }), "conflict");
    assert.deepEqual(pathsOf(taken), ["/slug"]);

    const owner = await aUser(it.store);
    const of = { user_id: owner.id, organization_id: organization.id, role: "owner" };
    const membership = await aMembership(it.store, of);
    expect(await call("DELETE", `/memberships/${membership.id}`), "last_owner");
    const { key } = await anApiKeyText(it, { user_id: owner.id, scopes: ["postern:manage"] });
    const guest = { email: "guest@example.com", organization_id: organization.id, role: "member" };
    expect(await call("POST", "/memberships", { key, body: guest }), "mail_off");

    const root = `/users/${it.administrator.id}`;
    expect(await call("PATCH", root, { body: { is_platform_admin: false } }), "last_administrator");

    const provider = await aProvider(it.store);
    await anOAuthAccount(it.store, { provider: provider.slug, provider_id: provider.id });
    expect(await call("DELETE", `/providers/${provider.id}`), "links_exist");
    const repointed = await call("PATCH", `/providers/${provider.id}`, { body: { slug: "other" } });
    assert.deepEqual(pathsOf(expect(repointed, "links_exist")), ["/slug"]);
    assert.equal((await call("DELETE", `/providers/${provider.id}?links=delete`)).statusCode, 204);

    const maker = await aUser(it.store);
    await aServiceAccount(it.store, { created_by: maker.id, organization_id: organization.id });
    expect(await call("DELETE", `/users/${maker.id}`), "successor_required");
    const passed = await call("DELETE", `/users/${maker.id}?successor=${encodeURIComponent(owner.email)}`);
    assert.equal(passed.statusCode, 204);
  });

  test("a revoked record, a changed record and a reused idempotency key each get their error code", async () => {
    const { key, row } = await anApiKeyText(it, { user_id: it.administrator.id, scopes: [] });
    assert.equal((await call("POST", `/api-keys/${row.id}/revoke`)).statusCode, 200);
    expect(await call("GET", "/me", { key }), "unauthorized");
    const revival = await call("PATCH", `/api-keys/${row.id}`, { body: { revoked: false } });
    assert.deepEqual(pathsOf(expect(revival, "invalid_record")), ["/revoked"]);
    const consent = await aConsent(it.store, { revoked: true, granted: false, scopes: ["openid"] });
    expect(await call("PATCH", `/consents/${consent.id}`, { body: { scopes: [] } }), "revoked");
    const headers = { "if-match": '"x"' };
    expect(await call("PATCH", `/api-keys/${row.id}`, { headers, body: { name: "x" } }), "stale");
    const once = { "idempotency-key": "k" };
    await call("POST", "/users", { headers: once, body: { email: "k@example.com", name: "K" } });
    const other = { headers: once, body: { email: "l@example.com", name: "L" } };
    expect(await call("POST", "/users", other), "idempotency_mismatch");
  });

  test("B-5: a further secret for an app with too many is refused without being quoted (security finding 9)", async () => {
    const input = (count: number) => Array.from({ length: count }, (_, n) => `the marked secret number ${n}`);
    const refused = await call("POST", "/apps", { body: { name: "A", secrets: input(11) } });
    assert.deepEqual(pathsOf(expect(refused, "too_many_secrets")), ["/secrets"]);
    const made = await call("POST", "/apps", { body: { name: "A", secrets: input(10) } });
    assert.equal(made.statusCode, 201);
    const { id: app_id } = made.json() as { id: string };
    const another = await call("POST", "/app-secrets", { body: { app_id } });
    assert.deepEqual(pathsOf(expect(another, "too_many_secrets")), ["/app_id"]);
    const short = await call("POST", "/apps", { body: { name: "A", secrets: ["marked"] } });
    assert.deepEqual(pathsOf(expect(short, "invalid_record")), ["/secrets/0"]);
    assert.ok(![refused, made, another, short].some(({ body }) => body.includes("marked")));
  });

  test("a request still in progress, a busy server and an internal failure each get their error code", async (t) => {
    const { passwords } = it.server;
    const body = { email: "slow@example.com", name: "Slow", password: "correct horse battery staple" };
    const sent = { headers: { "idempotency-key": "slow" }, body };
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hash = passwords.hash;
    const slow = t.mock.method(passwords, "hash", async (text: string) => {
      await held;
      return hash(text);
    });
    const first = call("POST", "/users", sent);
    await until(() => slow.mock.callCount() > 0, "the first request hashes");
    const second = await call("POST", "/users", sent);
    expect(second, "idempotency_in_progress");
    assert.equal(second.headers["retry-after"], "1");
    release();
    assert.equal((await first).statusCode, 201);

    const another = { ...body, email: "busy@example.com" };
    slow.mock.mockImplementation(async () => {
      throw new OverloadedError(3);
    });
    const busy = await call("POST", "/users", { headers: { "idempotency-key": "busy" }, body: another });
    expect(busy, "temporarily_unavailable");
    assert.equal(busy.headers["retry-after"], "3");
    slow.mock.mockImplementation(async () => {
      throw new UnavailableError("away", "nobody answers at 10.0.0.1", undefined);
    });
    const away = await call("POST", "/users", { headers: { "idempotency-key": "busy" }, body: another });
    expect(away, "unavailable");
    assert.equal(away.headers["retry-after"], "2");
    assert.doesNotMatch(away.body, /10\.0/);
    slow.mock.mockImplementation(async () => {
      throw new Error("the disk at /var/lib is full");
    });
    const failed = await call("POST", "/users", { headers: { "idempotency-key": "busy" }, body: another });
    expect(failed, "server_error");
    assert.doesNotMatch(failed.body, /disk/);
    // Neither failure was stored, so the same key can be used for another attempt.
    slow.mock.restore();
    const again = await call("POST", "/users", { headers: { "idempotency-key": "busy" }, body: another });
    assert.equal(again.statusCode, 201);
  });

  test("L-10: wrong current passwords count together with failed sign-ins", async () => {
    const { passwords } = it.server;
    const user = await aUser(it.store, { password_hash: await passwords.hash("correct horse battery") });
    const { key } = await anApiKeyText(it, {
      user_id: user.id,
      scopes: ["postern:users:write", "postern:users:read"],
    });
    const change = (current_password: string) =>
      call("PATCH", `/users/${user.id}`, {
        key,
        body: { password: "another horse battery", current_password },
      });
    for (let guess = 0; guess < 10; guess++) expect(await change(`wrong ${guess}`), "invalid_record");
    const refused = await change("correct horse battery");
    expect(refused, "throttled");
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    const stored = await it.store.find("users", { id: user.id });
    assert.equal(stored?.password_hash, user.password_hash);
  });

  test("HEAD is answered like GET, without a body", async () => {
    for (const url of ["/users", `/users/${it.administrator.id}`, "/me", "/audit-events/export"]) {
      const [head, get] = await Promise.all([call("HEAD", url), call("GET", url)]);
      assert.equal(head.statusCode, 200, url);
      assert.equal(head.body, "");
      assert.equal(head.headers["content-type"], get.headers["content-type"]);
      assert.equal(head.headers.etag, get.headers.etag);
    }
  });
});
