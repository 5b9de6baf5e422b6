import assert from "node:assert/strict";
import { test } from "node:test";
import { scopeDescriptions } from "../../src/web/scope_descriptions.ts";

test("the scopes of OpenID Connect are described in human words, in the order asked for", () => {
  const described = scopeDescriptions(["offline_access", "openid", "email", "profile"]);
  assert.deepEqual(
    described.map(({ name }) => name),
    ["offline_access", "openid", "email", "profile"],
  );
  for (const { name, description } of described) assert.match(description ?? "", /^[A-Z][^_]+$/, name);
});

test("any other scope has no description, whatever it is called", () => {
  for (const name of ["orders:read", "constructor", "__proto__", "OPENID"]) {
    assert.deepEqual(scopeDescriptions([name]), [{ name, description: undefined }]);
  }
});
