/**
 * The tests of the OpenID Foundation's certification plans "OpenID Connect Core: Basic Certification Profile"
 * and "Config" with response_type=code, except dynamic registration. Each title begins with the name of the
 * plan's module.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { introspect } from "../../src/oauth/introspect.ts";
import { testServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import {
  basic,
  codeFlow,
  codeParameters,
  credentialsOf,
  endpointRequest,
  redeem,
  signedIn,
} from "../support/flows.ts";
import {
  type FormBrowser,
  formBrowser,
  goThrough,
  isConsentPage,
  isLoginPage,
  type Page,
} from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, manifest, redirect_uri, second, web } from "./registrations.ts";

type Parameters = Readonly<Record<string, string | undefined>>;
type Json = Record<string, unknown>;

let served: ServedProcess;
let discovery: Json;
let jwks: ReturnType<typeof createRemoteJWKSet>;

before(async () => {
  served = await servedProcess({ manifest });
  discovery = (await (await fetch(`${served.url}/.well-known/openid-configuration`)).json()) as Json;
  jwks = createRemoteJWKSet(new URL(String(discovery.jwks_uri)));
});
after(() => served.stop());

const state = "the state of the application";
const nonce = "a nonce";

function formOf(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined),
  );
}

const requestOf = (overrides: Parameters = {}): Parameters => ({
  response_type: "code",
  client_id: web.client_id,
  redirect_uri,
  scope: "openid",
  state,
  nonce,
  ...overrides,
});

const authorizeUrl = (overrides: Parameters = {}) =>
  `${discovery.authorization_endpoint}?${formOf(requestOf(overrides))}`;

const basicHeader = ({ client_id, secret }: { client_id: string; secret: string } = web) => ({
  authorization: basic(client_id, secret),
});

type Headers = Readonly<Record<string, string>>;

async function post(path: string, parameters: Parameters, headers: Headers = basicHeader()) {
  const init: RequestInit = { method: "POST", headers: { ...headers }, body: formOf(parameters) };
  const response = await fetch(`${served.url}${path}`, init);
  return { status: response.status, json: (await response.json()) as Json };
}

const codeForm = (callback: URL, overrides: Parameters = {}): Parameters => ({
  grant_type: "authorization_code",
  code: callback.searchParams.get("code") ?? undefined,
  redirect_uri,
  ...overrides,
});

async function verified(id_token: unknown): Promise<JWTPayload> {
  const { payload } = await jwtVerify(String(id_token), jwks, {
    issuer: served.url,
    audience: web.client_id,
  });
  return payload;
}

interface Signed {
  readonly browser: FormBrowser;
  readonly tokens: Json;
  readonly claims: JWTPayload;
}

/** Runs a whole flow in which the given parameters replace the usual ones. */
async function flow(overrides: Parameters = {}, browser = formBrowser()): Promise<Signed> {
  const callback = await goThrough(browser, authorizeUrl(overrides), ada);
  assert.equal(callback.searchParams.get("state"), state);
  const { status, json: tokens } = await post("/oauth/token", codeForm(callback));
  assert.equal(status, 200, JSON.stringify(tokens));
  return { browser, tokens, claims: await verified(tokens.id_token) };
}

async function userinfoOf(access_token: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await fetch(String(discovery.userinfo_endpoint), { headers });
  assert.equal(response.status, 200);
  return (await response.json()) as Json;
}

/**
 * Returns the parameters of the redirect with which an authorization request is answered without any page.
 */
async function redirectedAtOnce(page: Page): Promise<URLSearchParams> {
  assert.equal(page.status, 302);
  assert.ok(page.location?.startsWith(redirect_uri), `to the client: ${page.location}`);
  return new URL(page.location ?? "").searchParams;
}

