import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contentSecurityPolicy, formAction, securityHeaders } from "../../src/http/security_headers.ts";

describe("security headers", () => {
  test("H-2: only a server on https tells browsers to stay with https", () => {
    for (const kind of ["kept", "program", "browser"] as const) {
      assert.equal(securityHeaders(true)[kind]["strict-transport-security"], "max-age=31536000");
      assert.ok(!("strict-transport-security" in securityHeaders(false)[kind]));
    }
  });

  test("A-23: a form may lead back to the client by its scheme, and nowhere else", () => {
    assert.equal(formAction(undefined), "'self'");
    assert.equal(formAction("no address"), "'self'");
    assert.equal(formAction("https://app.example/cb"), "'self' https:");
    assert.equal(formAction("http://[::1]:9000/cb"), "'self' http: https:");
    assert.equal(formAction("com.example.app:/cb"), "'self' com.example.app:");
  });

  test("A-23: what a redirect URI holds cannot add a directive to the policy", () => {
    for (const uri of ["https://a.example/;script-src *", "x y:;script-src *", "https:;script-src *//a"]) {
      const directives = contentSecurityPolicy(formAction(uri)).split("; ");
      assert.equal(directives.length, 7);
      assert.deepEqual(
        directives.filter((each) => each.includes("script-src")),
        ["script-src 'self'"],
      );
    }
  });
});
