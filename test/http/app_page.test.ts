import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { AdminContext } from "../../src/admin/access/actor.ts";
import { findPlayground, playgroundSeconds } from "../../src/admin/reports/playgrounds.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, type TestApp, type TestBrowser, testApp } from "../support/app.ts";
import { aMembership, anApp, anOrganization, aSecret, later } from "../support/builders.ts";
import { basic, type Parameters } from "../support/flows.ts";

let it: TestApp;
let owner: User;
let visitor: TestBrowser;

before(async () => {
  it = await testApp({ throttle: false });
  owner = await aPerson(it);
});

beforeEach(async () => {
  visitor = await browserOf(it, owner);
});

/** Returns an app of the owner. */
const ownApp = (overrides: Partial<OAuthApp> = {}) => anApp(it.store, { owner_id: owner.id, ...overrides });
const pageOf = ({ id }: OAuthApp, page: string) => `/console/apps/${id}/${page}`;
const callbackOf = (app: OAuthApp) => `${it.server.issuer}${pageOf(app, "try/callback")}`;
const stored = async ({ id }: OAuthApp) => it.store.find("oauth_apps", { id });

/** Returns which tokens or secrets of an app are revoked. */
async function revokedIn(table: "oauth_tokens" | "oauth_app_secrets", { id }: OAuthApp): Promise<boolean[]> {
  return (await it.store.list(table, { app_id: id })).map(({ revoked }) => revoked);
}

/** Sends the form of a page that posts to this address, with its hidden fields. */
function send(
  browser: TestBrowser,
  { body }: LightMyRequestResponse,
  action: string,
  overrides: Parameters = {},
): Promise<LightMyRequestResponse> {
  const form = body.split('<form method="post" ').find((part) => part.startsWith(`action="${action}"`));
  assert.ok(form, `there is a form to ${action} in ${body}`);
  const fields = [
    ...(form.split("</form>")[0] ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g),
  ].map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")] as const);
  return browser.post(action, { ...Object.fromEntries(fields), ...overrides });
}

const local = (address: unknown) => String(address).replace(it.server.issuer, "");

/** Follows redirects within the server, allowing or denying consent, and returns the final page. */
async function followed(
  browser: TestBrowser,
  answer: LightMyRequestResponse,
  decision = "allow",
): Promise<LightMyRequestResponse> {
  let at = answer;
  for (let steps = 0; steps < 10; steps += 1) {
    if (at.statusCode === 302 || at.statusCode === 303) at = await browser.get(local(at.headers.location));
    else if (at.body.includes('action="/consent"')) at = await send(browser, at, "/consent", { decision });
    else return at;
  }
  throw new Error("a loop of redirects");
}

/** Returns the playground of this app, whichever session of the owner it belongs to. */
async function storedPlayground(app: OAuthApp) {
  const { store, passwords, sealer, now } = it.server;
  const context: AdminContext = {
    store,
    passwords,
    sealer,
    now,
    actor: { kind: "system", label: "test" },
    switches: {},
  };
  for (const { id } of await store.list("sessions", { user_id: owner.id })) {
    const content = await findPlayground(context, { session_id: id, app_id: app.id });
    if (content !== undefined) return JSON.parse(content);
  }
  return undefined;
}

const titles = ({ body }: LightMyRequestResponse) =>
  [...body.matchAll(/<div class="step-words"><h2>([^<]*)<\/h2>/g)].map(([, title]) => title);

describe("access to the pages of an app in the console", () => {
  test("other users do not find the app, and a member with read access cannot use its playground", async () => {
    const organization = await anOrganization(it.store);
    const app = await ownApp({ organization_id: organization.id });
    const stranger = await browserOf(it, await aPerson(it));
    const member = await aPerson(it);
    await aMembership(it.store, { user_id: member.id, organization_id: organization.id, role: "member" });
    const locale = await browserOf(it, member);
    for (const page of ["use", "checks", "try", "try/callback?code=x"]) {
      assert.equal((await stranger.get(pageOf(app, page))).statusCode, 404, page);
    }
    assert.equal((await locale.get(pageOf(app, "use"))).statusCode, 200);
    assert.equal((await locale.get(pageOf(app, "checks"))).statusCode, 200);
    assert.equal((await locale.get(pageOf(app, "try"))).statusCode, 403);
    assert.equal((await visitor.get(pageOf({ ...app, id: "nonsense" }, "use"))).statusCode, 404);
  });
});