describe("the Basic OP certification tests", () => {
  test("oidcc-server: the code flow yields a token and an id_token with every required claim", async () => {
    const { tokens, claims } = await flow();
    assert.equal(tokens.token_type, "Bearer");
    assert.equal(typeof tokens.expires_in, "number");
    assert.deepEqual([claims.iss, claims.aud, claims.nonce], [served.url, web.client_id, nonce]);
    assert.match(String(claims.sub), /^[\x21-\x7e]{1,255}$/);
    assert.ok(Number(claims.exp) > Number(claims.iat));
    assert.ok(Math.abs(Number(claims.iat) - Date.now() / 1000) < 60);
  });

  test("oidcc-response-type-missing: a request without response_type is refused as invalid_request", async () => {
    const browser = formBrowser();
    await flow({}, browser);
    const answer = await redirectedAtOnce(await browser.get(authorizeUrl({ response_type: undefined })));
    assert.equal(answer.get("error"), "invalid_request");
    assert.equal(answer.get("state"), state);
    assert.equal(answer.get("code"), null);
  });

  test("oidcc-idtoken-signature: the id_token is signed with RS256 by a published key, and its at_hash matches", async () => {
    const { tokens, claims } = await flow();
    const { alg, kid } = decodeProtectedHeader(String(tokens.id_token));
    assert.equal(alg, "RS256");
    assert.ok(kid);
    const hash = createHash("sha256").update(String(tokens.access_token)).digest();
    assert.equal(claims.at_hash, hash.subarray(0, 16).toString("base64url"));
    const parts = String(tokens.id_token).split(".");
    const payload = Buffer.from(JSON.stringify({ ...claims, sub: "somebody else" })).toString("base64url");
    await assert.rejects(verified([parts[0], payload, parts[2]].join(".")), /signature/);
  });

  test("oidcc-userinfo-get: userinfo accepts a token in the header of a GET", async () => {
    const { tokens, claims } = await flow();
    assert.equal((await userinfoOf(tokens.access_token)).sub, claims.sub);
  });

  test("oidcc-userinfo-post-header: userinfo accepts a token in the header of a POST", async () => {
    const { tokens, claims } = await flow();
    const answer = await post("/oauth/userinfo", {}, { authorization: `Bearer ${tokens.access_token}` });
    assert.deepEqual([answer.status, answer.json.sub], [200, claims.sub]);
  });

  test("oidcc-userinfo-post-body: userinfo accepts a token in the body of a POST", async () => {
    const { tokens, claims } = await flow();
    const answer = await post("/oauth/userinfo", { access_token: String(tokens.access_token) }, {});
    assert.deepEqual([answer.status, answer.json.sub], [200, claims.sub]);
  });

  test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow: without a nonce the id_token has none", async () => {
    const { claims } = await flow({ nonce: undefined });
    assert.equal("nonce" in claims, false);
  });

  test("oidcc-scope-profile: userinfo returns the claims of profile and none of email", async () => {
    const { tokens, claims } = await flow({ scope: "openid profile" });
    const { sub, name, email } = await userinfoOf(tokens.access_token);
    assert.deepEqual([sub, name, email], [claims.sub, ada.name, undefined]);
  });

  test("oidcc-scope-email: userinfo returns the claims of email and none of profile", async () => {
    const { tokens, claims } = await flow({ scope: "openid email" });
    const { sub, name, email } = await userinfoOf(tokens.access_token);
    assert.deepEqual([sub, name, email], [claims.sub, undefined, ada.email]);
  });

  test("oidcc-scope-address and oidcc-scope-phone: these scopes are not supported, and discovery omits them", () => {
    const scopes = discovery.scopes_supported as string[];
    assert.deepEqual([scopes.includes("address"), scopes.includes("phone")], [false, false]);
  });

  test("oidcc-scope-all: a request for all scopes of the discovery document succeeds", async () => {
    const scope = (discovery.scopes_supported as string[]).join(" ");
    const { tokens } = await flow({ scope });
    assert.equal(tokens.scope, scope);
    const { name, email } = await userinfoOf(tokens.access_token);
    assert.deepEqual([name, email], [ada.name, ada.email]);
  });

  test("oidcc-ensure-other-scope-order-succeeds: openid need not be the first scope", async () => {
    const { tokens } = await flow({ scope: "email openid" });
    assert.deepEqual(new Set(String(tokens.scope).split(" ")), new Set(["openid", "email"]));
  });

  for (const display of ["page", "popup"]) {
    test(`oidcc-display-${display}: a login page is shown, and the request succeeds`, async () => {
      const browser = formBrowser();
      const page = await browser.follow(await browser.get(authorizeUrl({ display })));
      assert.ok(isLoginPage(page));
      await flow({ display }, browser);
    });
  }

  test("oidcc-prompt-login: a signed-in user must sign in again, once, and auth_time is later", async () => {
    const first = await flow();
    await wait(1100);
    const page = await first.browser.follow(await first.browser.get(authorizeUrl({ prompt: "login" })));
    assert.ok(isLoginPage(page));
    const again = await flow({ prompt: "login" }, first.browser);
    assert.equal(again.claims.sub, first.claims.sub);
    assert.ok(Number(again.claims.auth_time) > Number(first.claims.auth_time));
  });

  test("oidcc-prompt-none-not-logged-in: a request without a session is refused as login_required, without a page", async () => {
    const answer = await redirectedAtOnce(await formBrowser().get(authorizeUrl({ prompt: "none" })));
    assert.deepEqual([answer.get("error"), answer.get("state")], ["login_required", state]);
  });

  test("oidcc-prompt-none-logged-in: a signed-in user's request returns a code at once, for the same sign-in", async () => {
    const first = await flow();
    const answer = await redirectedAtOnce(await first.browser.get(authorizeUrl({ prompt: "none" })));
    assert.ok(answer.get("code"));
    const again = await flow({ prompt: "none" }, first.browser);
    assert.deepEqual([again.claims.sub, again.claims.auth_time], [first.claims.sub, first.claims.auth_time]);
  });

  test("oidcc-max-age-1: a user who signed in more than a second ago must sign in again", async () => {
    const first = await flow();
    await wait(2100);
    const page = await first.browser.follow(await first.browser.get(authorizeUrl({ max_age: "1" })));
    assert.ok(isLoginPage(page));
    const again = await flow({ max_age: "1" }, first.browser);
    assert.ok(Number(again.claims.auth_time) > Number(first.claims.auth_time));
  });

  test("oidcc-max-age-10000: a more recent sign-in is accepted, and auth_time is its time", async () => {
    const first = await flow();
    const answer = await redirectedAtOnce(await first.browser.get(authorizeUrl({ max_age: "10000" })));
    assert.ok(answer.get("code"));
    const again = await flow({ max_age: "10000" }, first.browser);
    assert.equal(typeof again.claims.auth_time, "number");
    assert.equal(again.claims.auth_time, first.claims.auth_time);
  });

  const ignored: Readonly<Record<string, Parameters>> = {
    "oidcc-ensure-request-with-unknown-parameter-succeeds: extra": { extra: "foobar" },
    "oidcc-login-hint: login_hint": { login_hint: ada.email },
    "oidcc-ui-locales: ui_locales": { ui_locales: "se" },
    "oidcc-claims-locales: claims_locales": { claims_locales: "se" },
    "oidcc-ensure-request-with-acr-values-succeeds: acr_values": { acr_values: "1 2" },
  };
  for (const [title, parameters] of Object.entries(ignored)) {
    test(`${title} does not prevent a successful request`, async () => {
      assert.ok((await flow(parameters)).claims.sub);
    });
  }

  test("oidcc-login-hint: the sign-in form is filled with the hinted email", async () => {
    const browser = formBrowser();
    const page = await browser.follow(await browser.get(authorizeUrl({ login_hint: ada.email })));
    assert.match(page.body, new RegExp(`<input[^>]*name="email"[^>]*value="${ada.email}"`));
  });

  test("oidcc-id-token-hint: with prompt=none and the signed-in user's id_token, a code is returned at once", async () => {
    const first = await flow();
    const id_token_hint = String(first.tokens.id_token);
    const again = await flow({ prompt: "none", id_token_hint }, first.browser);
    assert.equal(again.claims.sub, first.claims.sub);
    const answer = await redirectedAtOnce(
      await formBrowser().get(authorizeUrl({ prompt: "none", id_token_hint })),
    );
    assert.equal(answer.get("error"), "login_required");
  });

  test("oidcc-codereuse: a code is refused the second time, and its token is then refused by userinfo", async () => {
    const callback = await goThrough(formBrowser(), authorizeUrl(), ada);
    const { json } = await post("/oauth/token", codeForm(callback));
    await userinfoOf(json.access_token);
    const again = await post("/oauth/token", codeForm(callback));
    assert.deepEqual([again.status, again.json.error], [400, "invalid_grant"]);
    const headers = { authorization: `Bearer ${json.access_token}` };
    assert.equal((await fetch(String(discovery.userinfo_endpoint), { headers })).status, 401);
  });

  test("oidcc-codereuse-30seconds: a code is also refused half a minute later, and its token becomes inactive", async () => {
    const [sqlite] = databases;
    assert.ok(sqlite);
    const ours = await testServer(await sqlite.open());
    const user = await aUser(ours.store);
    const app = await anApp(ours.store, { owner_id: user.id });
    const authorization = await credentialsOf(ours, app);
    const who = await signedIn(ours, user);
    const { code, access_token } = await codeFlow(ours, app, authorization, who);
    ours.clock.advance(30);
    await assert.rejects(redeem(ours, app, authorization, codeParameters(app, code)), {
      code: "invalid_grant",
    });
    const answer = await introspect(endpointRequest({ token: access_token }, authorization), ours.server);
    assert.deepEqual(answer, { active: false });
  });

  test("oidcc-ensure-registered-redirect-uri: an unregistered redirect URI is refused on a page, without a redirect", async () => {
    const page = await formBrowser().get(authorizeUrl({ redirect_uri: `${redirect_uri}/not-registered` }));
    assert.deepEqual([page.status, page.location], [400, undefined]);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(page.body, /redirect_uri/);
  });

  test("oidcc-ensure-post-request-succeeds: an authorization request may be a form posted by another site", async () => {
    const browser = formBrowser();
    const parameters = Object.fromEntries(formOf(requestOf()));
    const login = await browser.follow(
      await browser.post(String(discovery.authorization_endpoint), parameters),
    );
    assert.ok(isLoginPage(login));
    let page = await browser.follow(await browser.submit(login, ada));
    if (isConsentPage(page)) page = await browser.follow(await browser.submit(page, { decision: "allow" }));
    assert.ok((await redirectedAtOnce(page)).get("code"));
    const again = await browser.follow(
      await browser.post(String(discovery.authorization_endpoint), parameters),
    );
    assert.equal((await redirectedAtOnce(again)).get("state"), state);
  });

  test("oidcc-server-client-secret-post: a client may send its secret in the form", async () => {
    const callback = await goThrough(formBrowser(), authorizeUrl(), ada);
    const form = codeForm(callback, { client_id: web.client_id, client_secret: web.secret });
    const { status, json } = await post("/oauth/token", form, {});
    assert.equal(status, 200);
    assert.ok((await verified(json.id_token)).sub);
  });

  const objects: Readonly<Record<string, readonly [Parameters, string]>> = {
    "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": [
      { request_uri: "https://client.example/request.jwt" },
      "request_uri_not_supported",
    ],
    "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": [
      { request: unsigned({ scope: "openid", nonce: "another", state: "another" }) },
      "request_not_supported",
    ],
    "oidcc-ensure-request-object-with-redirect-uri": [
      { request: unsigned({ redirect_uri: `${redirect_uri}?elsewhere` }) },
      "request_not_supported",
    ],
  };
  for (const [name, [parameters, error]] of Object.entries(objects)) {
    test(`${name}: the request is refused as ${error} at the registered redirect URI, with its state`, async () => {
      const { browser } = await flow();
      const answer = await redirectedAtOnce(await browser.get(authorizeUrl(parameters)));
      assert.deepEqual([answer.get("error"), answer.get("state")], [error, state]);
    });
  }

  test("oidcc-claims-essential: the claims parameter is ignored, as discovery says, and the request succeeds", async () => {
    assert.equal(discovery.claims_parameter_supported, false);
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    assert.ok((await flow({ claims })).claims.sub);
  });

  test("oidcc-refresh-token: a refreshed id_token has the same user, and another client cannot use the token", async () => {
    const { tokens, claims } = await flow({ scope: "openid offline_access", prompt: "consent" });
    const form = { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
    const foreign = await post("/oauth/token", form, basicHeader(second));
    assert.deepEqual([foreign.status, foreign.json.error], [400, "invalid_grant"]);
    const { status, json } = await post("/oauth/token", form);
    assert.equal(status, 200);
    assert.notEqual(json.access_token, tokens.access_token);
    const { iss, sub, aud, auth_time } = await verified(json.id_token);
    assert.deepEqual([iss, sub, aud, auth_time], [claims.iss, claims.sub, claims.aud, claims.auth_time]);
    assert.equal((await userinfoOf(json.access_token)).sub, claims.sub);
  });

  test("oidcc-ensure-request-with-valid-pkce-succeeds: a code works with its PKCE verifier and no other", async () => {
    const code_verifier = "a-verifier-of-at-least-forty-three-characters-long";
    const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
    const url = authorizeUrl({ code_challenge, code_challenge_method: "S256" });
    const callback = await goThrough(formBrowser(), url, ada);
    const wrong = await post("/oauth/token", codeForm(callback, { code_verifier: `${code_verifier}r` }));
    assert.equal(wrong.json.error, "invalid_grant");
    assert.equal((await post("/oauth/token", codeForm(callback, { code_verifier }))).status, 200);
  });
});

