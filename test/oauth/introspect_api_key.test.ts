import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { apiKeyHash, apiKeyText } from "../../src/crypto/api_keys.ts";
import type { APIKey, OAuthApp } from "../../src/records/definition/definition.ts";
import { introspectionScope } from "../../src/records/names/names.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anApiKey, anOrganization, aUser, later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import { aClientFixture, type ClientFixture, inactive, withStore } from "./client_fixture.ts";

describeInForm("introspection of API keys", (database) => {
  const scenario = serverOn(database);

  async function aKey(overrides: Partial<APIKey>): Promise<{ row: APIKey; key: string }> {
    const key = apiKeyText(scenario.clock.now());
    const created_at = scenario.clock.now();
    const scopes = ["postern:users:read", "orders:read"];
    return {
      key,
      row: await anApiKey(scenario.store, { key_hash: apiKeyHash(key), scopes, created_at, ...overrides }),
    };
  }
  const observer = (overrides: Partial<OAuthApp> = {}) =>
    aClientFixture(scenario, { allowed_scopes: [introspectionScope], ...overrides });
  const member = (user_id: string, organization_id: string) =>
    scenario.store.insert("memberships", {
      id: scenario.store.newId(scenario.clock.now()),
      user_id,
      organization_id,
      role: "member",
      created_at: scenario.clock.now(),
      updated_at: scenario.clock.now(),
    });
  const iat = () => Math.floor(scenario.clock.now().getTime() / 1000);

  test("design 6.7: a user's API key is reported with its user, and without client or audience", async () => {
    const user = await aUser(scenario.store);
    const { key } = await aKey({ user_id: user.id });
    const answer = {
      active: true,
      scope: "postern:users:read orders:read",
      token_type: "api_key",
      iat: iat(),
    };
    const app = await observer();
    assert.deepEqual(await app.introspect(key), { ...answer, username: user.email, sub: user.id });
    const expires_at = later(3600, scenario.clock.now());
    const short = await aKey({ user_id: user.id, expires_at });
    assert.deepEqual(await app.introspect(short.key, { token_type_hint: "access_token" }), {
      ...answer,
      username: user.email,
      sub: user.id,
      exp: iat() + 3600,
    });
  });

  test("OC-4: a user's API key does not count in an organization that the user joined after the key was created", async () => {
    const { id: organization_id } = await anOrganization(scenario.store);
    const user = await aUser(scenario.store);
    await member(user.id, organization_id);
    const { key } = await aKey({ user_id: user.id });
    const app = await observer({ organization_id });
    assert.notDeepEqual(await app.introspect(key), inactive);
    await scenario.store.remove("memberships", { user_id: user.id });
    assert.deepEqual(await app.introspect(key), inactive);
    scenario.clock.advance(1);
    await member(user.id, organization_id);
    assert.deepEqual(await app.introspect(key), inactive);
    const { key: later } = await aKey({ user_id: user.id });
    assert.notDeepEqual(await app.introspect(later), inactive);
  });

  test("design 6.7: an organization's API key is reported to apps of the same organization", async () => {
    const [mine, theirs] = [await anOrganization(scenario.store), await anOrganization(scenario.store)];
    const { key } = await aKey({ organization_id: mine.id });
    const own = await observer({ organization_id: mine.id });
    assert.deepEqual(await own.introspect(key), {
      active: true,
      scope: "postern:users:read orders:read",
      token_type: "api_key",
      iat: iat(),
      sub: mine.id,
    });
    for (const organization_id of [theirs.id, null])
      assert.deepEqual(await (await observer({ organization_id })).introspect(key), inactive);
    const powerless = await observer({ organization_id: mine.id, allowed_scopes: ["orders:read"] });
    assert.deepEqual(await powerless.introspect(key), inactive);
  });

  test("I-7: a user's API key is reported to apps without an organization, or of one of the user's organizations", async () => {
    const user = await aUser(scenario.store);
    const [mine, theirs] = [await anOrganization(scenario.store), await anOrganization(scenario.store)];
    await member(user.id, mine.id);
    const { key } = await aKey({ user_id: user.id });
    const seen = async (overrides: Partial<OAuthApp>) =>
      "scope" in (await (await observer(overrides)).introspect(key));
    assert.equal(await seen({ organization_id: mine.id }), true);
    assert.equal(await seen({ organization_id: null }), true);
    assert.equal(await seen({ organization_id: theirs.id }), false);
    assert.equal(await seen({ allowed_scopes: ["orders:read"] }), false);
    assert.equal(await seen({ owner_id: user.id, allowed_scopes: [] }), false);
  });

  test("I-8: an API key is inactive at once when it is revoked or expired, or its owner is inactive", async () => {
    const app = await observer();
    const user = await aUser(scenario.store);
    const organization = await anOrganization(scenario.store);
    const own = await observer({ organization_id: organization.id });
    const endings: [Partial<APIKey>, ClientFixture, (id: string) => Promise<unknown>][] = [
      [{ user_id: user.id }, app, (id) => scenario.store.update("api_keys", { id }, { revoked: true })],
      [
        { user_id: user.id, expires_at: later(1, scenario.clock.now()) },
        app,
        async () => scenario.clock.advance(1),
      ],
      [{ user_id: user.id }, app, (id) => scenario.store.remove("api_keys", { id })],
      [{ user_id: user.id }, app, () => deactivate(scenario.store, "users", user.id, scenario.clock.now())],
      [
        { organization_id: organization.id, user_id: (await aUser(scenario.store)).id },
        own,
        async (id) => {
          const key = await scenario.store.find("api_keys", { id });
          await deactivate(scenario.store, "users", String(key?.user_id), scenario.clock.now());
        },
      ],
    ];
    for (const [overrides, observing, end] of endings) {
      const { key, row } = await aKey(overrides);
      assert.equal("scope" in (await observing.introspect(key)), true);
      await end(row.id);
      assert.deepEqual(await observing.introspect(key), inactive);
    }
    const { key } = await aKey({ organization_id: organization.id });
    // The organization's own app ends with it, so a process that still caches the app and the organization as
    // active sends the request.
    const client = await scenario.store.findClient(own.app.client_id);
    assert.ok(client !== undefined);
    await scenario.store.update("organizations", { id: organization.id }, { active: false });
    const late = own.at(withStore(scenario, { findClient: async () => client }));
    assert.deepEqual(await late.introspect(key), inactive);
  });

  test("design 6.7: a text without a valid checksum is not an API key, and causes no database look-up", async () => {
    const app = await observer();
    const { key } = await aKey({ user_id: (await aUser(scenario.store)).id });
    let looks = 0;
    const counting = app.at(
      withStore(scenario, {
        findApiKey: (key_hash) => {
          looks++;
          return scenario.store.findApiKey(key_hash);
        },
      }),
    );
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 4, max: key.length - 1 }),
        fc.constantFrom(...alphabet),
        async (at, to) => {
          fc.pre(key[at] !== to);
          assert.deepEqual(await counting.introspect(key.slice(0, at) + to + key.slice(at + 1)), inactive);
        },
      ),
      { numRuns: 60 },
    );
    for (const text of [
      key.slice(0, -1),
      `${key}0`,
      "pak_",
      `${key}\n`,
      key.toUpperCase().replace("PAK", "pak"),
    ])
      assert.deepEqual(await counting.introspect(text), inactive, text);
    assert.equal(looks, 0);
    assert.equal("scope" in (await counting.introspect(key)), true);
    assert.equal(looks, 1);
  });

  test("spec 2.5: introspection updates last_used_at of an active API key only", async () => {
    const { key, row } = await aKey({ user_id: (await aUser(scenario.store)).id });
    const used = async () => {
      await scenario.store.flushUses();
      return (await scenario.store.find("api_keys", { id: row.id }))?.last_used_at;
    };
    await (await observer({ allowed_scopes: [] })).introspect(key);
    assert.equal(await used(), null);
    await (await observer()).introspect(key);
    assert.deepEqual(await used(), scenario.clock.now());
  });

  test("H-8: the introspection of an API key is logged like that of a token", async () => {
    const { key } = await aKey({ user_id: (await aUser(scenario.store)).id });
    const app = await observer();
    scenario.events.length = 0;
    await app.introspect(key);
    await app.introspect(`${key}x`);
    assert.deepEqual(
      scenario.events.map(({ type, outcome }) => [type, outcome]),
      [
        ["introspection", "success"],
        ["introspection", "failure"],
      ],
    );
    assert.equal(JSON.stringify(scenario.events).includes(key), false);
  });
});
