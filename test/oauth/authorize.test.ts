import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { OAuthError } from "../../src/errors.ts";
import { authorize } from "../../src/oauth/authorize/authorize.ts";
import { describePending, pendingRequest } from "../../src/oauth/authorize/pending_request.ts";
import { readForm } from "../../src/oauth/core/params.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { issuer, type TestServer } from "../support/authorization_server.ts";
import { anApp, anOrganization, aResource } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, reactivate, revokeApp } from "../support/endings.ts";
import {
  ask,
  authorizeParameters,
  challenge,
  origin,
  type Parameters,
  redirected,
} from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { listed } from "../support/listed.ts";
import { authorizationFixture, authorizationOutcomes } from "./authorization_outcomes.ts";

describeInForm("the authorization endpoint", (database) => {
  let as: TestServer;
  let who: SignedIn;
  let app: OAuthApp;
  const { answered, refusedWith, succeedsWith } = authorizationOutcomes(() => ({ as, who, app }));

  before(async () => {
    ({ as, who, app } = await authorizationFixture(database));
  });

  /** Expects an error page, with and without a session, because no redirect target is safe. */
  async function pageFor(parameters: Parameters, message: RegExp): Promise<void> {
    for (const by of [undefined, who]) {
      await assert.rejects(ask(as, by, parameters), {
        name: "OAuthError",
        code: "invalid_request",
        message,
      });
    }
  }

  test("A-3: without a session, the request is passed to the sign-in byte for byte as received", async () => {
    const query = `state=a+b%2525&client_id=${app.client_id}&x=%C3%A9&redirect_uri=https://app.example/cb&scope=openid`;
    const url = `/oauth/authorize?${query}`;
    const input = { params: readForm(query), url, signedIn: undefined, origin };
    assert.deepEqual(await authorize(input, as.server), { type: "login", url });
  });

  test("A-3: a request that waits for sign-in keeps all its parameters in its URL", async () => {
    const form =
      "scope=openid+profile&state=%26%3D%25&resource=https://a.example&resource=https://b.example&e=";
    const pairs = async (url: string) => (await pendingRequest(url, as.server)).params.pairs;
    assert.deepEqual(await pairs(`/oauth/authorize?${form}`), readForm(form).pairs);
    assert.deepEqual(await pairs("/oauth/authorize"), []);
  });

  test("A-4, design 6.5: response_type must be code, and any other value redirects with an error and the state", async () => {
    const missing = await refusedWith("invalid_request", { response_type: undefined });
    assert.match(missing.get("error_description") ?? "", /response_type is missing/);
    await refusedWith("invalid_request", { response_type: "" });
    for (const response_type of [
      "CODE",
      "Code",
      " code",
      "code ",
      "token",
      "id_token",
      "code id_token",
      "none",
    ]) {
      const answer = await refusedWith("unsupported_response_type", { response_type, state: "kept" });
      assert.equal(answer.get("state"), "kept");
    }
  });

  test("A-5: a client_id that is unknown, missing, empty or in another case gets an error page and no redirect", async () => {
    const parameters = authorizeParameters(app);
    await pageFor({ ...parameters, client_id: undefined }, /client_id is missing/);
    await pageFor({ ...parameters, client_id: "" }, /client_id is missing/);
    for (const client_id of [
      "nobody",
      app.client_id.toUpperCase(),
      `${app.client_id} `,
      app.id,
      "__proto__",
    ]) {
      await pageFor({ ...parameters, client_id }, /no client with this client_id/);
    }
  });

  test("A-5: an unknown client gets an error page even with prompt=none", async () => {
    await pageFor({ ...authorizeParameters(app), client_id: "nobody", prompt: "none" }, /no client/);
  });

  test("C-12: a client that is inactive or revoked, or whose organization is inactive, gets an error page at once", async () => {
    const organization = await anOrganization(as.store);
    const theirs = await anApp(as.store, { first_party: true, organization_id: organization.id });
    const parameters = authorizeParameters(theirs);
    const { store, clock } = as;
    await succeedsWith({}, theirs);

    await store.update("oauth_apps", { id: theirs.id }, { active: false });
    await pageFor(parameters, /not active/);
    await store.update("oauth_apps", { id: theirs.id }, { active: true });
    await succeedsWith({}, theirs);

    await deactivate(store, "organizations", organization.id, clock.now());
    await pageFor(parameters, /not active/);
    await reactivate(store, "organizations", organization.id, clock.now());
    await succeedsWith({}, theirs);

    await revokeApp(store, theirs.id, clock.now());
    await pageFor(parameters, /not active/);
  });

  test("A-6: redirect_uri is required even if the client has registered only one, and must not be empty", async () => {
    for (const redirect_uri of [undefined, ""]) {
      await pageFor({ ...authorizeParameters(app), redirect_uri }, /redirect_uri is missing/);
    }
  });

  test("A-11: a repeated client_id or redirect_uri gets an error page, even if both values are the same", async () => {
    const parameters = authorizeParameters(app);
    for (const name of ["client_id", "redirect_uri"]) {
      const value = String(parameters[name]);
      await pageFor({ ...parameters, [name]: [value, value] }, new RegExp(`${name} must not be repeated`));
      await pageFor(
        { ...parameters, [name]: [value, "https://evil.example/"] },
        new RegExp(`${name} must not be repeated`),
      );
      await pageFor({ ...parameters, [name]: ["", value] }, new RegExp(`${name} must not be repeated`));
    }
  });

  test("A-11: any other repeated parameter is refused by a redirect, and neither value is used", async () => {
    const values: Parameters = {
      response_type: "code",
      scope: "openid",
      state: "s",
      nonce: "n",
      code_challenge: challenge,
      code_challenge_method: "S256",
      prompt: "consent",
      max_age: "60",
      login_hint: "ada",
      id_token_hint: "x",
      response_mode: "query",
      display: "page",
      ui_locales: "en",
      acr_values: "1",
      unknown: "u",
    };
    for (const [name, value] of Object.entries(values)) {
      for (const pair of [
        [String(value), String(value)],
        [String(value), "other"],
        ["", String(value)],
      ]) {
        const answer = await refusedWith("invalid_request", { [name]: pair });
        assert.equal(answer.get("error_description"), `the parameter ${name} must not be repeated`);
        assert.equal(answer.has("state"), name !== "state");
      }
    }
  });

  test("A-12: unknown parameters are ignored, and one without a value counts as omitted", async () => {
    await succeedsWith({
      access_type: "offline",
      include_granted_scopes: "true",
      foo: "bar",
      __proto: "x",
    });
    await succeedsWith({
      nonce: "",
      prompt: "",
      max_age: "",
      response_mode: "",
      request: "",
      resource: "",
    });
    const { params } = { params: await answered({ state: "" }) };
    assert.equal(params.has("state"), false);
  });

  test("design 6.3: client and redirect_uri are checked first, then prompt=none, then the sign-in, then other parameters", async () => {
    const wrong = {
      response_type: "token",
      scope: undefined,
      request: "x",
      code_challenge: undefined,
      max_age: "x",
    };
    await pageFor(
      { ...authorizeParameters(app, { ...wrong, prompt: "none" }), redirect_uri: "https://x.example" },
      /not registered/,
    );
    const nobody = await ask(as, undefined, authorizeParameters(app, wrong));
    assert.equal(nobody.type, "login");
    const silent = redirected(
      await ask(as, undefined, authorizeParameters(app, { ...wrong, prompt: "none" })),
    );
    assert.equal(silent.get("error"), "login_required");
    await refusedWith("invalid_request", wrong);
  });

  test("the login page gets the client and login_hint of a request only if client and redirect_uri are valid", async () => {
    const parameters = {
      client_id: app.client_id,
      redirect_uri: "https://app.example/cb",
      login_hint: "ada@example.com",
    };
    const url = (provided: Record<string, string>) =>
      `/oauth/authorize?${new URLSearchParams({ ...parameters, ...provided })}`;
    assert.deepEqual(await describePending(url({}), as.server), {
      client_name: "Orders",
      login_hint: "ada@example.com",
      redirect_uri: "https://app.example/cb",
    });
    for (const pending of [
      url({ client_id: "nobody" }),
      url({ redirect_uri: "https://evil.example" }),
      `${url({})}&client_id=${app.client_id}`,
      `${url({})}&x=%FF`,
      "/oauth/authorize",
      "/account",
      "/",
    ]) {
      assert.deepEqual(await describePending(pending, as.server), {}, pending);
    }
  });

  test("H-1: any parameters lead to a defined result or an OAuth error", async () => {
    const open = await anApp(as.store, {
      public: true,
      app_type: "native",
      redirect_uris: ["http://127.0.0.1/cb"],
    });
    const names = [
      ...["response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge"],
      ...listed`code_challenge_method prompt max_age resource id_token_hint login_hint request`,
      ...["response_mode", "__proto__", "constructor"],
    ];
    const anything = fc.string({ unit: codePoint, maxLength: 40 });
    const value = fc.oneof(
      anything,
      fc.constantFrom(
        ...[
          "code",
          "none",
          "login consent",
          "select_account",
          "0",
          "9999999999",
          "-1",
          "openid",
          "openid profile",
        ],
        ...[
          "https://orders.example/api",
          "http://127.0.0.1:1/cb",
          "\0",
          "é".repeat(100),
          "x".repeat(3000),
          "{}",
        ],
        ...["eyJhbGciOiJub25lIn0.e30.", "S256", "%", challenge],
      ),
    );
    const change = fc.tuple(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: anything }),
      fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) }),
      fc.boolean(),
    );
    const property = fc.asyncProperty(
      fc.array(change, { maxLength: 5 }),
      fc.boolean(),
      fc.boolean(),
      async (changes, known, native) => {
        const client = native ? open : app;
        const sent = new Map(
          Object.entries(authorizeParameters(client)).map(([name, each]) => [name, [String(each)]]),
        );
        for (const [name, each, beside] of changes) {
          if (each === undefined) sent.delete(name);
          else sent.set(name, beside ? [...(sent.get(name) ?? []), each] : [each]);
        }
        try {
          const outcome = await ask(as, known ? who : undefined, Object.fromEntries(sent));
          assert.ok(["login", "select_account", "consent", "redirect"].includes(outcome.type));
          if (outcome.type !== "redirect") return;
          const answer = redirected(outcome);
          assert.notEqual(answer.has("code"), answer.has("error"));
          assert.equal(answer.get("iss"), issuer);
          assert.ok(outcome.location.startsWith(sent.get("redirect_uri")?.[0] ?? "-"));
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
        }
      },
    );
    await fc.assert(property, { numRuns: inForm(100, 300) });
  });
});