describe("the Config OP certification tests", () => {
  test("oidcc-discovery-endpoint-verification: issuer, endpoints and all required fields are present", async () => {
    assert.equal(discovery.issuer, served.url);
    const endpoints = Object.entries(discovery).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
    assert.ok(endpoints.length >= 7);
    for (const [name, value] of endpoints) assert.equal(new URL(String(value)).origin, served.url, name);
    const includes = (name: string, value: string) =>
      assert.ok((discovery[name] as string[]).includes(value), `${name} has ${value}`);
    includes("response_types_supported", "code");
    includes("subject_types_supported", "public");
    includes("id_token_signing_alg_values_supported", "RS256");
    includes("scopes_supported", "openid");
    includes("claims_supported", "sub");
    includes("token_endpoint_auth_methods_supported", "client_secret_basic");
    includes("grant_types_supported", "authorization_code");
    for (const [name, value] of Object.entries(discovery)) assert.notEqual(value, null, name);
  });

  test("oidcc-discovery-endpoint-verification: the document is JSON, and pages of any origin may read it", async () => {
    const response = await fetch(`${served.url}/.well-known/openid-configuration`);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  });

  test("oidcc-discovery-jwks-uri: the key set has RSA keys of 2048 bits or more, distinct kids and no private key", async () => {
    const { keys } = (await (await fetch(String(discovery.jwks_uri))).json()) as { keys: Json[] };
    assert.ok(keys.length > 0);
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length);
    for (const key of keys) {
      assert.deepEqual([key.kty, key.use, key.alg], ["RSA", "sig", "RS256"]);
      assert.ok(Buffer.from(String(key.n), "base64url").length >= 256);
      assert.deepEqual(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
    }
  });
});

/** A request object with `alg: none`. */
function unsigned(claims: Parameters): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode({ client_id: web.client_id, response_type: "code", ...claims })}.`;
}
