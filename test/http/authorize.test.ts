import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { removeApps } from "../../src/admin/records/removals.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import {
  aPerson,
  browserOf,
  hiddenField,
  signInAs,
  type TestApp,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { aConsent, anApp } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";

describe("the authorization endpoint in a browser", () => {
  let it: TestApp;
  let user: User;
  let client: OAuthApp;
  before(async () => {
    it = await testApp({ throttle: false });
    user = await aPerson(it);
    client = await anApp(it.store);
  });

  const address = (input = {}, app = client) => `/oauth/authorize?${formOf(authorizeParameters(app, input))}`;

  test("A-1, design 6.1: without a session, a 302 leads to /login with only the request's URL, byte for byte", async () => {
    const odd = `${address()}&x=a+b%20c%25%2B%C3%BC&y=~*()!&=&&z=%e2%82%ac;/?`;
    const answer = await it.app.inject(odd);
    assert.equal(answer.statusCode, 302);
    const location = new URL(String(answer.headers.location), issuer);
    assert.equal(location.pathname, "/login");
    assert.deepEqual([...location.searchParams.keys()], ["redirect"]);
    assert.equal(location.searchParams.get("redirect"), issuer + odd);
  });

  test("A-2: the value of redirect is one percent-encoded component", async () => {
    const answer = await it.app.inject(address({ state: "a&b=c?d#e f" }));
    const [, value] = String(answer.headers.location).split("/login?redirect=");
    assert.match(String(value), /^[A-Za-z0-9%_.~!*'()-]+$/);
    assert.equal(answer.headers["set-cookie"], undefined);
  });

  test("A-3: a POST without a session becomes a GET with all parameters of its form and query", async () => {
    const browser = testBrowser(it.app);
    const { state, scope, ...rest } = authorizeParameters(client, { state: "ü &=+%" });
    const answer = await browser.post(`/oauth/authorize?${formOf({ state })}`, { scope, ...rest });
    assert.equal(answer.statusCode, 302);
    const redirect = new URL(String(answer.headers.location), issuer).searchParams.get("redirect");
    const query = new URL(String(redirect)).searchParams;
    assert.deepEqual(Object.fromEntries(query), { ...authorizeParameters(client, { state: "ü &=+%" }) });
  });

  test("A-3, design 6.1: a POST from another site comes without the cookie and becomes a GET, which has it", async () => {
    const browser = await browserOf(it, user);
    const parameters = authorizeParameters(client, { prompt: "none", scope: "openid" });
    const stranger = testBrowser(it.app);
    const bounced = await stranger.post("/oauth/authorize", parameters);
    assert.equal(bounced.statusCode, 302);
    const url = String(bounced.headers.location);
    assert.ok(url.startsWith("/oauth/authorize?"));
    const answer = await browser.get(url);
    assert.match(String(answer.headers.location), /error=consent_required/);
    const nobody = await stranger.get(url);
    assert.match(String(nobody.headers.location), /error=login_required/);
  });

  test("H-1: a user whose app is deleted during the request sees a page that says so, without a server error", async (t) => {
    const app = await anApp(it.store);
    await aConsent(it.store, { user_id: user.id, app_id: app.id, scopes: ["openid"] });
    const browser = await browserOf(it, user);
    const { insert } = it.store;
    t.mock.method(it.store, "insert", async (table: "oauth_auth_codes", row: never) => {
      await it.store.transaction((tx) => removeApps(tx, { id: app.id }));
      return insert(table, row);
    });
    const answer = await browser.get(address({ scope: "openid" }, app));
    assert.equal(answer.statusCode, 409);
    assert.match(answer.body, /A record that this one refers to was deleted\./);
  });

  test("A-3: a POST with a session is answered directly, without a redirect", async () => {
    const browser = await browserOf(it, user);
    const answer = await browser.post("/oauth/authorize", authorizeParameters(client));
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /Allow <bdi class="name">Orders<\/bdi>/);
  });

  test("A-11: a parameter that is in both the query and the form counts as repeated", async () => {
    const browser = await browserOf(it, user);
    const answer = await browser.post(address({ state: "one" }), { state: "two" });
    assert.match(String(answer.headers.location), /error=invalid_request/);
  });

  test("A-15, A-21: after sign-in and consent the app gets its code, and the state is unchanged", async () => {
    const browser = testBrowser(it.app);
    const state = `ü €&=?#%25+ ${"s".repeat(1500)}`;
    const requested = await browser.get(address({ state, scope: "openid orders:read" }));
    const redirect = String(new URL(String(requested.headers.location), issuer).searchParams.get("redirect"));
    const failed = await signInAs(browser, user, { redirect, password: "wrong" });
    assert.equal(failed.statusCode, 401);
    const entered = await signInAs(browser, user, { redirect });
    assert.equal(entered.statusCode, 302);
    assert.equal(entered.headers.location, redirect);
    const consent = await browser.get(redirect);
    assert.equal(consent.statusCode, 200);
    const fields = {
      request: hiddenField(consent, "request"),
      csrf_token: hiddenField(consent, "csrf_token"),
    };
    const forged = await browser.post("/consent", { ...fields, csrf_token: "forged", decision: "allow" });
    assert.equal(forged.statusCode, 403);
    const undecided = await browser.post("/consent", { ...fields, decision: "perhaps" });
    assert.equal(undecided.statusCode, 400);
    const nobody = await testBrowser(it.app).post("/consent", { ...fields, decision: "allow" });
    assert.equal(nobody.statusCode, 400);
    const answer = await browser.post("/consent", { ...fields, decision: "allow" });
    assert.equal(answer.statusCode, 302);
    const location = new URL(String(answer.headers.location));
    assert.equal(location.origin + location.pathname, "https://app.example/cb");
    assert.deepEqual([...location.searchParams.keys()].sort(), ["code", "iss", "state"]);
    assert.equal(location.searchParams.get("state"), state);
    const again = await browser.post("/consent", { ...fields, decision: "allow" });
    assert.equal(again.statusCode, 400);
    assert.equal(again.headers.location, undefined);
  });

  test("A-29: choosing the current account satisfies prompt=select_account, but never replaces a required password", async () => {
    const browser = await browserOf(it, user);
    const url = address({ prompt: "select_account" });
    const page = await browser.get(url);
    assert.match(page.body, /Choose an account/);
    const csrf_token = hiddenField(page, "csrf_token");
    const chosen = await browser.post("/login", {
      redirect: hiddenField(page, "redirect"),
      csrf_token,
      account: "continue",
    });
    assert.equal(chosen.headers.location, issuer + url);
    assert.doesNotMatch((await browser.get(url)).body, /Choose an account/);

    const strict = address({ prompt: "login select_account" });
    const bypass = await browser.post("/login", { redirect: strict, csrf_token, account: "continue" });
    assert.equal(bypass.headers.location, strict);
    assert.ok(String((await browser.get(strict)).headers.location).startsWith("/login?"));
    const other = await browser.post("/login", { redirect: url, csrf_token, account: "another" });
    assert.match(other.body, /type="password"/);
  });

  test("A-22: no response to a form with a password is a 307 or 308, and no Location contains a password", async () => {
    const browser = testBrowser(it.app);
    const entered = await signInAs(browser, user, { redirect: address() });
    assert.equal(entered.statusCode, 302);
    assert.doesNotMatch(String(entered.headers.location), /password/);
  });

  test("A-5, A-6: an error without a safe redirect URI is shown as a page", async () => {
    for (const input of [
      { client_id: "nobody" },
      { client_id: undefined },
      { redirect_uri: "https://evil.example/cb" },
      { redirect_uri: undefined },
      { client_id: [client.client_id, client.client_id] },
    ]) {
      const answer = await it.app.inject(address(input));
      assert.equal(answer.statusCode, 400);
      assert.equal(answer.headers.location, undefined);
      assert.match(String(answer.headers["content-type"]), /^text\/html/);
    }
  });

  test("A-23: the pages cannot be framed, run no script, send no referrer and are not cached", async () => {
    const browser = testBrowser(it.app);
    const login = await browser.get("/login");
    await signInAs(browser, user);
    const pages = [
      login,
      await browser.get("/account"),
      await browser.get("/logout"),
      await browser.get(address({ prompt: "consent" })),
      await browser.get("/oauth/authorize"),
      await browser.get("/nothing"),
    ];
    for (const { headers } of pages) {
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /base-uri 'none'/);
      assert.match(policy, /script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(headers["x-frame-options"], "DENY");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["referrer-policy"], "no-referrer");
      assert.equal(headers["cache-control"], "no-store");
    }
  });

  test("A-23: only sign-in pages allow a window opener and forms that redirect to other sites; account pages do not", async () => {
    const browser = testBrowser(it.app);
    const stranger = testBrowser(it.app);
    await signInAs(browser, user);
    const onTheWay = encodeURIComponent(address());
    const steps = [
      await stranger.get(address()),
      await stranger.get(`/login?redirect=${onTheWay}`),
      await stranger.post("/login", { email: user.email, password: "x", csrf_token: "stale" }),
      await browser.get(address({ prompt: "consent" })),
      await browser.get(address({ prompt: "select_account" })),
      await browser.get(address({ client_id: "unknown" })),
      await browser.post("/consent", { csrf_token: "foreign" }),
      await browser.get(`/oauth/logout?${formOf({ client_id: client.client_id })}`),
      await browser.get("/logout"),
      await browser.get(`/account/security?redirect=${onTheWay}`),
    ];
    for (const { headers } of steps) {
      assert.equal(headers["cross-origin-opener-policy"], undefined);
      assert.doesNotMatch(String(headers["content-security-policy"]), /form-action/);
    }
    for (const page of ["/account", "/account/security", "/console", "/api/docs"]) {
      const { headers } = await browser.get(page);
      assert.equal(headers["cross-origin-opener-policy"], "same-origin", page);
      // Users without a role that gives access to the console are redirected, so the policy is not asserted
      // there.
      if (page !== "/console") assert.match(String(headers["content-security-policy"]), /form-action 'self'/);
    }
  });

  test("A-23: an account page is treated as a sign-in page only while a valid client's request is pending", async () => {
    const browser = await browserOf(it, user);
    const csrf_token = hiddenField(await browser.get("/account"), "csrf_token");
    const page = (redirect: string) =>
      browser.get(`/account/security?redirect=${encodeURIComponent(redirect)}`);
    // A form submitted now is answered with the reauthentication page, which repeats the form's fields.
    it.clock.advance(300);
    const sent = (redirect: string) => browser.post("/account/api-keys/new", { csrf_token, redirect });
    const isStep = ({ headers }: Awaited<ReturnType<typeof page>>) => {
      const opener = headers["cross-origin-opener-policy"];
      assert.ok(opener === undefined || opener === "same-origin");
      const isLimited = /form-action 'self'/.test(String(headers["content-security-policy"]));
      assert.equal(isLimited, opener !== undefined);
      return !isLimited;
    };
    for (const redirect of [address(), issuer + address()]) {
      assert.ok(isStep(await page(redirect)), redirect);
      assert.ok(isStep(await sent(redirect)), redirect);
    }
    for (const redirect of [
      ...["", "/", "/account", "/oauth/authorize", "x", "https://evil.example/oauth/authorize"],
      `/account?${formOf({ redirect: address() })}`,
      `//evil.example${address()}`,
      address({ client_id: "unknown" }),
      address({ redirect_uri: "https://evil.example/cb" }),
      address({ redirect_uri: undefined }),
      address().replace("/authorize", "/logout"),
    ]) {
      assert.ok(!isStep(await page(redirect)), redirect);
      assert.ok(!isStep(await sent(redirect)), redirect);
    }
  });

  test("A-21: pressing Allow twice continues the request, and pressing Deny afterwards changes nothing", async () => {
    const browser = await browserOf(it, user);
    const requested = await browser.get(address({ prompt: "consent" }));
    const fields = {
      request: hiddenField(requested, "request"),
      csrf_token: hiddenField(requested, "csrf_token"),
    };
    const answer = (decision: string) =>
      browser.post("/consent", { ...fields, decision }, { "sec-fetch-mode": "navigate" });
    assert.match(String((await answer("allow")).headers.location), /[?&]code=/);
    const twice = await answer("allow");
    assert.deepEqual(
      [twice.statusCode, twice.headers.location],
      [302, issuer + address({ prompt: "consent" })],
    );
    const denied = await answer("deny");
    assert.deepEqual([denied.statusCode, denied.headers.location], [400, undefined]);
  });

  test("A-27: a query of 12 kB, other methods and other bodies are refused with a 4xx status", async () => {
    const long = await it.app.inject(address({ state: "s".repeat(12_000) }));
    assert.equal(long.statusCode, 414);
    for (const method of ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"] as const) {
      const answer = await it.app.inject({ method, url: address() });
      assert.equal(answer.statusCode, 405);
      assert.equal(answer.headers.allow, "GET, POST");
    }
    for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain", "nonsense"]) {
      const answer = await it.app.inject({
        method: "POST",
        url: "/oauth/authorize",
        headers: { "content-type": type },
        payload: "{}",
      });
      assert.equal(answer.statusCode, 415);
    }
  });

  test("A-28: no part of a request is returned as HTML markup", async () => {
    const markup = `"'><script>alert(1)</script><img src=x>`;
    const pages = [
      await it.app.inject(address({ client_id: markup })),
      await it.app.inject(address({ redirect_uri: markup })),
      await it.app.inject(`/login?${formOf({ redirect: `/${markup}` })}`),
      await it.app.inject(`/login?${formOf({ redirect: address({ login_hint: markup, state: markup }) })}`),
      await it.app.inject({ url: `/${encodeURIComponent(markup)}`, headers: { accept: "text/html" } }),
      await testBrowser(it.app).post("/login", { email: markup, password: markup, redirect: markup }),
      await it.app.inject(`/oauth/logout?${formOf({ post_logout_redirect_uri: markup, client_id: markup })}`),
      await it.app.inject(`/setup?${formOf({ token: markup })}`),
    ];
    for (const { body, statusCode } of pages) {
      assert.ok(statusCode < 500);
      assert.doesNotMatch(body, /<script(?! src="\/assets\/enhancements\.js" defer>)|<img|"'>/);
    }
    assert.match(pages[3]?.body ?? "", /value="&quot;&#39;&gt;&lt;script&gt;/);
  });

  test('A-20: "Use another account" on the consent page leads to the account choice for the same request', async () => {
    const browser = await browserOf(it, user);
    const page = await browser.get(address({ prompt: "consent" }));
    const href = /<a href="([^"]+)">Use another account/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
    assert.match((await browser.get(String(href))).body, /Choose an account/);
  });
});
