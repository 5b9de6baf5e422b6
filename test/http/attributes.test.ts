import assert from "node:assert/strict";
import { test } from "node:test";
import { testApp } from "../support/app.ts";
import { anApp } from "../support/builders.ts";

test("OC-7: discovery names claims of ready-made attributes that an app wants, and the scope phone", async () => {
  const it = await testApp();
  const told = async () =>
    (await it.app.inject("/.well-known/openid-configuration")).json<Record<string, string[]>>();
  const before = await told();
  await anApp(it.store, {
    claims: { roles: ["id_token"], locale: ["userinfo"], phone_number: ["userinfo"] },
  });
  const { claims_supported = [], scopes_supported = [], ...others } = await told();
  const { claims_supported: claims = [], scopes_supported: scopes = [], ...same } = before;
  assert.deepEqual(claims_supported, [...claims, "locale", "phone_number"]);
  assert.deepEqual(scopes_supported, [...scopes, "phone"]);
  assert.deepEqual(others, same);
});
