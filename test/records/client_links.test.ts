import assert from "node:assert/strict";
import { test } from "node:test";
import { clientLinksOf } from "../../src/records/definition/client_links.ts";

test("an app's links to its own pages must be https URLs, whatever its metadata contains", () => {
  const links = clientLinksOf({
    metadata: { client_uri: "https://acme.example", policy_uri: "https://acme.example/privacy", tos_uri: 7 },
  });
  assert.deepEqual(links, {
    client_uri: "https://acme.example/",
    policy_uri: "https://acme.example/privacy",
  });
  for (const said of [
    "javascript:alert(1)",
    "http://acme.example",
    "https://user:secret@acme.example",
    "data:text/html,x",
    "acme.example",
    "",
    ["https://acme.example"],
    null,
    `https://acme.example/${"x".repeat(2048)}`,
  ])
    assert.deepEqual(clientLinksOf({ metadata: { client_uri: said } }), {}, String(said));
  assert.deepEqual(clientLinksOf({ metadata: null }), {});
});
