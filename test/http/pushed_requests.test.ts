import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import {
  aPerson,
  browserOf,
  hiddenField,
  password,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, credentialsOf, formOf, type Parameters } from "../support/flows.ts";

const settings = { extra_features: ["par"] } as const;

describe("pushed authorization requests over HTTP", () => {
  let it: TestApp;
  let client: OAuthApp;
  let authorization: string;
  before(async () => {
    it = await testApp({ settings });
    client = await anApp(it.store, { name: "Books" });
    authorization = String(await credentialsOf(it, client));
  });

  const post = (payload: string, headers: Readonly<Record<string, string>> = { authorization }) =>
    it.app.inject({
      method: "POST",
      url: "/oauth/par",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      payload,
    });

  /** Pushes a request, and returns the path to which the client redirects the browser. */
  async function pushed(overrides: Parameters = {}, by = client): Promise<string> {
    const answer = await post(formOf(authorizeParameters(by, overrides)), by.public ? {} : { authorization });
    assert.equal(answer.statusCode, 201, answer.body);
    const { request_uri } = answer.json<{ request_uri: string }>();
    return `/oauth/authorize?${new URLSearchParams({ client_id: by.client_id, request_uri })}`;
  }

  /** Fills in the form of the login page for this user. */
  const enter = (browser: TestBrowser, page: LightMyRequestResponse, { email }: User) =>
    browser.post("/login", {
      email,
      password,
      redirect: hiddenField(page, "redirect"),
      csrf_token: hiddenField(page, "csrf_token"),
    });

  test("PR-40: a push gets 201 with request_uri and expires_in, which is never cached", async () => {
    const answer = await post(formOf(authorizeParameters(client)));
    assert.equal(answer.statusCode, 201);
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.match(String(answer.headers["content-type"]), /^application\/json/);
    const { request_uri, expires_in, ...rest } = answer.json();
    assert.match(request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43,}$/);
    assert.deepEqual([expires_in, rest], [60, {}]);
  });

  test("PR-40: a push must be a POST of a form; every refusal is JSON and not a redirect", async () => {
    const whole = formOf(authorizeParameters(client));
    const get = await it.app.inject(`/oauth/par?${whole}`);
    assert.deepEqual([get.statusCode, get.headers.allow], [405, "POST, OPTIONS"]);
    const inTheAddress = await it.app.inject({
      method: "POST",
      url: `/oauth/par?${whole}`,
      headers: { authorization },
    });
    assert.equal(inTheAddress.statusCode, 400);
    const refused: [string, number, string][] = [
      [`${whole}&request_uri=urn:x`, 400, "invalid_request"],
      [whole.replace("response_type=code", "response_type=token"), 400, "unsupported_response_type"],
      [whole.replace("openid", "unheard"), 400, "invalid_scope"],
      ["", 400, "invalid_request"],
    ];
    for (const [form, status, error] of refused) {
      const answer = await post(form);
      assert.deepEqual([answer.statusCode, answer.json().error], [status, error]);
      assert.equal(answer.headers.location, undefined);
      assert.equal(answer.headers["cache-control"], "no-store");
    }
    const unproven = await post(whole, {});
    assert.deepEqual([unproven.statusCode, unproven.json().error], [401, "invalid_client"]);
    assert.match(String(unproven.headers["www-authenticate"]), /^Basic /);
  });

  test("PR-92: a push with repeated parameters, NUL, broken encoding or excessive input is refused", async () => {
    const whole = formOf(authorizeParameters(client));
    for (const more of [
      ...["&state=again", "&client_id=again", "&redirect_uri=https://evil.example", "&nonce=a%00b"],
      ...["&%00=1", "&nonce=%c3%28", "&nonce=%zz"],
      Array.from({ length: 101 }, (_, index) => `&p${index}=1`).join(""),
    ]) {
      const answer = await post(whole + more);
      assert.deepEqual([answer.statusCode, answer.json().error], [400, "invalid_request"], more);
    }
    for (const more of [`&x=${"x".repeat(8200)}`, `&x=${"x".repeat(70_000)}`]) {
      const answer = await post(whole + more);
      assert.deepEqual([answer.statusCode, answer.json().error], [413, "invalid_request"]);
    }
    const address = await pushed();
    for (const more of [
      `&client_id=${client.client_id}`,
      "&request_uri=urn:ietf:params:oauth:request_uri:x",
    ]) {
      assert.equal((await testBrowser(it.app).get(address + more)).statusCode, 400, more);
    }
    assert.equal((await testBrowser(it.app).get(`${address}&x=%00`)).statusCode, 400);
    assert.equal((await testBrowser(it.app).get(`${address}&x=${"x".repeat(8200)}`)).statusCode, 414);
    // None of these attempts used up the request.
    assert.equal((await testBrowser(it.app).get(address)).statusCode, 302);
  });

  test("PR-43: a pushed request leads through sign-in and consent, in the pushed language and for its app", async () => {
    const browser = testBrowser(it.app);
    const person = await aPerson(it);
    const address = await pushed({ state: "kept", ui_locales: "es", login_hint: person.email });
    const first = await browser.get(`${address}&state=evil&ui_locales=zh`);
    const login = String(first.headers.location);
    assert.equal(login, `/login?redirect=${encodeURIComponent(it.server.issuer + address)}`);
    const page = await browser.get(login);
    assert.match(page.body, /lang="es"/);
    assert.match(page.body, /Books/);
    assert.ok(page.body.includes(person.email));
    // The user takes twenty minutes to sign in.
    it.clock.advance(20 * 60);
    const again = await browser.get(login);
    const back = await enter(browser, again, person);
    assert.equal(back.headers.location, it.server.issuer + address);
    const consent = await browser.get(address);
    assert.match(consent.body, /lang="es"/);
    assert.match(consent.body, /https:\/\/app\.example/);
    assert.equal(consent.body.includes("kept"), false);
    const done = await browser.post("/consent", {
      decision: "allow",
      request: hiddenField(consent, "request"),
      csrf_token: hiddenField(consent, "csrf_token"),
    });
    const answer = new URL(String(done.headers.location));
    assert.equal(answer.origin + answer.pathname, "https://app.example/cb");
    assert.equal(answer.searchParams.get("state"), "kept");
    assert.ok(answer.searchParams.get("code"));
    const replay = await browser.get(address);
    assert.equal(replay.statusCode, 400);
    assert.match(replay.body, /invalid_request_uri/);
    assert.equal(replay.headers.location, undefined);
  });

  test("PR-43: the consent page of a pushed request offers another account for the same request", async () => {
    const browser = await browserOf(it, await aPerson(it));
    const other = await aPerson(it);
    const address = await pushed();
    const consent = await browser.get(address);
    const [, href = ""] = /href="(\/login\?redirect=[^"]+account=another)"/.exec(consent.body) ?? [];
    const login = await browser.get(href.replaceAll("&amp;", "&"));
    assert.equal(login.statusCode, 200);
    const back = await enter(browser, login, other);
    assert.equal(back.headers.location, it.server.issuer + address);
    assert.ok((await browser.get(address)).body.includes(other.email));
  });

  test("PR-43: a request_uri posted from another site becomes a GET, which has the cookie", async () => {
    const address = await pushed();
    const form = address.slice(address.indexOf("?") + 1);
    const answer = await it.app.inject({
      method: "POST",
      url: "/oauth/authorize",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: form,
    });
    assert.deepEqual([answer.statusCode, answer.headers.location], [302, address]);
  });
});