describeInForm("the parameters of an authorization request", (database) => {
  let as: TestServer;
  let who: SignedIn;
  let app: OAuthApp;
  const { refusedWith, succeedsWith } = authorizationOutcomes(() => ({ as, who, app }));

  before(async () => {
    ({ as, who, app } = await authorizationFixture(database));
  });

  test("A-13: scope is required, and must consist of valid scopes that the client may request", async () => {
    for (const scope of [
      undefined,
      "",
      " ",
      "unknown",
      "profile unknown",
      "openid email",
      "openid email unknown",
      "OPENID",
      "openid\tprofile",
      "openid\nprofile",
      "openid,profile",
      'openid "',
      "openid \\",
      "openid \u00e9",
      "orders:read orders:write",
      "orders:*",
    ]) {
      await refusedWith("invalid_scope", { scope });
    }
    for (const scope of ["openid", "orders:read", "profile openid", " openid  profile ", "openid openid"]) {
      await succeedsWith({ scope });
    }
  });

  test("A-13: with openid, a scope without a definition is ignored, and stored for the app's checks", async () => {
    const other = await anOrganization(as.store);
    await aResource(as.store, { scopes: { "stock:read": null } });
    await aResource(as.store, { scopes: { "secret:read": null }, organization_id: other.id });
    const openid_only = await anApp(as.store, { first_party: true });
    for (const scope of ["openid stock:read", "openid unknown stock:read", "openid postern:manage"]) {
      await refusedWith("invalid_scope", { scope }, openid_only);
    }
    const known = () => as.store.passedOverScopes(openid_only.id, as.clock.now());
    assert.deepEqual(await known(), []);
    await succeedsWith({ scope: "openid groups profile secret:read" }, openid_only);
    const [code] = await as.store.list("oauth_auth_codes", { app_id: openid_only.id });
    assert.deepEqual(code?.scopes, ["openid", "profile"]);
    assert.deepEqual(await known(), ["groups", "secret:read"]);
    await succeedsWith({ scope: "openid roles groups" }, openid_only);
    await succeedsWith({ scope: `openid prt_${"x".repeat(40)}` }, openid_only);
    assert.deepEqual(await known(), ["…", "roles", "groups", "secret:read"], "H-5");
    const many = Array.from({ length: 12 }, (_, at) => `n${at}${"x".repeat(120)}`);
    await succeedsWith({ scope: ["openid", ...many].join(" ") }, openid_only);
    const kept = many.slice(0, 10).map((name) => name.slice(0, 100));
    assert.deepEqual(await known(), kept);
    as.clock.advance(7 * 86_400);
    assert.deepEqual(await known(), []);
  });

  test("A-13: an authorization request never grants a scope reserved for this server, even if the app has it", async () => {
    const powerful = await anApp(as.store, {
      first_party: true,
      allowed_scopes: ["openid", "token:introspect", "postern:admin"],
    });
    await succeedsWith({ scope: "openid" }, powerful);
    await refusedWith("invalid_scope", { scope: "openid token:introspect" }, powerful);
    await refusedWith("invalid_scope", { scope: "postern:admin" }, powerful);
  });

  test("R-11: offline_access is accepted from a client that may refresh, and ignored for others", async () => {
    const allowed_scopes = ["openid"];
    const refreshing = await anApp(as.store, { first_party: true, allowed_scopes });
    const unable = await anApp(as.store, {
      first_party: true,
      allowed_scopes: ["openid", "offline_access"],
      allowed_grants: ["auth_code"],
    });
    const scopesOf = async (by: OAuthApp) => {
      const [code] = await as.store.list("oauth_auth_codes", { app_id: by.id });
      return code?.scopes;
    };
    await succeedsWith({ scope: "openid offline_access", access_type: "offline" }, refreshing);
    assert.deepEqual(await scopesOf(refreshing), ["openid", "offline_access"]);
    await succeedsWith({ scope: "openid offline_access" }, unable);
    assert.deepEqual(await scopesOf(unable), ["openid"]);
    await refusedWith("invalid_scope", { scope: "offline_access" }, unable);
  });

  test("design 6.4: a grant or response type that the client may not use is refused by redirect", async () => {
    const grantless = await anApp(as.store, {
      first_party: true,
      allowed_grants: ["refresh", "client_credentials"],
    });
    await refusedWith("unauthorized_client", {}, grantless);
    const typeless = await anApp(as.store, { first_party: true, allowed_response_types: [] });
    await refusedWith("unauthorized_client", {}, typeless);
  });

  test("A-14: a public client must use PKCE, and a confidential one may do without", async () => {
    const open = await anApp(as.store, { first_party: true, public: true, app_type: "spa" });
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    await succeedsWith({}, open);
    await refusedWith("invalid_request", bare, open);
    await refusedWith("invalid_request", { code_challenge: "", code_challenge_method: "" }, open);
    await succeedsWith(bare);
  });

  test("A-14: code_challenge_method must be S256, and is refused without a code_challenge and the reverse", async () => {
    for (const code_challenge_method of [
      undefined,
      "",
      "plain",
      "s256",
      "S256 ",
      "S512",
      "toString",
      "__proto__",
    ]) {
      await refusedWith("invalid_request", { code_challenge_method });
    }
    await refusedWith("invalid_request", { code_challenge: undefined });
    await refusedWith("invalid_request", { code_challenge: "" });
  });

  test("A-14: a code_challenge has 43 to 128 unreserved characters", async () => {
    for (const code_challenge of ["A".repeat(43), "a-._~9".padEnd(128, "z")])
      await succeedsWith({ code_challenge });
    for (const code_challenge of [
      "A".repeat(42),
      "A".repeat(129),
      `${"A".repeat(43)}=`,
      `${"A".repeat(42)}+`,
      `${"A".repeat(42)}/`,
      `${"A".repeat(42)} `,
      `${"A".repeat(43)}\n`,
      `${"A".repeat(42)}\u00e9`,
    ]) {
      await refusedWith("invalid_request", { code_challenge });
    }
  });

  test("A-25: request, request_uri and registration are refused with their error codes, and nothing is fetched", async () => {
    await refusedWith("request_not_supported", { request: "eyJhbGciOiJub25lIn0.e30." });
    await refusedWith("request_uri_not_supported", { request_uri: "https://app.example/request.jwt" });
    await refusedWith("registration_not_supported", { registration: "{}" });
  });

  test("design 6.14: response_mode may be query or omitted", async () => {
    await succeedsWith({ response_mode: "query" });
    for (const response_mode of ["fragment", "form_post", "web_message", "Query"]) {
      await refusedWith("invalid_request", { response_mode });
    }
  });

  describe("resources (RFC 8707)", () => {
    let api: OAuthApp;
    const orders = "https://orders.example/api";
    const billing = "urn:example:billing";
    beforeEach(async () => {
      api = await anApp(as.store, { first_party: true, metadata: { resources: [orders, billing] } });
    });
    const kept = async () => {
      const [code] = await as.store.list("oauth_auth_codes", { app_id: api.id });
      return JSON.parse(code?.request_data ?? "{}").resource;
    };

    test("design 6.13: an allowed resource is stored with the authorization code", async () => {
      await succeedsWith({ resource: orders }, api);
      assert.deepEqual(await kept(), [orders]);
    });

    test("design 6.13: resource may be repeated, and duplicates count once", async () => {
      await succeedsWith({ resource: [orders, billing, orders] }, api);
      assert.deepEqual(await kept(), [orders, billing]);
    });

    test("design 6.13: a resource that is not allowed, or not an absolute URI, is refused with invalid_target", async () => {
      for (const resource of [
        "https://other.example",
        `${orders}/`,
        "https://ORDERS.example/API",
        `${orders}#fragment`,
        "/api",
        "orders",
        [orders, "https://other.example"],
      ]) {
        await refusedWith("invalid_target", { resource }, api);
      }
      await refusedWith("invalid_target", { resource: orders });
    });
  });
});
