/** Refusals of clients, each caused over HTTP. */
import assert from "node:assert/strict";
import { aPerson, hiddenField, signInAs, testBrowser } from "../support/app.ts";
import { anApp, aResource, aSecret, later } from "../support/builders.ts";
import { basic, challenge, formOf } from "../support/flows.ts";
import type { RefusedCase } from "./refusing.ts";

const grant = "client_credentials";
const wrongVerifier = "v".repeat(43);

/** At least one refusal for each kind of evidence about apps, parameters, codes and tokens. */
export const refusedClients: readonly RefusedCase[] = [
  {
    kind: "organization",
    error: "access_denied",
    about: "web",
    shows: [/elsewhere/],
    async make({ requested, web, it }) {
      await it.store.update("oauth_apps", { id: web.id }, { organization_mode: "optional" });
      const answer = await requested(web, { organization: "elsewhere" });
      await it.store.update("oauth_apps", { id: web.id }, { organization_mode: "none" });
      return answer;
    },
  },
  {
    kind: "redirect_uri",
    error: "invalid_request",
    about: "web",
    shows: [/https:\/\/app\.example\/ C B/, /Differs starting at the 21st character\./, /elsewhere\.example/],
    make: ({ requested, web }) => requested(web, { redirect_uri: "https://app.example/CB" }),
  },
  {
    kind: "redirect_uri",
    error: "invalid_request",
    about: "web",
    shows: [/Differs starting at the 22nd character\. The received value ends early\./],
    make: ({ requested, web }) => requested(web, { redirect_uri: "https://app.example/c" }),
  },
  {
    kind: "code_redirect_uri",
    error: "invalid_grant",
    about: "web",
    shows: [/The received value has extra characters at the end\./, /Differs starting at the 23rd/],
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
    make: ({ requested, web }) => requested(web, { client_id: "nobody-is-called-so" }),
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
    kind: "client_document",
    error: "invalid_client",
    shows: [/Received https:\/\/client\.example:1\/\.\.\/client\.json/],
    make: async ({ it, requested, web }) => {
      await aResource(it.store, { who_may_ask: "any" });
      return requested(web, { client_id: "https://client.example:1/../client.json" });
    },
  },
  {
    kind: "client_inactive",
    error: "invalid_request",
    shows: [/the app is switched off/],
    make: async ({ it, organization, requested }) => {
      const app = await anApp(it.store, { organization_id: organization.id, active: false });
      return requested(app);
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
    shows: [/Not expected: orders:write, admin\./],
    make: ({ requested, web }) => requested(web, { scope: "orders:write admin" }),
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
    shows: [/Missing: openid\./],
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
    make: ({ requested, web }) => requested(web, { resource: "https://other.example" }),
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
    make: async ({ it, requested }) => requested(await anApp(it.store, { allowed_response_types: [] })),
  },
  {
    kind: "one_of",
    error: "unsupported_response_type",
    about: "web",
    shows: [/response_type/, /Received token Expected code/],
    make: ({ requested, web }) => requested(web, { response_type: "token" }),
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
    shows: [/invalid percent-encoding/],
    make: ({ post, authorization }) => post("/oauth/token", "grant_type=%zz", { authorization }),
  },
  {
    kind: "not_supported",
    error: "request_not_supported",
    about: "web",
    shows: [/request Received not shown/],
    make: ({ requested, web }) => requested(web, { request: "a.b.c" }),
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
    make: ({ requested, public_app }) =>
      requested(public_app, { code_challenge: undefined, code_challenge_method: undefined }),
  },
  {
    kind: "pkce_method",
    error: "invalid_request",
    about: "web",
    shows: [/Received plain Expected S256/],
    make: ({ requested, web }) => requested(web, { code_challenge_method: "plain" }),
  },
  {
    kind: "pkce_challenge",
    error: "invalid_request",
    about: "web",
    shows: [/Received 42 characters Expected 43 to 128 characters/],
    make: ({ requested, web }) => requested(web, { code_challenge: challenge.slice(1) }),
  },
  ...(["pkce_verifier", "length"] as const).map(
    (kind): RefusedCase => ({
      kind,
      error: "invalid_grant",
      about: "web",
      shows: [/a verifier for another challenge Expected S256/, /Received 43 characters/],
      make: async ({ code, redeem }) => redeem(await code(), { code_verifier: wrongVerifier }),
    }),
  ),
  {
    kind: "pkce_verifier",
    error: "invalid_grant",
    about: "web",
    shows: [/a verifier, although no challenge was sent/],
    make: async ({ code, redeem, web }) =>
      redeem(await code(web, { code_challenge: undefined, code_challenge_method: undefined })),
  },
  {
    kind: "unknown_credential",
    error: "invalid_grant",
    about: "web",
    shows: [/not in the format of this server's codes and tokens/],
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
    shows: [/the user signed out, or the session ended/],
    make: async ({ it, app, code, redeem, web }) => {
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      const value = await code(web, {}, browser);
      const csrf_token = hiddenField(await browser.get("/logout"), "csrf_token");
      assert.equal((await browser.post("/logout", { csrf_token })).statusCode, 303);
      return redeem(value);
    },
  },
];
