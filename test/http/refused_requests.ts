/** Every kind of refusal, really made to happen over HTTP, and the way to the page that explains it. */
import assert from "node:assert/strict";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { createApp } from "../../src/http/app.ts";
import type { OAuthApp, Organization, Refusal, User } from "../../src/records/definition.ts";
import type { EvidenceKind } from "../../src/records/evidence.ts";
import { aMachine, jwtBearer, type Machine, switchedOn } from "../oauth/machine.ts";
import {
  aPerson,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { aMembership, anApp, anOrganization, aSecret, later } from "../support/builders.ts";
import { shortIdIn } from "../support/error_uri.ts";
import {
  authorizeParameters,
  basic,
  challenge,
  codeParameters,
  credentialsOf,
  formOf,
  type Parameters,
} from "../support/flows.ts";
import { readHtml } from "../web/read_html.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

export interface RefusingStage {
  readonly it: TestApp;
  readonly app: FastifyInstance;
  readonly organization: Organization;
  readonly root: User;
  /** `root`, who is a platform administrator, a developer of the organization, and somebody who is neither. */
  readonly administrator: TestBrowser;
  readonly developer: TestBrowser;
  readonly stranger: TestBrowser;
  readonly user: User;
  readonly browser: TestBrowser;
  /** Confidential and first party, of the organization. */
  readonly web: OAuthApp;
  readonly authorization: string;
  readonly public_app: OAuthApp;
  readonly third_party: OAuthApp;
  readonly machine_app: OAuthApp;
  readonly machineAuthorization: string;
  readonly account: Machine;
  post(
    url: string,
    parameters: Parameters | string,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** The authorization endpoint, as whoever is signed in in this browser. */
  asked(app: OAuthApp, given?: Parameters, by?: TestBrowser): Promise<LightMyRequestResponse>;
  code(app?: OAuthApp, given?: Parameters, by?: TestBrowser): Promise<string>;
  redeem(code: string, given?: Parameters, by?: string): Promise<LightMyRequestResponse>;
  tokens(given?: Parameters, by?: TestBrowser): Promise<Record<string, string>>;
}

export async function refusingStage(): Promise<RefusingStage> {
  const it = await testApp();
  const { store, identity } = it;
  const server = { ...it.server, settings: { ...it.server.settings, ...switchedOn } };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const app = createApp({ server, identity, log, secure: true, ready: async () => {}, trust_proxy: [] });
  await app.ready();

  const organization = await anOrganization(store);
  const signedInBrowser = async (person: User) => {
    const browser = testBrowser(app);
    assert.equal((await signInAs(browser, person)).statusCode, 302);
    return browser;
  };
  const root = await aPerson(it, { is_platform_admin: true });
  const user = await aPerson(it);
  const developer = await aPerson(it);
  await aMembership(store, { user_id: developer.id, organization_id: organization.id, role: "developer" });
  const of = { organization_id: organization.id };
  const web = await anApp(store, {
    ...of,
    first_party: true,
    redirect_uris: ["https://elsewhere.example/x", "https://app.example/cb"],
    metadata: {
      resources: ["https://api.example"],
      post_logout_redirect_uris: ["https://app.example/bye"],
    },
  });
  const public_app = await anApp(store, { ...of, public: true, app_type: "spa", first_party: true });
  const third_party = await anApp(store, of);
  const machine_app = await anApp(store, {
    ...of,
    allowed_grants: ["client_credentials", "jwt_bearer"],
    allowed_scopes: ["orders:read", "openid"],
  });
  const authorization = String(await credentialsOf(it, web));
  const browser = await signedInBrowser(user);

  const post: RefusingStage["post"] = (url, parameters, headers = {}) =>
    app.inject({
      method: "POST",
      url,
      headers: { ...form, ...headers },
      payload: typeof parameters === "string" ? parameters : formOf(parameters),
    });
  const asked: RefusingStage["asked"] = (client, given = {}, by = browser) => {
    const redirect_uri = client.redirect_uris.at(-1);
    return by.get(`/oauth/authorize?${formOf(authorizeParameters(client, { redirect_uri, ...given }))}`);
  };
  const code: RefusingStage["code"] = async (client = web, given = {}, by = browser) => {
    const { searchParams } = new URL(String((await asked(client, given, by)).headers.location));
    const value = searchParams.get("code");
    assert.ok(value !== null, String(searchParams));
    return value;
  };
  const redeem: RefusingStage["redeem"] = (value, given = {}, by = authorization) =>
    post("/oauth/token", codeParameters(web, value, { redirect_uri: "https://app.example/cb", ...given }), {
      authorization: by,
    });
  return {
    it,
    app,
    organization,
    root,
    administrator: await signedInBrowser(root),
    developer: await signedInBrowser(developer),
    stranger: await signedInBrowser(await aPerson(it)),
    user,
    browser,
    web,
    authorization,
    public_app,
    third_party,
    machine_app,
    machineAuthorization: String(await credentialsOf(it, machine_app)),
    account: await aMachine({ ...it, server }),
    post,
    asked,
    code,
    redeem,
    async tokens(given = {}, by = browser) {
      const answer = await redeem(await code(web, given, by));
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json();
    },
  };
}

/** The short id in a refusal, whether it is JSON, a redirect or a page. */
export function shortIdOf(answer: LightMyRequestResponse): string {
  const { location } = answer.headers;
  if (location !== undefined) return shortIdIn(new URL(String(location)).searchParams.get("error_uri"));
  if (String(answer.headers["content-type"]).startsWith("application/json")) {
    return shortIdIn(answer.json().error_uri);
  }
  const shown = /\b([0-9A-HJKMNP-TV-Z]{5})-([0-9A-HJKMNP-TV-Z]{5})\b/.exec(answer.body);
  assert.ok(shown !== null, answer.body);
  return `${shown[1]}${shown[2]}`;
}

export interface Explained {
  readonly row: Refusal;
  readonly page: string;
  /** The words of the page. */
  readonly text: string;
}

/** The refusal's row and page, as this browser sees it. */
export async function explained(
  { it, administrator }: RefusingStage,
  answer: LightMyRequestResponse,
  by: TestBrowser = administrator,
): Promise<Explained> {
  const short_id = shortIdOf(answer);
  const page = await by.get(`/console/refusals/${short_id}`);
  assert.equal(page.statusCode, 200, page.body);
  const row = await it.store.find("refusals", { short_id });
  assert.ok(row !== undefined);
  return { row, page: page.body, text: readHtml(page.body).text };
}

export interface RefusedCase {
  readonly kind: EvidenceKind;
  readonly error: string;
  /** What the page shows of it. */
  readonly shows: readonly RegExp[];
  /** Whose it is: the app, or nobody's. */
  readonly about?: "web" | "public_app" | "third_party" | "machine_app";
  make(stage: RefusingStage): Promise<LightMyRequestResponse>;
}

const grant = "client_credentials";
const wrongVerifier = "v".repeat(43);

/** At least one for each kind of evidence. */
export const refusedCases: readonly RefusedCase[] = [
  {
    kind: "redirect_uri",
    error: "invalid_request",
    about: "web",
    shows: [/https:\/\/app\.example\/ C B/, /Differs from the 21st character on\./, /elsewhere\.example/],
    make: ({ asked, web }) => asked(web, { redirect_uri: "https://app.example/CB" }),
  },
  {
    kind: "redirect_uri",
    error: "invalid_request",
    about: "web",
    shows: [/Differs from the 22nd character on\. What was received ends earlier\./],
    make: ({ asked, web }) => asked(web, { redirect_uri: "https://app.example/c" }),
  },
  {
    kind: "code_redirect_uri",
    error: "invalid_grant",
    about: "web",
    shows: [/What was received goes on where the expected one ends\./, /Differs from the 23rd/],
    make: async ({ code, redeem }) => redeem(await code(), { redirect_uri: "https://app.example/cb?x" }),
  },
  {
    kind: "post_logout_redirect_uri",
    error: "invalid_request",
    about: "web",
    shows: [/app\.example\/b/],
    make: ({ app, web }) =>
      app.inject(
        `/oauth/logout?${formOf({ client_id: web.client_id, post_logout_redirect_uri: "https://app.example/by" })}`,
      ),
  },
  {
    kind: "client_id",
    error: "invalid_request",
    shows: [/Received nobody-is-called-so/],
    make: ({ asked, web }) => asked(web, { client_id: "nobody-is-called-so" }),
  },
  {
    kind: "client_id",
    error: "invalid_client",
    shows: [/not shown, since it may be secret/],
    make: ({ post }) => post("/oauth/token", { grant_type: grant }, { authorization: basic("nobody", "x") }),
  },
  {
    kind: "client_id_differs",
    error: "invalid_request",
    shows: [/the-other-one/],
    make: ({ post, authorization }) =>
      post("/oauth/token", { grant_type: grant, client_id: "the-other-one" }, { authorization }),
  },
  {
    kind: "client_inactive",
    error: "invalid_request",
    shows: [/the app is switched off/],
    make: async ({ it, organization, asked }) => {
      const app = await anApp(it.store, { organization_id: organization.id, active: false });
      return asked(app);
    },
  },
  {
    kind: "client_inactive",
    error: "invalid_client",
    shows: [/the app was revoked/],
    make: async ({ it, post }) => {
      const app = await anApp(it.store, { revoked_at: it.clock.now() });
      return post("/oauth/token", { grant_type: grant, client_id: app.client_id, client_secret: "x" });
    },
  },
  {
    kind: "client_authentication",
    error: "invalid_client",
    about: "web",
    shows: [/Received none Expected client_secret_basic client_secret_post/],
    make: ({ post, web }) => post("/oauth/token", { grant_type: grant, client_id: web.client_id }),
  },
  {
    kind: "client_authentication",
    error: "invalid_client",
    about: "public_app",
    shows: [/Received client_secret_post Expected none/],
    make: ({ post, public_app: { client_id } }) =>
      post("/oauth/token", { grant_type: grant, client_id, client_secret: "x" }),
  },
  {
    kind: "two_methods",
    error: "invalid_request",
    shows: [/client_secret_basic client_secret_post/],
    make: ({ post, authorization }) =>
      post("/oauth/token", { grant_type: grant, client_secret: "x" }, { authorization }),
  },
  ...(["client_secret", "client_secret_expired", "client_secret_revoked"] as const).map(
    (kind): RefusedCase => ({
      kind,
      error: "invalid_client",
      shows: [/begins like a secret that has expired/, /live1…/, /old1…/, /gone1…/],
      make: async ({ it, organization, post }) => {
        const { id: app_id, client_id } = await anApp(it.store, { organization_id: organization.id });
        await aSecret(it.store, { app_id, secret_prefix: "live1" });
        await aSecret(it.store, { app_id, secret_prefix: "old1", expires_at: later(-1, it.clock.now()) });
        await aSecret(it.store, {
          app_id,
          secret_prefix: "gone1",
          revoked: true,
          revoked_at: it.clock.now(),
        });
        return post("/oauth/token", { grant_type: grant, client_id, client_secret: "old1-and-more" });
      },
    }),
  ),
  {
    kind: "authorization_header",
    error: "invalid_client",
    shows: [/not Basic and base64/],
    make: ({ post }) => post("/oauth/token", { grant_type: grant }, { authorization: "Basic !!!" }),
  },
  {
    kind: "scope",
    error: "invalid_scope",
    about: "web",
    shows: [/Not among what was expected: orders:write, admin\./],
    make: ({ asked, web }) => asked(web, { scope: "openid orders:write admin" }),
  },
  {
    kind: "scope_of_user",
    error: "invalid_scope",
    about: "machine_app",
    shows: [/openid/],
    make: ({ post, machineAuthorization: authorization }) =>
      post("/oauth/token", { grant_type: grant, scope: "openid" }, { authorization }),
  },
  {
    kind: "scope_lacking",
    error: "insufficient_scope",
    about: "web",
    shows: [/Lacking: openid\./],
    make: async ({ app, tokens }) => {
      const { access_token } = await tokens({ scope: "profile" });
      return app.inject({ url: "/oauth/userinfo", headers: { authorization: `Bearer ${access_token}` } });
    },
  },
  {
    kind: "resource",
    error: "invalid_target",
    about: "web",
    shows: [/https:\/\/other\.example/, /https:\/\/api\.example/],
    make: ({ asked, web }) => asked(web, { resource: "https://other.example" }),
  },
  {
    kind: "audience",
    error: "invalid_token",
    about: "web",
    shows: [/https:\/\/api\.example/, /https:\/\/id\.example/],
    make: async ({ app, tokens }) => {
      const { access_token } = await tokens({ resource: "https://api.example" });
      return app.inject({ url: "/oauth/userinfo", headers: { authorization: `Bearer ${access_token}` } });
    },
  },
  {
    kind: "grant_type",
    error: "unsupported_grant_type",
    about: "web",
    shows: [/Received password Expected authorization_code/],
    make: ({ post, authorization }) => post("/oauth/token", { grant_type: "password" }, { authorization }),
  },
  {
    kind: "allowed_grants",
    error: "unauthorized_client",
    about: "web",
    shows: [/Received client_credentials Expected authorization_code refresh_token/],
    make: ({ post, authorization }) => post("/oauth/token", { grant_type: grant }, { authorization }),
  },
  {
    kind: "allowed_response_types",
    error: "unauthorized_client",
    shows: [/Received code/],
    make: async ({ it, asked }) => asked(await anApp(it.store, { allowed_response_types: [] })),
  },
  {
    kind: "one_of",
    error: "unsupported_response_type",
    about: "web",
    shows: [/response_type/, /Received token Expected code/],
    make: ({ asked, web }) => asked(web, { response_type: "token" }),
  },
  {
    kind: "missing",
    error: "invalid_request",
    about: "web",
    shows: [/A parameter is missing code Received nothing/],
    make: ({ post, authorization }) =>
      post("/oauth/token", { grant_type: "authorization_code" }, { authorization }),
  },
  {
    kind: "repeated",
    error: "invalid_request",
    shows: [/scope Received 3 Expected at most 1/],
    make: ({ post, authorization }) =>
      post("/oauth/token", { grant_type: grant, scope: ["a", "a", "a"] }, { authorization }),
  },
  {
    kind: "malformed",
    error: "invalid_request",
    shows: [/a broken percent-encoding/],
    make: ({ post, authorization }) => post("/oauth/token", "grant_type=%zz", { authorization }),
  },
  {
    kind: "not_supported",
    error: "request_not_supported",
    about: "web",
    shows: [/request Received not shown/],
    make: ({ asked, web }) => asked(web, { request: "a.b.c" }),
  },
  {
    kind: "content_type",
    error: "invalid_request",
    shows: [/application\/json/, /application\/x-www-form-urlencoded/],
    make: ({ post }) => post("/oauth/token", "{}", { "content-type": "application/json; charset=utf-8" }),
  },
  {
    kind: "method",
    error: "invalid_request",
    shows: [/Received GET Expected POST/],
    make: ({ app }) => app.inject("/oauth/token"),
  },
  {
    kind: "too_large",
    error: "invalid_request",
    shows: [/at most 65,536/],
    make: ({ post }) => post("/oauth/token", `x=${"y".repeat(70_000)}`),
  },
  {
    kind: "pkce_required",
    error: "invalid_request",
    about: "public_app",
    shows: [/code_challenge Received nothing/],
    make: ({ asked, public_app }) =>
      asked(public_app, { code_challenge: undefined, code_challenge_method: undefined }),
  },
  {
    kind: "pkce_method",
    error: "invalid_request",
    about: "web",
    shows: [/Received plain Expected S256/],
    make: ({ asked, web }) => asked(web, { code_challenge_method: "plain" }),
  },
  {
    kind: "pkce_challenge",
    error: "invalid_request",
    about: "web",
    shows: [/Received 42 characters Expected 43 to 128 characters/],
    make: ({ asked, web }) => asked(web, { code_challenge: challenge.slice(1) }),
  },
  ...(["pkce_verifier", "length"] as const).map(
    (kind): RefusedCase => ({
      kind,
      error: "invalid_grant",
      about: "web",
      shows: [/a verifier that gives another challenge Expected S256/, /Received 43 characters/],
      make: async ({ code, redeem }) => redeem(await code(), { code_verifier: wrongVerifier }),
    }),
  ),
  {
    kind: "pkce_verifier",
    error: "invalid_grant",
    about: "web",
    shows: [/a verifier, though no challenge had been sent/],
    make: async ({ code, redeem, web }) =>
      redeem(await code(web, { code_challenge: undefined, code_challenge_method: undefined })),
  },
  {
    kind: "unknown_credential",
    error: "invalid_grant",
    about: "web",
    shows: [/not shaped like one of this server's/],
    make: ({ redeem }) => redeem("pac_short"),
  },
  {
    kind: "other_app",
    error: "invalid_grant",
    about: "web",
    shows: [/The code or token was issued to another app code/],
    make: async ({ code, redeem, public_app }) => redeem(await code(public_app)),
  },
  {
    kind: "already_used",
    error: "invalid_grant",
    about: "web",
    shows: [/1 Jan 2030/],
    make: async ({ code, redeem }) => {
      const value = await code();
      assert.equal((await redeem(value)).statusCode, 200);
      return redeem(value);
    },
  },
  {
    kind: "expired",
    error: "invalid_grant",
    about: "web",
    shows: [/Received 75 seconds Expected at most 1 minute/],
    make: async ({ it, code, redeem }) => {
      const value = await code();
      it.clock.advance(75);
      return redeem(value);
    },
  },
  {
    kind: "revoked",
    error: "invalid_grant",
    about: "web",
    shows: [/refresh_token Received revoked/],
    make: async ({ post, tokens, authorization }) => {
      const { refresh_token } = await tokens();
      await post("/oauth/revoke", { token: refresh_token }, { authorization });
      return post("/oauth/token", { grant_type: "refresh_token", refresh_token }, { authorization });
    },
  },
  {
    kind: "ended",
    error: "invalid_grant",
    about: "web",
    shows: [/the person signed out, or the session ended/],
    make: async ({ it, app, code, redeem, web }) => {
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      const value = await code(web, {}, browser);
      const csrf_token = hiddenField(await browser.get("/logout"), "csrf_token");
      assert.equal((await browser.post("/logout", { csrf_token })).statusCode, 200);
      return redeem(value);
    },
  },
  {
    kind: "user_inactive",
    error: "invalid_grant",
    about: "web",
    shows: [/switched off/],
    make: async ({ it, app, code, redeem, web }) => {
      const person = await aPerson(it);
      const browser = testBrowser(app);
      await signInAs(browser, person);
      const value = await code(web, {}, browser);
      await it.store.update("users", { id: person.id }, { active: false });
      return redeem(value);
    },
  },
  {
    kind: "not_signed_in",
    error: "login_required",
    about: "web",
    shows: [/Nobody was signed in prompt Received none/],
    make: ({ app, asked, web }) => asked(web, { prompt: "none" }, testBrowser(app)),
  },
  {
    kind: "auth_age",
    error: "login_required",
    about: "web",
    shows: [/Received 2 minutes Expected at most 1 minute/],
    make: async ({ it, app, asked, web }) => {
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      it.clock.advance(125);
      return asked(web, { prompt: "none", max_age: "60" }, browser);
    },
  },
  {
    kind: "other_user",
    error: "login_required",
    about: "web",
    shows: [/another person/],
    make: async ({ it, app, asked, web, tokens }) => {
      const { id_token } = await tokens();
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      return asked(web, { prompt: "none", id_token_hint: id_token }, browser);
    },
  },
  {
    kind: "consent",
    error: "consent_required",
    about: "third_party",
    shows: [/Not among what was expected: openid\./],
    make: ({ asked, third_party }) => asked(third_party, { prompt: "none" }),
  },
  {
    kind: "denied",
    error: "access_denied",
    about: "third_party",
    shows: [/The person said no/],
    make: async ({ asked, browser, third_party }) => {
      const page = await asked(third_party);
      const fields = {
        request: hiddenField(page, "request"),
        csrf_token: hiddenField(page, "csrf_token"),
        decision: "deny",
      };
      return browser.post("/consent", fields);
    },
  },
  {
    kind: "consent_form",
    error: "invalid_request",
    shows: [/a form that this server did not make/],
    make: async ({ asked, browser, third_party }) => {
      const csrf_token = hiddenField(await asked(third_party), "csrf_token");
      return browser.post("/consent", { request: "x", csrf_token, decision: "allow" });
    },
  },
  {
    kind: "foreign_form",
    error: "invalid_request",
    shows: [/no token of a form that this browser was shown/],
    make: ({ browser }) => browser.post("/consent", { request: "x", csrf_token: "x", decision: "allow" }),
  },
  {
    kind: "dead_link",
    error: "invalid_request",
    shows: [/The link works no more/],
    make: async ({ it, root, browser }) => {
      // Such a link is looked at only while there is no administrator.
      await it.store.update("users", { is_platform_admin: true }, { is_platform_admin: false });
      const answer = await browser.get("/setup?token=x");
      await it.store.update("users", { id: root.id }, { is_platform_admin: true });
      return answer;
    },
  },
  {
    kind: "id_token_hint",
    error: "invalid_request",
    about: "web",
    shows: [/no id_token of this server/],
    make: ({ asked, web }) => asked(web, { id_token_hint: "x" }),
  },
  {
    kind: "sign_in",
    error: "access_denied",
    shows: [/nobody has this e-mail address/],
    make: ({ app }) => signInAs(testBrowser(app), { email: "nobody@example.com" }),
  },
  {
    kind: "throttled",
    error: "access_denied",
    shows: [/Received 15 minutes/],
    make: async ({ app }) => {
      const browser = testBrowser(app);
      for (let guess = 0; guess < 10; guess += 1) await signInAs(browser, { email: "often@example.com" });
      return signInAs(browser, { email: "often@example.com" });
    },
  },
  {
    kind: "assertion",
    error: "invalid_grant",
    about: "machine_app",
    shows: [/aud Received "https:\/\/other\.example" Expected https:\/\/id\.example/],
    make: async ({ post, account, machineAuthorization: authorization }) => {
      const assertion = await account.assertion({ aud: "https://other.example" });
      return post("/oauth/token", { grant_type: jwtBearer, assertion }, { authorization });
    },
  },
  {
    kind: "assertion_key",
    error: "invalid_grant",
    about: "machine_app",
    shows: [/the service account has no key of this kid/, /kid Received another/],
    make: async ({ post, account, machineAuthorization: authorization }) => {
      const assertion = await account.assertion({}, { kid: "another" });
      return post("/oauth/token", { grant_type: jwtBearer, assertion }, { authorization });
    },
  },
];
