import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { openRedirectUriError } from "../../src/records/formats/open_redirect_uris.ts";
import { isLoopbackHost } from "../../src/records/formats/redirect_uris.ts";
import { codePoint, webUrl } from "../support/code_point.ts";
import { words } from "../support/lists.ts";

const taken = words(`
  cursor://anysphere.cursor-mcp/oauth/callback https://www.cursor.com/agents/mcp/oauth/callback
  http://localhost:8787/callback https://claude.ai/api/mcp/auth_callback http://localhost/callback
  http://127.0.0.1/callback https://vscode.dev/redirect http://127.0.0.1:33418/
  http://127.0.0.1:19876/mcp/oauth/callback http://[::1]:7777/oauth/callback?x=1
  https://app.example/cb?tenant=7 com.example.app:/cb com.example.app://callback
  windsurf://codeium.windsurf/oauth/callback raycast://oauth?package_name=Extension
  vscode://vscode.github-authentication/did-authenticate
`);

const refused: Readonly<Record<string, readonly string[]>> = {
  "a scheme of somebody else": words(`
    javascript:/alert(1) javascript://app.example/%0aalert(1) data:/text/html,hello vbscript:/msgbox
    file:///etc/passwd blob:/https://app.example/1 about:/blank view-source:/https://app.example/
    filesystem:/x ws://localhost/cb wss://app.example/cb ftp://app.example/cb mailto:/me@app.example
    intent://scan/#Intent intent://scan/ urn:/ietf:wg:oauth:2.0:oob sms:/1 tel:/1 ms-msdt:/id
    search-ms:/query shell:/startup chrome://settings chrome-extension://abc/cb smb://host/share x:/cb
  `),
  "a scheme in another case": words(`
    JavaScript:/alert(1) JAVASCRIPT://x/%0aalert(1) Cursor://anysphere.cursor-mcp/cb
    CURSOR://anysphere.cursor-mcp/cb HTTPS://app.example/cb HTTP://localhost/cb
  `),
  "white space or control characters": [
    " javascript:/alert(1)",
    "java\tscript:/alert(1)",
    "java\nscript:/alert(1)",
    "java\u0000script:/alert(1)",
    "\u0001javascript:/alert(1)",
    "\u200bjavascript:/alert(1)",
    "cursor ://x/cb",
    "cursor: //x/cb",
    "cursor://x/cb\r\nLocation: x",
    "https://app.example/ cb",
    "cursor://x/\u202ecb",
  ],
  "an encoded scheme": ["java%73cript:/alert(1)", "javascript&colon;alert(1)", "javascript%3a/alert(1)"],
  "no path behind the scheme": ["cursor:callback", "com.example.app:callback", "urn:ietf:wg:oauth:2.0:oob"],
  "user information": [
    "cursor://user@x/cb",
    "http://localhost:1@evil.example/cb",
    "http://user@localhost/cb",
    "https://user@app.example/cb",
  ],
  "http that leaves the machine": words(`
    http://app.example/cb http://localhost.evil/cb http://LOCALHOST./cb http://LOCALHOST/cb
    http://localhost./cb http://127.1/cb http://2130706433/cb http://0x7f.0.0.1/cb http://%6cocalhost/cb
    http://0.0.0.0/cb http://[::ffff:127.0.0.1]/cb
  `),
  "a port that is none": ["http://localhost:0/cb", "http://127.0.0.1:65536/cb", "http://localhost:/cb"],
  "a fragment, a wildcard or a parameter of the answer": words(`
    cursor://x/cb#y http://localhost/cb# https://*.app.example/cb cursor://*/cb cursor://x/cb?code=1
    https://app.example/cb?state=1
  `),
  "no absolute URI": ["", "/cb", "cb", "://x/cb", "1x://cb", "-x://cb"],
  "more than 2048 characters": [`cursor://${"a".repeat(2048)}`],
};

describe("redirect URIs of open clients", () => {
  test("PR-10: the redirect URIs of real clients are accepted, including private-use schemes without a dot", () => {
    for (const uri of taken) assert.equal(openRedirectUriError(uri), undefined, uri);
  });

  for (const [what, uris] of Object.entries(refused))
    test(`PR-10: a URI with ${what} is refused`, () => {
      for (const uri of uris) assert.notEqual(openRedirectUriError(uri), undefined, uri);
    });

  test("PR-10: every accepted URI has the scheme https, loopback http or a lowercase private-use scheme", () => {
    const odd = fc.tuple(
      fc.constantFrom("javascript", "JavaScript", "cursor", "http", "https", "file", "data", "ms-msdt"),
      fc.constantFrom(":", ":/", "://", "%3a", " :", "\t:"),
      fc.string({ unit: codePoint, maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.oneof(odd, webUrl), (parts) => {
        const text = Array.isArray(parts) ? parts.join("") : parts;
        if (openRedirectUriError(text) !== undefined) return;
        const { protocol, hostname, username, password, hash } = new URL(text);
        assert.equal(username + password + hash, "");
        assert.ok(text.startsWith(protocol), text);
        assert.ok(!["javascript:", "file:", "data:", "ms-msdt:"].includes(protocol), text);
        if (protocol === "http:") assert.ok(isLoopbackHost(hostname), text);
      }),
      { numRuns: 500 },
    );
  });
});
