import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { reason } from "../../src/errors/field_errors.ts";
import {
  isLoopbackHost,
  isUnverifiableRedirect,
  redirectUriError,
} from "../../src/records/formats/redirect_uris.ts";
import { appTypes } from "../../src/records/names/names.ts";
import { codePoint, webUrl } from "../support/code_point.ts";
import { words } from "../support/lists.ts";

const everywhere = words(`
  https://app.example/cb https://app.example https://app.example:8443/cb/
  https://app.example/cb?tenant=7&x=%20y https://app.example/cb/@me
  https://app.example/?to=me@app.example HTTPS://App.Example/cb https://xn--bcher-kva.example/cb
  https://[2001:db8::1]/cb http://127.0.0.1/cb http://127.0.0.1:9000/cb?a=b http://[::1]:9000/cb
  http://localhost:3000/cb https://app.example/cb?codex=1&states=2
`);

const nativeOnly = ["com.example.app:/cb", "com.example.app://callback", "com.example.app:/cb?x=1"];

const nowhere: Record<string, readonly string[]> = {
  "a fragment": ["https://app.example/cb#", "https://app.example/cb#part", "com.example.app:/cb#x"],
  "a scheme that runs or holds content": words(`
    javascript:alert(1) JavaScript://app.example/%0aalert(1) data:text/html,hello vbscript:msgbox
    file:///etc/passwd blob:https://app.example/1 about:blank
  `),
  "a private-use scheme without a dot": ["myapp:/cb", "myapp://cb", "urn:ietf:wg:oauth:2.0:oob"],
  "a wildcard": ["https://*.app.example/cb", "https://app.example/*", "https://app.example/cb?x=*"],
  "http to a host that is not loopback": words(`
    http://app.example/cb http://127.0.0.1.app.example/cb http://localhost.app.example/cb
    http://0.0.0.0/cb http://10.0.0.1/cb http://[::]/cb
  `),
  "user information": words(`
    https://user@app.example/cb https://user:password@app.example/cb https://:password@app.example/cb
    https://@app.example/cb http://127.0.0.1@app.example/cb com.example.app://user@callback
  `),
  "no authority of its own": words(`
    https:app.example/cb https:/app.example/cb https:///app.example/cb http:127.0.0.1/cb https://
    https://?x
  `),
  "no absolute URI": ["", "/cb", "//app.example/cb", "app.example/cb", "cb", "?x=1", "https://[::1/cb"],
  "characters a URI has not": [
    "https://app.example/ cb",
    " https://app.example/cb",
    "https://app.example/cb\n",
    "https://app.example/\tcb",
    "https://app.example\\cb",
    "https://bücher.example/cb",
    "https://app.example/\u202e",
    "https://app.example/\0",
  ],
  "more than 2048 characters": [`https://app.example/${"a".repeat(2048)}`],
};

describe("the redirect URIs of registered apps", () => {
  for (const app_type of appTypes) {
    for (const uri of everywhere)
      test(`A-9: ${uri} is accepted for a ${app_type} app`, () => {
        assert.equal(redirectUriError(uri, app_type), undefined);
      });

    for (const [what, uris] of Object.entries(nowhere))
      test(`A-9: a URI with ${what} is refused for a ${app_type} app`, () => {
        for (const uri of uris) assert.ok(redirectUriError(uri, app_type) !== undefined, uri);
      });

    test(`A-9: private-use schemes are ${app_type === "native" ? "accepted" : "refused"} for a ${app_type} app`, () => {
      for (const uri of nativeOnly)
        assert.equal(redirectUriError(uri, app_type) === undefined, app_type === "native", uri);
    });

    test(`A-10: a query that contains a response parameter is refused for a ${app_type} app`, () => {
      for (const name of ["code", "state", "error", "error_description", "iss"])
        for (const query of [
          name,
          `${name}=`,
          `x=1&${name}=2`,
          `%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`,
        ]) {
          const error = redirectUriError(`https://app.example/cb?${query}`, app_type);
          assert.deepEqual(error, reason("response_parameter", { parameter: name }), query);
        }
    });
  }

  test("A-9: every accepted URI is absolute, and all parsers read it in the same way", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: codePoint }), webUrl),
        fc.constantFrom(...appTypes),
        (text, app_type) => {
          if (redirectUriError(text, app_type) !== undefined) return;
          const url = new URL(text);
          assert.equal(url.hash + url.username + url.password, "");
          assert.match(text, /^[\x21-\x7E]+$/);
          assert.ok(url.protocol === "https:" || isLoopbackHost(url.hostname) || app_type === "native");
        },
      ),
      { numRuns: 150 },
    );
  });

  test("design 6.16: only an https redirect URI proves who receives a response", () => {
    assert.equal(isUnverifiableRedirect("https://app.example/cb"), false);
    for (const uri of ["http://127.0.0.1/cb", "http://localhost/cb", "com.example.app:/cb", "nonsense"])
      assert.equal(isUnverifiableRedirect(uri), true, uri);
  });
});
