import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { aCode, aConsent, anApp, aToken, aUser, later, start } from "../support/builders.ts";
import { everyDatabase } from "../support/databases.ts";
import { withdrawConsent } from "../support/endings.ts";

for (const database of everyDatabase)
  describe(`stored consents on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    const pair = async () => ({ user_id: (await aUser(store)).id, app_id: (await anApp(store)).id });

    test("A-19: a consent applies only to its user and its app", async () => {
      const { user_id, app_id } = await pair();
      assert.equal(await store.findConsent(user_id, app_id), undefined);
      await store.grantConsent(user_id, app_id, ["openid", "profile"], start);
      const consent = await store.findConsent(user_id, app_id);
      assert.deepEqual(consent?.scopes, ["openid", "profile"]);
      assert.deepEqual([consent?.granted, consent?.revoked, consent?.granted_at], [true, false, start]);
      const other = await pair();
      assert.equal(await store.findConsent(other.user_id, app_id), undefined);
      assert.equal(await store.findConsent(user_id, other.app_id), undefined);
    });

    test("A-19: a consent to more scopes is added to the existing one", async () => {
      const { user_id, app_id } = await pair();
      await store.grantConsent(user_id, app_id, ["openid", "profile"], start);
      await store.grantConsent(user_id, app_id, ["profile", "email"], later(60));
      const consent = await store.findConsent(user_id, app_id);
      assert.deepEqual(consent?.scopes, ["openid", "profile", "email"]);
      assert.deepEqual(
        [consent?.created_at, consent?.granted_at, consent?.updated_at],
        [start, later(60), later(60)],
      );
      assert.equal(await store.count("oauth_consents", { user_id }), 1);
    });

    test("A-19: concurrent consents in several tabs become one with all scopes", async () => {
      const { user_id, app_id } = await pair();
      const scopes = Array.from({ length: 12 }, (_, index) => `scope:${index}`);
      await Promise.all(scopes.map((scope) => store.grantConsent(user_id, app_id, [scope], start)));
      const consent = await store.findConsent(user_id, app_id);
      assert.deepEqual(consent?.scopes.toSorted(), scopes.toSorted());
    });

    test("spec 2.10: a consent that is not granted is inactive, and granting it starts it again", async () => {
      const { user_id, app_id } = await pair();
      await aConsent(store, { user_id, app_id, granted: false, scopes: ["openid", "admin"] });
      assert.equal(await store.findConsent(user_id, app_id), undefined);
      await store.grantConsent(user_id, app_id, ["openid"], later(60));
      assert.deepEqual((await store.findConsent(user_id, app_id))?.scopes, ["openid"]);
    });

    test("A-20: withdrawing a consent ends exactly the tokens and codes that depend on it, with the reason", async () => {
      const { user_id, app_id } = await pair();
      await store.grantConsent(user_id, app_id, ["openid"], start);
      const token = await aToken(store, { user_id, app_id });
      const code = await aCode(store, { user_id, app_id });
      const used = await aCode(store, { user_id, app_id, used: true, used_at: start });
      const others = [await aToken(store, { app_id }), await aToken(store, { user_id })];
      const otherCode = await aCode(store, { user_id });

      assert.equal(await withdrawConsent(store, user_id, app_id, "consent_withdrawn", later(60)), true);
      assert.equal(await store.findConsent(user_id, app_id), undefined);
      const row = await store.find("oauth_consents", { user_id, app_id });
      assert.deepEqual(
        [row?.revoked, row?.revoked_at, row?.revoked_reason, row?.updated_at],
        [true, later(60), "consent_withdrawn", later(60)],
      );
      const ended = await store.find("oauth_tokens", { id: token.id });
      assert.deepEqual(
        [ended?.revoked, ended?.revoked_at, ended?.revoked_reason],
        [true, later(60), "consent_withdrawn"],
      );
      assert.equal(await store.find("oauth_auth_codes", { id: code.id }), undefined);
      // A replay of a used code must still be detected.
      assert.ok(await store.find("oauth_auth_codes", { id: used.id }));
      for (const other of others) assert.deepEqual(await store.find("oauth_tokens", { id: other.id }), other);
      assert.ok(await store.find("oauth_auth_codes", { id: otherCode.id }));
    });

    test("withdrawing a consent returns whether there was one", async () => {
      const { user_id, app_id } = await pair();
      assert.equal(await withdrawConsent(store, user_id, app_id, "consent_withdrawn", start), false);
      await store.grantConsent(user_id, app_id, ["openid"], start);
      assert.equal(await withdrawConsent(store, user_id, app_id, "consent_withdrawn", later(1)), true);
      assert.equal(await withdrawConsent(store, user_id, app_id, "consent_withdrawn", later(2)), false);
      assert.deepEqual((await store.find("oauth_consents", { user_id, app_id }))?.revoked_at, later(1));
    });

    test("A-19: after a withdrawal, a new consent has only the scopes allowed then", async () => {
      const { user_id, app_id } = await pair();
      await store.grantConsent(user_id, app_id, ["openid", "profile", "admin"], start);
      await withdrawConsent(store, user_id, app_id, "consent_withdrawn", later(60));
      await store.grantConsent(user_id, app_id, ["openid"], later(120));
      const consent = await store.findConsent(user_id, app_id);
      assert.deepEqual(consent?.scopes, ["openid"]);
      assert.deepEqual([consent?.revoked, consent?.revoked_at, consent?.revoked_reason], [false, null, null]);
    });
  });
