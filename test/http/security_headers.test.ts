import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contentSecurityPolicy, formAction, securityHeaders } from "../../src/http/security_headers.ts";
import { isOwnPlace } from "../../src/http/target.ts";

describe("security headers", () => {
  test("H-2: only a server on https sends Strict-Transport-Security", () => {
    for (const kind of ["kept", "program", "browser"] as const) {
      assert.equal(securityHeaders(true)[kind]["strict-transport-security"], "max-age=31536000");
      assert.ok(!("strict-transport-security" in securityHeaders(false)[kind]));
    }
  });

  test("A-23: only forms of the account may redirect to a provider, and only to the provider's URI scheme", () => {
    assert.equal(formAction(), "'self'");
    assert.equal(formAction(["no address", undefined]), "'self'");
    assert.equal(formAction(["https://id.example/authorize"]), "'self' https:");
    assert.equal(formAction(["http://[::1]:9000/authorize"]), "'self' http: https:");
  });

  test("A-23: pages of this server isolate their window, except the pages of a sign-in", () => {
    for (const url of ["/account", "/account?a=b", "/console/apps/1", "/setup?token=x", "/api/docs", "/dev"])
      assert.ok(isOwnPlace(url), url);
    for (const url of [
      "/",
      "/login",
      "/oauth/authorize",
      "/consent",
      "/accounts",
      "/logout",
      "/register/finish",
    ])
      assert.ok(!isOwnPlace(url), url);
  });

  test("A-23: no redirect URI can add a directive to the content security policy", () => {
    for (const uri of ["https://a.example/;script-src *", "x y:;script-src *", "https:;script-src *//a"]) {
      const directives = contentSecurityPolicy(formAction([uri])).split("; ");
      assert.equal(directives.length, 7);
      assert.deepEqual(
        directives.filter((each) => each.includes("script-src")),
        ["script-src 'self'"],
      );
    }
  });
});
