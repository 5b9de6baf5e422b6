import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { emailKey, isEmail } from "../../src/records/names/email.ts";
import {
  allowedGrant,
  grantNames,
  introspectionScope,
  isReservedScope,
  isScopeToken,
  openidScopes,
} from "../../src/records/names/names.ts";

describe("names of grants and scopes", () => {
  test("design 6.4: a grant is accepted under the name of the specification or the RFC, and stored under the first", () => {
    assert.equal(allowedGrant("auth_code"), "auth_code");
    assert.equal(allowedGrant("authorization_code"), "auth_code");
    assert.equal(allowedGrant("refresh"), "refresh");
    assert.equal(allowedGrant("refresh_token"), "refresh");
    assert.equal(allowedGrant("client_credentials"), "client_credentials");
    for (const [word, name] of Object.entries(grantNames)) assert.equal(allowedGrant(name), word);
  });

  test("T-12: no other name is accepted as a grant, whatever its case or its meaning in JavaScript", () => {
    for (const name of [
      "",
      "Auth_Code",
      "REFRESH",
      "implicit",
      "password",
      "__proto__",
      "constructor",
      "toString",
    ])
      assert.equal(allowedGrant(name), undefined, name);
  });

  test("design 6.7: scopes that grant permissions on this server are reserved, and others are not", () => {
    for (const scope of [introspectionScope, "token:anything", "token:", "postern:admin"])
      assert.equal(isReservedScope(scope), true, scope);
    for (const scope of [
      ...openidScopes,
      "orders:read",
      "token",
      "tokens:read",
      "my:token:introspect",
      "postern",
    ])
      assert.equal(isReservedScope(scope), false, scope);
  });

  test("A-13: a scope consists of one or more characters from %x21, %x23-5B and %x5D-7E", () => {
    for (let code = 0; code < 300; code++) {
      const inside = code >= 0x21 && code <= 0x7e && code !== 0x22 && code !== 0x5c;
      assert.equal(isScopeToken(String.fromCharCode(code)), inside, String(code));
    }
    assert.equal(isScopeToken(""), false);
    assert.equal(isScopeToken("two words"), false);
    assert.equal(isScopeToken("openid\n"), false);
  });
});

describe("email address keys and syntax", () => {
  test("L-15: an address has the same key in another case or Unicode form", () => {
    assert.equal(emailKey("Ada@Example.COM"), emailKey("ada@example.com"));
    assert.equal(emailKey("ZOË@example.com"), emailKey("zoe\u0308@example.com"));
    const ascii = fc.string({ unit: fc.constantFrom(..."abcXYZ019._-+"), minLength: 1 });
    fc.assert(
      fc.property(ascii, (local) => {
        const email = `${local}@example.com`;
        assert.equal(emailKey(email.toUpperCase()), emailKey(email.toLowerCase()));
      }),
    );
  });

  test("L-15: the key of a key is the same key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        assert.equal(emailKey(emailKey(text)), emailKey(text));
        assert.equal(emailKey(text.normalize("NFD")), emailKey(text.normalize("NFC")));
      }),
      { numRuns: 300 },
    );
  });

  test("an address has text on both sides of one @, and nothing that could break a header or a page", () => {
    for (const email of [
      "a@b",
      "ada@localhost",
      "ada@example.com",
      `${"a".repeat(64)}@${"b".repeat(63)}.example.com`,
      "ada+tag@sub.example.com",
      "o'hara@example.com",
      "zoë@bücher.example",
    ])
      assert.equal(isEmail(email), true, email);
    for (const email of [
      "",
      "@",
      "ada",
      "ada@",
      "@example.com",
      "a@b@c",
      "a da@example.com",
      "ada@example.com\r\nBcc: eve@example.com",
      "ada@exa\0mple.com",
      "<script>@example.com",
      '"ada"@example.com',
      "ada@example.com,eve@example.com",
      `${"a".repeat(320)}@example.com`,
      "ada@.example.com",
      "ada@example..com",
      "ada@example.com.",
      `${"a".repeat(65)}@example.com`,
      `ada@${"b".repeat(64)}.com`,
      `ada@${"b.".repeat(126)}com`,
    ])
      assert.equal(isEmail(email), false, JSON.stringify(email));
  });
});
