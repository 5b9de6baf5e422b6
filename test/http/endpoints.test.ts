import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import {
  aPerson,
  browserOf,
  cookieOf,
  hiddenField,
  type TestApp,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import {
  authorizeParameters,
  codeParameters,
  credentialsOf,
  formOf,
  type Parameters,
} from "../support/flows.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

describe("the OAuth endpoints for clients", () => {
  let it: TestApp;
  let user: User;
  let client: OAuthApp;
  let machine: OAuthApp;
  let authorization: string;
  let machineAuthorization: string;
  before(async () => {
    it = await testApp({ throttle: false });
    user = await aPerson(it);
    client = await anApp(it.store, {
      first_party: true,
      post_logout_redirect_uris: ["https://app.example/bye"],
    });
    machine = await anApp(it.store, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read"],
    });
    authorization = String(await credentialsOf(it, client));
    machineAuthorization = String(await credentialsOf(it, machine));
  });

  const post = (url: string, parameters: Parameters | string, headers: Record<string, string> = {}) =>
    it.app.inject({
      method: "POST",
      url,
      headers: { ...form, ...headers },
      payload: typeof parameters === "string" ? parameters : formOf(parameters),
    });
  const credentials = { grant_type: "client_credentials", scope: "orders:read" };

  async function signedInTokens(overrides: Parameters = {}) {
    const browser = await browserOf(it, user);
    const requested = await browser.get(`/oauth/authorize?${formOf(authorizeParameters(client, overrides))}`);
    const code = new URL(String(requested.headers.location)).searchParams.get("code") ?? "";
    const answer = await post("/oauth/token", codeParameters(client, code), { authorization });
    assert.equal(answer.statusCode, 200, answer.body);
    return { browser, tokens: answer.json() as Record<string, string> };
  }

  test("T-4: the token endpoint reads parameters from the form only, not from the query", async () => {
    const headers = { authorization: machineAuthorization };
    const query = await post(`/oauth/token?${formOf(credentials)}`, {}, headers);
    assert.equal(query.json().error, "invalid_request");
  });

  test("C-8: a client_id or client_secret in the query is ignored", async () => {
    const address = `/oauth/token?${formOf({ client_id: machine.client_id, client_secret: `secret of ${machine.client_id}` })}`;
    const answer = await post(address, credentials);
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().error, "invalid_client");
  });

  test("S-9: a client that introspects a foreign token learns only that it is inactive", async () => {
    const headers = { authorization: machineAuthorization };
    const { access_token } = (await post("/oauth/token", credentials, headers)).json();
    const introspect = (payload: string | Buffer, overrides: Record<string, string> = headers) =>
      it.app.inject({
        method: "POST",
        url: "/oauth/introspect",
        headers: { ...form, ...overrides },
        payload,
      });
    const unusable = [
      "token=%00",
      `token=${access_token}%00`,
      ...["token=pak_%00", "token=%ED%A0%80", "token=%C3%28", "token=%"],
      ...["token=%zz&token_type_hint=access_token"],
      `token=${encodeURIComponent("\u202e\uffff🙂 \r\n\\'\"")}`,
      Buffer.from([...Buffer.from("token="), 0xed, 0xa0, 0x80]),
      Buffer.from([...Buffer.from("token_type_hint=x&token="), 0xff, 0x00, 0xfe]),
      Buffer.from("token=\0"),
    ];
    for (const payload of unusable) {
      const answer = await introspect(payload);
      assert.equal(answer.statusCode, 200, String(payload));
      assert.equal(answer.body, '{"active":false}');
      assert.equal((await introspect(payload, {})).statusCode, 401, "a client proves itself first");
      const revoked = await it.app.inject({
        method: "POST",
        url: "/oauth/revoke",
        headers: { ...form, ...headers },
        payload,
      });
      assert.equal(revoked.statusCode, 200);
    }
    const active = async () =>
      (await post("/oauth/introspect", { token: access_token }, headers)).json().active;
    assert.equal(await active(), true);
    await post("/oauth/revoke", { token: access_token }, headers);
    assert.equal(await active(), false);
    for (const payload of [
      ...["", "token=x&token=%00", "token=x&other=%00", "to%00ken=x", "other=%zz&token=x"],
      Buffer.from([...Buffer.from("token=x&other="), 0xff]),
    ]) {
      const answer = await introspect(payload);
      assert.deepEqual([answer.statusCode, answer.json().error], [400, "invalid_request"], String(payload));
    }
  });

  test("V-1, V-7, design 6.6: revocation answers 200 with {} for any token", async () => {
    const huge = "x".repeat(1_000_000);
    for (const [payload, headers] of [
      ["token=unknown", { authorization: machineAuthorization }],
      ["", { authorization: machineAuthorization }],
      ["token=x", {}],
      ["token=x", { authorization: "Basic !!!" }],
      ["token=x", { authorization: "nonsense" }],
      ["token=%", { authorization: machineAuthorization }],
      ["token=a&token=b", { authorization: machineAuthorization }],
      ["{", { authorization: machineAuthorization, "content-type": "application/json" }],
      ["x", { "content-type": "multipart/form-data" }],
      ["x", { "content-type": "; ; nonsense" }],
      [huge, { authorization: machineAuthorization }],
      [Buffer.from([0xff, 0x00, 0xfe]).toString("latin1"), {}],
    ] as const) {
      const answer = await post("/oauth/revoke", payload, headers);
      assert.equal(answer.statusCode, 200, payload.slice(0, 20));
      assert.equal(answer.body, "{}");
      assert.match(String(answer.headers["content-type"]), /^application\/json/);
    }
    const bare = await it.app.inject({ method: "POST", url: "/oauth/revoke" });
    assert.equal(bare.statusCode, 200);
  });

  test("P-7: a sign-out without a session shows where a logout link leads, and does not redirect (security finding 19)", async () => {
    const post_logout_redirect_uri = "https://app.example/bye";
    const parameters = { client_id: client.client_id, post_logout_redirect_uri, state: "s" };
    const url = `/oauth/logout?${formOf(parameters)}`;
    const page = await testBrowser(it.app).get(url);
    assert.equal(page.statusCode, 200);
    assert.equal(page.headers.location, undefined);
    assert.ok(page.body.includes(`href="${post_logout_redirect_uri}?state=s"`), page.body);
    assert.ok(page.body.includes("<code>app.example</code>"), page.body);
    const posted = await testBrowser(it.app).post("/oauth/logout", parameters);
    assert.equal(posted.headers.location, url);
  });

  test("O-2: userinfo accepts GET and POST, and its challenge follows RFC 6750", async () => {
    const { tokens } = await signedInTokens();
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    const got = await it.app.inject({ url: "/oauth/userinfo", headers: bearer });
    assert.equal(got.json().sub, user.id);
    assert.equal((await post("/oauth/userinfo", { access_token: tokens.access_token })).json().sub, user.id);
    const bare = await it.app.inject({ method: "POST", url: "/oauth/userinfo", headers: bearer });
    assert.equal(bare.json().sub, user.id);
    const head = await it.app.inject({ method: "HEAD", url: "/oauth/userinfo", headers: bearer });
    assert.deepEqual([head.statusCode, head.body], [200, ""]);
    assert.equal(head.headers["content-length"], got.headers["content-length"]);
    assert.equal((await it.app.inject({ method: "HEAD", url: "/oauth/userinfo" })).statusCode, 401);
    const none = await it.app.inject(`/oauth/userinfo?access_token=${tokens.access_token}`);
    assert.equal(none.statusCode, 401);
    assert.equal(none.headers["www-authenticate"], 'Bearer realm="https://id.example"');
    const wrong = await it.app.inject({ url: "/oauth/userinfo", headers: { authorization: "Bearer x" } });
    assert.equal(wrong.statusCode, 401);
    assert.match(String(wrong.headers["www-authenticate"]), /error="invalid_token"/);
    const machineToken = (
      await post("/oauth/token", credentials, { authorization: machineAuthorization })
    ).json();
    const narrow = await it.app.inject({
      url: "/oauth/userinfo",
      headers: { authorization: `Bearer ${machineToken.access_token}` },
    });
    assert.equal(narrow.statusCode, 403);
    assert.match(String(narrow.headers["www-authenticate"]), /error="insufficient_scope"/);
  });

  test("O-3: a sign-out with an id_token_hint of this session needs no confirmation and redirects to a registered URI", async () => {
    const { browser, tokens } = await signedInTokens();
    const query = {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: "https://app.example/bye",
      state: "s",
    };
    const other = await signedInTokens();
    const elsewhere = {
      id_token_hint: other.tokens.id_token,
      post_logout_redirect_uri: "https://evil.example/",
    };
    const evil = await other.browser.get(`/oauth/logout?${formOf(elsewhere)}`);
    assert.equal(evil.statusCode, 400);
    assert.equal(evil.headers.location, undefined);
    assert.match(evil.body, /<h1>You are signed out<\/h1>/);
    assert.match(evil.body, /the return address is not registered for it/);
    assert.match(evil.body, /href="\/console\/refusals\//);
    assert.match(String(evil.headers["set-cookie"]), /session=;/);
    assert.equal((await other.browser.get("/")).headers.location, "/login");
    const bounced = await testBrowser(it.app).post("/oauth/logout", query);
    assert.equal(bounced.statusCode, 302);
    const answer = await browser.get(String(bounced.headers.location));
    assert.equal(answer.headers.location, "https://app.example/bye?state=s");
    assert.equal((await browser.get("/")).headers.location, "/login");
  });

  test("O-3: sign-out without id_token_hint asks the user, and a forged confirmation is ignored", async () => {
    const { browser } = await signedInTokens();
    const requested = await browser.get(`/oauth/logout?${formOf({ client_id: client.client_id })}`);
    assert.match(requested.body, /wants to sign you out\./);
    const forged = await browser.post("/oauth/logout", { confirmed: "yes", csrf_token: "forged" });
    assert.match(forged.body, /Sign out\?/);
    assert.equal((await browser.get("/")).headers.location, "/account");
    const answer = await browser.post("/oauth/logout", {
      client_id: hiddenField(requested, "client_id"),
      confirmed: hiddenField(requested, "confirmed"),
      csrf_token: hiddenField(requested, "csrf_token"),
    });
    assert.match(answer.body, /You are signed out/);
    assert.equal((await browser.get("/")).headers.location, "/login");
  });

  test("BL-6: the sign-out page names the apps that keep access, and a second button ends their access too", async () => {
    const refreshed = async (tokens: Record<string, string>) => {
      const again = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
      return (await post("/oauth/token", again, { authorization })).statusCode;
    };
    const usual = await signedInTokens({ scope: "openid" });
    const nothing = /keep access to your account|name="everything"/;
    assert.doesNotMatch((await usual.browser.get("/logout")).body, nothing);
    for (const path of ["/logout", "/oauth/logout"]) {
      const { browser, tokens } = await signedInTokens({ scope: "openid offline_access" });
      const forged = { confirmed: "yes", everything: "yes", csrf_token: "forged" };
      await browser.post(path, forged);
      await browser.get(`/oauth/logout?${formOf({ everything: "yes", confirmed: "yes" })}`);
      assert.equal((await browser.get("/")).headers.location, "/account", "a foreign form ends nothing");
      const page = await browser.get(path);
      assert.match(page.body, new RegExp(`keep access to your account:</p>\n<ul><li><bdi>${client.name}<`));
      assert.match(page.body, /<button[^>]* name="everything" value="yes">/);
      const csrf_token = hiddenField(page, "csrf_token");
      await browser.post(path, { confirmed: "yes", csrf_token });
      assert.equal((await browser.get("/")).headers.location, "/login");
      assert.equal(await refreshed(tokens), 200, "a plain sign-out leaves offline access");
      const second = await signedInTokens({ scope: "openid offline_access" });
      const asked = await second.browser.get(path);
      const everything = { confirmed: "yes", everything: "yes" };
      await second.browser.post(path, { ...everything, csrf_token: hiddenField(asked, "csrf_token") });
      for (const each of [usual, second]) {
        assert.equal((await each.browser.get("/")).headers.location, "/login", "every session ends");
        assert.equal(await refreshed(each.tokens), 400);
      }
      const [event] = await it.store.list("audit_events", { type: "user.access_revoked" });
      assert.equal(event?.actor_id, user.id);
      it.clock?.advance(1);
    }
  });

  test("O-3: a sign-out without a session ends the session of its hint, or says that none was ended", async () => {
    const { browser, tokens } = await signedInTokens();
    const url = `/oauth/logout?id_token_hint=${tokens.id_token}`;
    assert.match((await it.app.inject(url)).body, /<h1>You are signed out<\/h1>/);
    assert.equal((await browser.get("/")).headers.location, "/login");
    for (const again of [url, "/oauth/logout", `/oauth/logout?client_id=${client.client_id}`]) {
      const { statusCode, body } = await it.app.inject(again);
      assert.equal(statusCode, 200);
      assert.match(body, /<h1>You are not signed in here<\/h1>[\s\S]*No session was ended\./, again);
    }
  });

  test("H-19: HEAD returns the sign-out page, and ends no session", async () => {
    const looked = await it.app.inject({ method: "HEAD", url: "/logout" });
    assert.deepEqual([looked.statusCode, looked.body], [200, ""]);
    const { tokens, browser } = await signedInTokens();
    const url = `/oauth/logout?id_token_hint=${tokens.id_token}`;
    const cookie = cookieOf(browser);
    const ending = await it.app.inject({ method: "HEAD", url, headers: { cookie } });
    assert.deepEqual([ending.statusCode, ending.headers.allow], [405, "GET, POST"]);
    assert.equal((await browser.get("/")).headers.location, "/account");
  });

  test("D-6: metadata and keys can be read from any origin, are cached for a while, and support HEAD", async () => {
    for (const url of [
      "/.well-known/openid-configuration",
      "/.well-known/oauth-authorization-server",
      "/.well-known/jwks.json",
    ]) {
      const answer = await it.app.inject({ url, headers: { origin: "https://app.example" } });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers["access-control-allow-origin"], "*");
      assert.equal(answer.headers["access-control-allow-credentials"], undefined);
      assert.equal(answer.headers["cache-control"], "public, max-age=300");
      assert.equal(answer.headers.pragma, undefined);
      const head = await it.app.inject({ method: "HEAD", url });
      assert.equal(head.statusCode, 200);
      assert.equal(head.body, "");
      const etag = String(answer.headers.etag);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const same = await it.app.inject({ url, headers: { "if-none-match": known } });
        assert.equal(same.statusCode, 304);
        assert.equal(same.body, "");
      }
      assert.equal((await it.app.inject({ url, headers: { "if-none-match": '"other"' } })).statusCode, 200);
      for (const method of ["POST", "PUT", "DELETE"] as const) {
        const refused = await it.app.inject({ method, url });
        assert.equal(refused.statusCode, 405);
        assert.equal(refused.headers.allow, "GET, HEAD, OPTIONS");
      }
    }
  });

  test("D-1, D-7: both metadata documents are the same, whatever headers the request has", async () => {
    const [plain, forged] = [
      await it.app.inject("/.well-known/openid-configuration"),
      await it.app.inject({
        url: "/.well-known/oauth-authorization-server",
        headers: { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
      }),
    ];
    assert.equal(plain.body, forged.body);
    assert.equal(plain.json().issuer, issuer);
  });

  test("H-1: an internal error is logged in full, and the response has only a fixed sentence", async () => {
    const broken = { ...it.server, keys: async () => Promise.reject(new Error("the vault is sealed")) };
    const { app, logged } = await testApp({ server: broken });
    const answer = await app.inject("/.well-known/jwks.json");
    assert.equal(answer.statusCode, 500);
    assert.deepEqual(answer.json(), {
      error: "server_error",
      error_description: "the server met an unexpected condition",
    });
    assert.ok(logged.some((line) => line.includes("the vault is sealed")));
  });

  test("H-1: a 404 has the format of its part of the server, and reveals no internals", async () => {
    for (const url of ["/oauth/nothing", "/.well-known/nothing", "/nothing"]) {
      const answer = await it.app.inject(url);
      assert.equal(answer.statusCode, 404);
      assert.deepEqual(Object.keys(answer.json()), ["error", "error_description"]);
    }
    const problem = await it.app.inject("/api/v1/nothing");
    assert.equal(problem.headers["content-type"], "application/problem+json");
    assert.equal(problem.json().status, 404);
    const page = await it.app.inject({ url: "/nothing", headers: { accept: "text/html,*/*" } });
    assert.match(page.body, /Page not found/);
    const trailing = await it.app.inject("/oauth/token/");
    assert.equal(trailing.statusCode, 404);
  });

  test("design 6.23: /healthz reports that the process runs, and /readyz whether it can work", async () => {
    assert.deepEqual((await it.app.inject("/healthz")).json(), { status: "ok" });
    assert.deepEqual((await it.app.inject("/readyz")).json(), { status: "ready", components: {} });
    const { app } = await testApp({ ready: () => Promise.reject(new Error("no database at 10.0.0.1")) });
    const answer = await app.inject("/readyz");
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers["content-type"], "application/problem+json");
    assert.doesNotMatch(answer.body, /10\.0\.0\.1/);
    assert.equal((await app.inject("/healthz")).statusCode, 200);
  });

  test("F-7: the readiness check names the failing component, without a long wait (reliability finding 5)", async () => {
    let components: Record<string, string> = { database: "read_only", notices: "ok" };
    const ready = async () => ({ ready: false, components });
    const { app } = await testApp({ ready });
    const answer = await app.inject("/readyz");
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.json().code, "not_ready");
    assert.deepEqual(answer.json().components, components);
    assert.match(answer.json().detail, /database read_only/);
    assert.doesNotMatch(answer.json().detail, /notices/);
    components = { database: "full" };
    assert.deepEqual((await app.inject("/readyz")).json().components, components);

    let requested = 0;
    const hanging = await testApp({
      ready: () => {
        requested += 1;
        return new Promise(() => {});
      },
    });
    const from = performance.now();
    const late = await Promise.all([hanging.app.inject("/readyz"), hanging.app.inject("/readyz")]);
    assert.ok(performance.now() - from < 4000);
    for (const each of late) {
      assert.deepEqual([each.statusCode, each.json().components], [503, { database: "slow" }]);
    }
    assert.equal(requested, 1);
  });

  test("the style sheet and the icon are cached, and revalidated", async () => {
    for (const [url, type] of [
      ["/assets/style.css", "text/css; charset=utf-8"],
      ["/assets/icon.svg", "image/svg+xml"],
      ["/favicon.ico", "image/svg+xml"],
    ] as const) {
      const answer = await it.app.inject(url);
      assert.equal(answer.headers["content-type"], type);
      assert.match(String(answer.headers["cache-control"]), /^public, max-age=\d+$/);
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      const known = { "if-none-match": String(answer.headers.etag) };
      assert.equal((await it.app.inject({ url, headers: known })).statusCode, 304);
    }
  });

  test("metrics and log name the route pattern, and count token endpoint errors by their code", async () => {
    const counted: unknown[] = [];
    const { app } = await testApp({
      metrics: {
        count: (name, labels) => counted.push([name, labels]),
        observe: (_name, labels) => counted.push(labels),
      },
    });
    await app.inject({ method: "POST", url: "/oauth/token?x=y", headers: form, payload: "" });
    await app.inject("/somewhere/else");
    assert.deepEqual(counted, [
      ["postern_token_errors_total", { error: "invalid_client" }],
      { route: "/oauth/token", method: "POST", status: "401" },
      { route: "unknown", method: "GET", status: "404" },
    ]);
  });
});
