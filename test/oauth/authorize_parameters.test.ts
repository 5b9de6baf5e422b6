import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { OAuthApp } from "../../src/records/definition.ts";
import type { SignedIn } from "../../src/records/request_origin.ts";
import type { TestServer } from "../support/authorization_server.ts";
import { anApp, anOrganization, aResource } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { asking, askingStage } from "./asking.ts";

describeInForm("what an authorization request asks for", (database) => {
  let as: TestServer;
  let who: SignedIn;
  let app: OAuthApp;
  const { refusedWith, succeedsWith } = asking(() => ({ as, who, app }));

  before(async () => {
    ({ as, who, app } = await askingStage(database));
  });

  test("A-13: scope is required, and only allowed scopes in RFC 6749's characters pass", async () => {
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

  test("A-13: with openid, a scope that nothing defines is passed over and kept for the app's checks", async () => {
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
    const many = Array.from({ length: 12 }, (_, at) => `n${at}${"x".repeat(120)}`);
    assert.deepEqual(await known(), ["roles", "groups", "secret:read"]);
    await succeedsWith({ scope: ["openid", ...many].join(" ") }, openid_only);
    const kept = many.slice(0, 10).map((name) => name.slice(0, 100));
    assert.deepEqual(await known(), kept);
    as.clock.advance(7 * 86_400);
    assert.deepEqual(await known(), []);
  });

  test("A-13: a scope that is this server's own power is granted to nobody, even where the app holds it", async () => {
    const powerful = await anApp(as.store, {
      first_party: true,
      allowed_scopes: ["openid", "token:introspect", "postern:admin"],
    });
    await succeedsWith({ scope: "openid" }, powerful);
    await refusedWith("invalid_scope", { scope: "openid token:introspect" }, powerful);
    await refusedWith("invalid_scope", { scope: "postern:admin" }, powerful);
  });

  test("R-11: offline_access is taken from every client that may refresh and left out for every other", async () => {
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

  test("design 6.4: a grant or response type that the app may not use is refused by redirect", async () => {
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

  test("A-14: S256 is the only method, it must be named, and neither half comes alone", async () => {
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

  test("A-14: a challenge has 43 to 128 unreserved characters", async () => {
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

  test("A-25: request, request_uri and registration are refused by their registered codes, and nothing is fetched", async () => {
    await refusedWith("request_not_supported", { request: "eyJhbGciOiJub25lIn0.e30." });
    await refusedWith("request_uri_not_supported", { request_uri: "https://app.example/request.jwt" });
    await refusedWith("registration_not_supported", { registration: "{}" });
  });

  test("design 6.14: response_mode is query or nothing", async () => {
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

    test("design 6.13: an allowed resource is kept with the code", async () => {
      await succeedsWith({ resource: orders }, api);
      assert.deepEqual(await kept(), [orders]);
    });

    test("design 6.13: resource may be repeated, and each counts once", async () => {
      await succeedsWith({ resource: [orders, billing, orders] }, api);
      assert.deepEqual(await kept(), [orders, billing]);
    });

    test("design 6.13: a resource that is not allowed, or is no absolute URI, is invalid_target", async () => {
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
