import assert from "node:assert/strict";
import { test } from "node:test";
import { managementScopes } from "../../src/records/permissions.ts";
import { scopeDescriptions } from "../../src/web/scope_descriptions.ts";

test("the scopes of OpenID Connect are described in human words, in the order asked for", () => {
  const described = scopeDescriptions(["offline_access", "openid", "email", "profile"]);
  assert.deepEqual(
    described.map(({ name }) => name),
    ["offline_access", "openid", "email", "profile"],
  );
  for (const { name, description } of described) assert.match(description ?? "", /^[A-Z][^_]+$/, name);
});

test("every scope of the management API is described, and no two alike", () => {
  const described = scopeDescriptions(managementScopes).map(({ description = "" }) => description);
  assert.deepEqual(new Set(described).size, managementScopes.length);
  for (const description of described) assert.match(description, /^(?:See|Change|Manage) [^_:]+$/);
});

test("any other scope has no description, whatever it is called", () => {
  const unknown = [
    "postern:everything",
    "postern:users:delete",
    "postern:constructor:read",
    "postern:users:read:x",
  ];
  for (const name of ["orders:read", "constructor", "__proto__", "OPENID", ...unknown]) {
    assert.deepEqual(scopeDescriptions([name]), [{ name, description: undefined }]);
  }
});
