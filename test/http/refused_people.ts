/** Refusals of users and service accounts, each caused over HTTP. */
import { jwtBearer } from "../oauth/machine.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPerson, hiddenField, signInAs, testBrowser } from "../support/app.ts";
import { aProvider } from "../support/scripted_providers.ts";
import type { RefusedCase } from "./refusing.ts";

/** At least one refusal for each kind of evidence about users and service accounts. */
export const refusedPeople: readonly RefusedCase[] = [
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
    shows: [/The user was not signed in prompt Received none/],
    make: ({ app, requested, web }) => requested(web, { prompt: "none" }, testBrowser(app)),
  },
  {
    kind: "auth_age",
    error: "login_required",
    about: "web",
    shows: [/Received 2 minutes Expected at most 1 minute/],
    make: async ({ it, app, requested, web }) => {
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      it.clock.advance(125);
      return requested(web, { prompt: "none", max_age: "60" }, browser);
    },
  },
  {
    kind: "acr_not_held",
    error: "login_required",
    about: "web",
    shows: [/Received urn:postern:acr:password/, /Expected urn:postern:acr:mfa/],
    make: async ({ it, app, requested, web }) => {
      const [browser, person] = [testBrowser(app), await aPerson(it)];
      await signInAs(browser, person);
      await insertAny(it.store, "totp_authenticators", { users: person.id });
      return requested(web, { prompt: "none", acr_values: "urn:postern:acr:mfa" }, browser);
    },
  },
  {
    kind: "acr_unreachable",
    error: "unmet_authentication_requirements",
    about: "web",
    shows: [/Received urn:postern:acr:password/, /Expected phr/],
    make: async ({ it, app, requested, web }) => {
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      await it.store.update("oauth_apps", { id: web.id }, { require_acr: "phr" });
      const answer = await requested(web, {}, browser);
      await it.store.update("oauth_apps", { id: web.id }, { require_acr: null });
      return answer;
    },
  },
  {
    kind: "other_user",
    error: "login_required",
    about: "web",
    shows: [/another user/],
    make: async ({ it, app, requested, web, tokens }) => {
      const { id_token } = await tokens();
      const browser = testBrowser(app);
      await signInAs(browser, await aPerson(it));
      return requested(web, { prompt: "none", id_token_hint: id_token }, browser);
    },
  },
  {
    kind: "consent",
    error: "consent_required",
    about: "third_party",
    shows: [/Not expected: openid\./],
    make: ({ requested, third_party }) => requested(third_party, { prompt: "none" }),
  },
  {
    kind: "consent",
    error: "consent_required",
    about: "web",
    shows: [/Send the user to \/oauth\/authorize with the same organization/],
    make: async ({ it, web, tokens, post, authorization }) => {
      const { refresh_token } = await tokens();
      const asks = { first_party: false, organization_mode: "optional" } as const;
      await it.store.update("oauth_apps", { id: web.id }, asks);
      const refresh = { grant_type: "refresh_token", refresh_token, organization: "elsewhere" };
      const answer = await post("/oauth/token", refresh, { authorization });
      const usual = { first_party: true, organization_mode: "none" } as const;
      await it.store.update("oauth_apps", { id: web.id }, usual);
      return answer;
    },
  },
  {
    kind: "not_admitted",
    error: "access_denied",
    about: "web",
    shows: [/who_may_sign_in/],
    make: async ({ it, requested, web }) => {
      await it.store.update("oauth_apps", { id: web.id }, { who_may_sign_in: "members" });
      const answer = await requested(web, { prompt: "none" });
      await it.store.update("oauth_apps", { id: web.id }, { who_may_sign_in: "any" });
      return answer;
    },
  },
  {
    kind: "denied",
    error: "access_denied",
    about: "third_party",
    shows: [/The user denied the request/],
    make: async ({ requested, browser, third_party }) => {
      const page = await requested(third_party);
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
    shows: [/a form that is not from this server/],
    make: async ({ requested, browser, third_party }) => {
      const csrf_token = hiddenField(await requested(third_party), "csrf_token");
      return browser.post("/consent", { request: "x", csrf_token, decision: "allow" });
    },
  },
  {
    kind: "foreign_form",
    error: "invalid_request",
    shows: [/no form token that was issued to this browser/],
    make: ({ browser }) => browser.post("/consent", { request: "x", csrf_token: "x", decision: "allow" }),
  },
  {
    kind: "dead_link",
    error: "invalid_request",
    shows: [/The link has expired or was already used/],
    make: async ({ it, root, browser }) => {
      // The link is checked only while there is no administrator.
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
    shows: [/not an ID token of this server/],
    make: ({ requested, web }) => requested(web, { id_token_hint: "x" }),
  },
  {
    kind: "sign_in",
    error: "access_denied",
    shows: [/no user has this email address/],
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
    kind: "upstream",
    error: "access_denied",
    shows: [/sent an unexpected response/, /acme: error/, /Received invalid_grant/],
    make: async ({ it, app }) => {
      const { slug } = await aProvider(it.store, { slug: "acme" });
      const browser = testBrowser(app);
      const page = await browser.get("/login");
      const csrf_token = hiddenField(page, "csrf_token");
      const sent = await browser.post(`/sign-in/${slug}`, { csrf_token });
      const state = new URL(String(sent.headers.location)).searchParams.get("state");
      return browser.get(`/sign-in/${slug}/callback?state=${state}&code=unknown`);
    },
  },
  {
    kind: "upstream",
    error: "invalid_request",
    shows: [/sent an unexpected response/, /staff: signature/, /Received RS256/],
    make: async ({ it, post }) => {
      const { slug } = await aProvider(it.store, { slug: "staff" });
      return post(`/sign-in/${slug}/backchannel-logout`, { logout_token: "forged" });
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
    shows: [/the service account has no key with this kid/, /kid Received another/],
    make: async ({ post, account, machineAuthorization: authorization }) => {
      const assertion = await account.assertion({}, { kid: "another" });
      return post("/oauth/token", { grant_type: jwtBearer, assertion }, { authorization });
    },
  },
];
