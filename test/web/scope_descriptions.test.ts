import assert from "node:assert/strict";
import { test } from "node:test";
import { managementScopes } from "../../src/records/definition/permissions.ts";
import { scopeDescriptions } from "../../src/web/scope_descriptions.ts";
import { aReader } from "./reader.ts";

const locale = aReader();

test("the scopes of OpenID Connect are described in plain words, in the order of the request", () => {
  const described = scopeDescriptions(["offline_access", "openid", "email", "profile"], locale);
  assert.deepEqual(
    described.map(({ name }) => name),
    ["offline_access", "openid", "email", "profile"],
  );
  for (const { name, description } of described) assert.match(description ?? "", /^[A-Z][^_]+$/, name);
});

test("every scope of the management API has its own description", () => {
  const described = scopeDescriptions(managementScopes, locale).map(({ description = "" }) => description);
  assert.deepEqual(new Set(described).size, managementScopes.length);
  for (const description of described) assert.match(description, /^(?:See|Change|Manage|Register) [^_:]+$/);
});

test("any other scope has no description, even if its name is one of JavaScript's", () => {
  const unknown = [
    ...["postern:everything", "postern:users:delete", "postern:constructor:read", "postern:users:read:x"],
  ];
  for (const name of ["orders:read", "constructor", "__proto__", "OPENID", ...unknown]) {
    assert.deepEqual(scopeDescriptions([name], locale), [{ name }]);
  }
});

test("an app's own scope descriptions are marked as its own, with their language if it differs", () => {
  const own = (scope: string) => ({ text: `about ${scope}`, language: scope === "a" ? "en" : "de" });
  assert.deepEqual(scopeDescriptions(["a", "b"], locale, own), [
    { name: "a", description: "about a", own: true, lang: undefined },
    { name: "b", description: "about b", own: true, lang: "de" },
  ]);
});

test("A-28: an app's own texts never describe a scope of this server, whether it exists or not", () => {
  const own = () => ({ text: "harmless" });
  for (const name of ["openid", "offline_access", "postern:users:write", "postern:everything"]) {
    const [described] = scopeDescriptions([name], locale, own);
    assert.notEqual(described?.description, "harmless", name);
  }
});