describe("the page of code snippets", () => {
  test("the snippet page says what an app lacks to run the snippets, and where to fix it", async () => {
    const app = await ownApp({ redirect_uris: [], active: false });
    const { body } = await visitor.get(pageOf(app, "use"));
    for (const words of ["is switched off", "has no redirect URI", "no active secret"])
      assert.ok(body.includes(words));
    assert.ok(body.includes(`href="/console/app-secrets/new?app_id=${app.id}"`));
    assert.doesNotMatch(body, /openid-client/);
    await aSecret(it.store, { app_id: app.id });
    assert.doesNotMatch((await visitor.get(pageOf(app, "use"))).body, /no active secret/);
  });

  test("the snippet page lists every endpoint, and its tab is marked as current", async () => {
    const { body } = await visitor.get(pageOf(await ownApp(), "use"));
    for (const path of ["authorize", "token", "userinfo", "introspect", "revoke", "logout"]) {
      assert.ok(body.includes(`https://id.example/oauth/${path}`), path);
    }
    assert.match(body, /href="https:\/\/id\.example\/\.well-known\/openid-configuration"/);
    assert.match(body, /\/use" aria-current="page"/);
  });

  test("the snippet page never shows the playground's redirect URI as the app's own", async () => {
    const app = await ownApp();
    await it.store.update(
      "oauth_apps",
      { id: app.id },
      { redirect_uris: [callbackOf(app), "https://app.example/cb"] },
    );
    const { body } = await visitor.get(pageOf(app, "use"));
    assert.ok(!body.includes("try/callback"));
    assert.ok(body.includes("https://app.example/cb"));
  });
});

describe("the page of security checks", () => {
  test("the checks name each risk with its level and subject", async () => {
    const app = await ownApp({ redirect_uris: ["http://app.example/cb"], access_token_ttl: 7200 });
    const { body } = await visitor.get(pageOf(app, "checks"));
    assert.match(
      body,
      /Danger<\/span><h2>Codes travel unencrypted<\/h2>[\s\S]*<code>http:\/\/app\.example\/cb<\/code>/,
    );
    assert.match(body, /Long-lived access tokens/);
    assert.ok(body.indexOf("Danger") < body.indexOf("Caution"));
  });

  test("A-13: the checks name requested scopes that nothing defines, and permissions without effect", async () => {
    const app = await ownApp({ allowed_scopes: ["openid", "groups"] });
    const query = new URLSearchParams({
      response_type: "code",
      client_id: app.client_id,
      redirect_uri: "https://app.example/cb",
      scope: "openid groups roles",
      code_challenge: "A".repeat(43),
      code_challenge_method: "S256",
    });
    assert.equal((await visitor.get(`/oauth/authorize?${query}`)).statusCode, 200);
    const { body } = await visitor.get(pageOf(app, "checks"));
    assert.match(body, /id="unknown_scopes"[\s\S]*?<code>roles<\/code>[\s\S]*?<\/section>/);
    assert.match(body, /id="idle_scopes"[\s\S]*?<code>groups<\/code>[\s\S]*?<\/section>/);
  });

  test("the checks state a limit in the sentence, and not again as the subject", async () => {
    const app = await ownApp({ access_token_ttl: 7200, metadata: { refresh_reuse_window: 0 } });
    const { body } = await visitor.get(pageOf(app, "checks"));
    assert.match(body, /repeats a refresh within 30 seconds of the rotation/);
    assert.match(body, /here after 7200 seconds \(more than an hour\)/);
    assert.doesNotMatch(body, /Concerns: <code>(?:30|7200)</);
  });

  test("the checks of an app without risks report no issues", async () => {
    const app = await ownApp({ metadata: { refresh_reuse_window: 30 }, require_pkce: true });
    await aSecret(it.store, { app_id: app.id, expires_at: later(90 * 86_400) });
    const { body } = await visitor.get(pageOf(app, "checks"));
    assert.match(body, /No issues/);
    assert.doesNotMatch(body, /badge-caution/);
  });

  test("the checks report that the owner of an app can no longer sign in", async () => {
    const organization = await anOrganization(it.store);
    const gone = await aPerson(it, { active: false });
    const app = await anApp(it.store, { owner_id: gone.id, organization_id: organization.id });
    await aMembership(it.store, { user_id: owner.id, organization_id: organization.id, role: "developer" });
    assert.match((await visitor.get(pageOf(app, "checks"))).body, /owner can no longer sign in/);
  });
});

describe("the playground of an app", () => {
  test("A-31: the playground's redirect URI is valid only during a trial, and is not stored in the record", async () => {
    const app = await ownApp();
    const at = pageOf(app, "try");
    const query = new URLSearchParams({
      response_type: "code",
      client_id: app.client_id,
      redirect_uri: callbackOf(app),
      scope: "openid",
    });
    const status = async (parameters = query) =>
      (await visitor.get(`/oauth/authorize?${parameters}`)).statusCode;
    assert.equal(await status(), 400);
    const page = await visitor.get(at);
    await send(visitor, page, `${at}/start`, { scope: ["openid"] });
    assert.notEqual(await status(), 400);
    assert.deepEqual((await stored(app))?.redirect_uris, ["https://app.example/cb"]);
    // The playground's redirect URI works only for its own app, and only if it matches exactly.
    const other = await ownApp();
    for (const [name, value] of [
      ["client_id", other.client_id],
      ["redirect_uri", `${callbackOf(app)}/`],
      ["redirect_uri", callbackOf(other)],
    ] as const) {
      const changed = new URLSearchParams(query);
      changed.set(name, value);
      assert.equal(await status(changed), 400, value);
    }
    await send(visitor, await visitor.get(at), `${at}/end`);
    assert.equal(await status(), 400);
    await send(visitor, await visitor.get(at), `${at}/start`, { scope: ["openid"] });
    it.clock.advance(playgroundSeconds + 1);
    assert.equal(await status(), 400);
  });

  test("the playground removes its redirect URI if an earlier version stored it in the app", async () => {
    const app = await ownApp();
    const at = pageOf(app, "try");
    assert.doesNotMatch((await visitor.get(at)).body, /remove-address/);
    const redirect_uris = ["https://app.example/cb", callbackOf(app)];
    await it.store.update("oauth_apps", { id: app.id }, { redirect_uris });
    const removed = await send(visitor, await visitor.get(at), `${at}/remove-address`);
    assert.equal(removed.headers.location, `${at}?done=removed`);
    assert.deepEqual((await stored(app))?.redirect_uris, ["https://app.example/cb"]);
  });

  /** Starts a playground and completes its flow. Returns the page with the steps. */
  async function tried(overrides: Partial<OAuthApp> = {}, decision = "allow") {
    const app = await ownApp(overrides);
    const at = pageOf(app, "try");
    const page = await visitor.get(at);
    const started = await send(visitor, page, `${at}/start`, { scope: ["openid", "profile"] });
    return { app, at, started, page: await followed(visitor, started, decision) };
  }

  test("the playground runs the code flow of a confidential app with a secret of its own, and shows every step", async () => {
    const { app, started, page } = await tried();
    const requested = new URL(String(started.headers.location), it.server.issuer).searchParams;
    assert.equal(requested.get("code_challenge_method"), "S256");
    assert.equal(requested.get("redirect_uri"), callbackOf(app));
    assert.equal(requested.get("scope"), "openid profile");
    assert.deepEqual(titles(page), [
      "The application sends the browser to the server",
      "The browser returns with a code",
      "The code is exchanged for tokens",
    ]);
    for (const name of requested.keys()) assert.ok(page.body.includes(`<dt><code>${name}</code></dt>`), name);
    assert.match(page.body, /Claims of the ID token[\s\S]*Claims of the access token/);
    assert.ok(page.body.includes(`&quot;nonce&quot;: &quot;${requested.get("nonce")}&quot;`));
    const [secret] = await it.store.list("oauth_app_secrets", { app_id: app.id });
    assert.deepEqual(secret?.expires_at, later(playgroundSeconds, it.clock.now()));
  });

  test("the playground tries each use of the tokens, and never shows a whole token", async () => {
    const { app, at } = await tried();
    let page = await visitor.get(at);
    for (const step of ["userinfo", "introspect", "refresh", "revoke", "introspect"]) {
      page = await followed(visitor, await send(visitor, page, `${at}/${step}`));
      const { walk, secret } = await storedPlayground(app);
      for (const whole of [walk.access_token, walk.refresh_token, secret.value]) {
        assert.ok(whole.length > 20);
        assert.ok(!page.body.includes(whole), `${step} shows something whole`);
      }
      const header = basic(app.client_id, secret.value).slice("Basic ".length);
      assert.ok(!page.body.includes(header) && !page.body.includes(header.slice(0, 20)));
    }
    assert.deepEqual(titles(page).slice(3), [
      ...[
        "The application requests user claims",
        "Is the token active?",
        "The refresh token is exchanged for new tokens",
      ],
      ...["The tokens are revoked", "Is the token active?"],
    ]);
    assert.match(page.body, /&quot;active&quot;: true[\s\S]*&quot;active&quot;: false/);
    assert.match(page.body, /eyJ[\w-]?…[\w-]{3}/);
  });

  test("a trial ends with its tokens and secret revoked, and nothing of it stored", async () => {
    const { app, at, page } = await tried();
    assert.ok(await storedPlayground(app));
    const ended = await send(visitor, page, `${at}/end`);
    assert.equal(ended.headers.location, `${at}?done=ended`);
    assert.deepEqual(await revokedIn("oauth_tokens", app), [true]);
    assert.deepEqual(await revokedIn("oauth_app_secrets", app), [true]);
    assert.equal(await storedPlayground(app), undefined);
    assert.deepEqual(titles(await visitor.get(at)), []);
  });

  test("a trial also ends if its secret was deleted meanwhile", async () => {
    const { app, at, page } = await tried();
    await it.store.remove("oauth_app_secrets", { app_id: app.id });
    assert.equal((await send(visitor, page, `${at}/end`)).headers.location, `${at}?done=ended`);
    assert.equal(await storedPlayground(app), undefined);
    assert.deepEqual(await revokedIn("oauth_tokens", app), [true]);
  });

  test("restarting a trial ends its earlier tokens and keeps its secret", async () => {
    const { app, at, page } = await tried();
    const again = await followed(visitor, await send(visitor, page, `${at}/start`, { scope: "openid" }));
    assert.equal(titles(again).length, 3);
    assert.deepEqual((await revokedIn("oauth_tokens", app)).sort(), [false, true]);
    assert.equal((await it.store.list("oauth_app_secrets", { app_id: app.id })).length, 1);
  });

  test("the playground shows that the user denied the request, and gets no token", async () => {
    const { app, page } = await tried({}, "deny");
    assert.deepEqual(titles(page).slice(1), ["The browser returns with an error"]);
    assert.match(page.body, /error=access_denied/);
    assert.doesNotMatch(page.body, /try\/userinfo/);
    assert.deepEqual(await it.store.list("oauth_tokens", { app_id: app.id }), []);
  });

  test("the playground ignores a response to another request", async () => {
    const { app, at } = await tried({}, "deny");
    await send(visitor, await visitor.get(at), `${at}/start`, { scope: "openid" });
    const { walk } = await storedPlayground(app);
    for (const [state, iss] of [
      ["another", it.server.issuer],
      [walk.state, "https://evil.example"],
    ]) {
      const query = new URLSearchParams({ code: "pac_stolen", state, iss });
      const page = await followed(visitor, await visitor.get(`${at}/callback?${query}`));
      assert.equal(titles(page).at(-1), "The browser returns with a response to another request");
    }
    assert.deepEqual(await it.store.list("oauth_tokens", { app_id: app.id }), []);
  });

  test("the playground's steps and page stay small, however often another site redirects the browser to it", async () => {
    const { at, page } = await tried();
    for (let index = 0; index < 15; index++) {
      await visitor.get(`${at}/callback?state=${index}&${"x".repeat(7000)}`);
    }
    const after = await visitor.get(at);
    assert.deepEqual(titles(after).slice(0, -1), titles(page));
    assert.ok(after.body.length < 40_000, `${after.body.length} bytes`);
    assert.match(after.body, /state=14\n/);
  });

  test("the playground of a public app needs no secret", async () => {
    const { app, at, page } = await tried({ app_type: "spa", public: true });
    assert.equal(titles(page).length, 3);
    assert.doesNotMatch(page.body, /try\/introspect/);
    assert.equal((await it.store.list("oauth_app_secrets", { app_id: app.id })).length, 0);
    const refreshed = await followed(visitor, await send(visitor, page, `${at}/refresh`));
    assert.equal(titles(refreshed).at(-1), "The refresh token is exchanged for new tokens");
    await send(visitor, refreshed, `${at}/end`);
    assert.ok((await revokedIn("oauth_tokens", app)).every(Boolean));
  });

  test("the playground of a machine app gets a token by client credentials, without a redirect URI", async () => {
    const app = await ownApp({
      app_type: "machine",
      redirect_uris: [],
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read", "openid"],
    });
    const at = pageOf(app, "try");
    const page = await visitor.get(at);
    assert.doesNotMatch(page.body, /try\/start|value="openid"/);
    const shown = await followed(
      visitor,
      await send(visitor, page, `${at}/machine`, { scope: "orders:read" }),
    );
    assert.deepEqual(titles(shown), ["A machine gets a token"]);
    assert.match(shown.body, /&quot;scope&quot;: &quot;orders:read&quot;/);
    assert.doesNotMatch(shown.body, /try\/userinfo|try\/refresh/);
    await send(visitor, shown, `${at}/end`);
    const [token] = await it.store.list("oauth_tokens", { app_id: app.id });
    assert.equal(token?.revoked || (token?.access_expires_at ?? 0) <= it.clock.now(), true);
  });

  test("the playground of an app without scopes says so, and creates no secret", async () => {
    const app = await ownApp();
    const at = pageOf(app, "try");
    const page = await send(visitor, await visitor.get(at), `${at}/start`, { scope: ["postern:manage"] });
    assert.equal(page.statusCode, 422);
    assert.match(page.body, /class="field-error" role="alert">Choose at least one scope/);
    assert.equal((await it.store.list("oauth_app_secrets", { app_id: app.id })).length, 0);
  });

  test("a trial belongs to the session that started it", async () => {
    const { at } = await tried();
    const other = await browserOf(it, owner);
    assert.deepEqual(titles(await other.get(at)), []);
    const late = await followed(other, await other.get(`${at}/callback?code=pac_x&state=y`));
    assert.match(late.body, /That trial has ended/);
  });

  test("a trial ends after 15 minutes", async () => {
    const { at, page } = await tried();
    it.clock.advance(playgroundSeconds + 1);
    assert.deepEqual(titles(await visitor.get(at)), []);
    assert.equal((await send(visitor, page, `${at}/refresh`)).headers.location, `${at}?done=gone`);
  });

  test("the playground of an inactive app, or one without a grant, offers no trial and says why", async () => {
    for (const [overrides, words] of [
      [{ active: false }, "is switched off"],
      [{ revoked_at: it.clock.now() }, "was revoked"],
      [{ allowed_grants: [] }, "Neither the code flow nor client credentials"],
      [{ allowed_scopes: ["token:introspect"] }, "no allowed scope that can be requested"],
      [{ public: true, allowed_grants: ["client_credentials"] }, "cannot use client credentials"],
    ] as const) {
      const app = await ownApp({ ...overrides } as Partial<OAuthApp>);
      const { body } = await visitor.get(pageOf(app, "try"));
      assert.ok(body.includes(words), words);
      assert.doesNotMatch(body, /action="[^"]*\/try\/(?:start|machine)"/);
    }
  });
});
