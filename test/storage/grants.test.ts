import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { UniqueViolation } from "../../src/errors/violations.ts";
import type { Store } from "../../src/storage/store.ts";
import { aConsent, accessOnly, aSession, aToken, aUser, later, start } from "../support/builders.ts";
import { everyDatabase } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import {
  anAuthorization,
  collapses,
  descendant,
  firstToken,
  liveRows,
  redeem,
  rotate,
  soon,
} from "./authorization.ts";

for (const database of everyDatabase)
  describe(`codes and refresh tokens are used on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("T-7: of twenty concurrent attempts to redeem one code, one succeeds and one token is stored", async () => {
      const of = await anAuthorization(store);
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => redeem(store, of)));
      assert.equal(verdicts.filter((outcome) => outcome === "spent").length, 1);
      assert.equal(verdicts.filter((outcome) => outcome === "already_used").length, 19);
      assert.equal(await store.count("oauth_tokens", { family_id: of.code.id }), 1);
      const code = await store.find("oauth_auth_codes", { id: of.code.id });
      assert.deepEqual([code?.used, code?.used_at], [true, soon]);
    });

    test("T-6: a redeemed code is recognized as used, also after its expiry", async () => {
      const of = await anAuthorization(store);
      assert.equal(await redeem(store, of), "spent");
      assert.equal(await redeem(store, of), "already_used");
      assert.equal(await redeem(store, of, later(3600)), "already_used");
    });

    test("A-26: a code is valid until its expiry time, and no longer at that time", async () => {
      const late = await anAuthorization(store);
      assert.equal(await redeem(store, late, late.code.expires_at), "ended");
      assert.equal(await liveRows(store, late), 0);
      const intime = await anAuthorization(store);
      assert.equal(await redeem(store, intime, new Date(intime.code.expires_at.getTime() - 1)), "spent");
    });

    test("a code that does not exist cannot be redeemed", async () => {
      const of = await anAuthorization(store);
      assert.equal(await redeem(store, { ...of, code: { ...of.code, id: randomUUID() } }), "ended");
    });

    for (const [what, collapse] of Object.entries(collapses)) {
      test(`A-30: a code is refused if ${what} after it was created`, async () => {
        const of = await anAuthorization(store);
        await collapse(store, of, later(5));
        assert.equal(await redeem(store, of), "ended");
        assert.equal(await store.count("oauth_tokens", { family_id: of.code.id }), 0);
      });

      test(`R-10: a refresh token is refused if ${what} after it was issued`, async () => {
        const of = await anAuthorization(store);
        const token = await firstToken(store, of);
        await collapse(store, of, later(5));
        assert.equal(await rotate(store, of, token.id), "ended");
        const addition = { ...descendant(of), ...accessOnly };
        assert.equal(await store.refreshWithoutRotation({ id: token.id, addition, now: soon }), "ended");
        assert.equal(await store.count("oauth_tokens", { id: token.id, revoked: false }), 0);
        assert.equal(await liveRows(store, of), 0);
      });
    }

    test("A-30: a code is refused if its session ended", async () => {
      const of = await anAuthorization(store);
      const session = await aSession(store, { user_id: of.user.id, expires_at: later(5) });
      assert.equal(await redeem(store, { ...of, session }), "ended");
    });

    test("T-16: a first-party app needs no consent, and any other app needs a granted one", async () => {
      const own = await anAuthorization(store, { first_party: true });
      await store.remove("oauth_consents", { app_id: own.app.id });
      assert.equal(await redeem(store, own), "spent");
      const foreign = await anAuthorization(store);
      await store.remove("oauth_consents", { app_id: foreign.app.id });
      assert.equal(await redeem(store, foreign), "ended");
      await aConsent(store, { app_id: foreign.app.id, user_id: foreign.user.id, granted: false });
      assert.equal(await redeem(store, foreign), "ended");
      await store.update("oauth_consents", { app_id: foreign.app.id }, { granted: true });
      assert.equal(await redeem(store, foreign), "spent");
    });

    test("an app without an organization does not depend on one", async () => {
      const of = await anAuthorization(store, { organization_id: null });
      assert.equal(await redeem(store, of), "spent");
    });

    test("T-10: if the token cannot be stored, the code stays unused", async () => {
      const of = await anAuthorization(store);
      const taken = await aToken(store);
      const same = { ...descendant(of), access_token_signature: taken.access_token_signature };
      await assert.rejects(redeem(store, of, soon, same), UniqueViolation);
      assert.equal((await store.find("oauth_auth_codes", { id: of.code.id }))?.used, false);
      assert.equal(await redeem(store, of), "spent");
    });

    test("R-3: of twelve concurrent refreshes with one token, one succeeds and one active row is left", async () => {
      const of = await anAuthorization(store);
      const { id } = await firstToken(store, of);
      const verdicts = await Promise.all(Array.from({ length: 12 }, () => rotate(store, of, id)));
      assert.equal(verdicts.filter((outcome) => outcome === "spent").length, 1);
      assert.equal(verdicts.filter((outcome) => outcome === "already_used").length, 11);
      assert.equal(await liveRows(store, of), 1);
      const spent = await store.find("oauth_tokens", { id });
      assert.deepEqual(
        [spent?.revoked, spent?.revoked_reason, spent?.revoked_at, spent?.rotated_at],
        [true, "rotated", soon, soon],
      );
    });

    test("R-3: of twelve refreshes within the reuse window, one succeeds and one response is stored", async () => {
      const of = await anAuthorization(store);
      const token = await firstToken(store, of);
      const signature = token.refresh_token_signature;
      assert.ok(signature);
      const ends_at = later(30, soon);
      const verdicts = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          store.rotateRefreshToken({
            id: token.id,
            replacement: descendant(of),
            now: soon,
            window: {
              ends_at,
              access_ends_at: ends_at,
              refresh_ends_at: ends_at,
              signature,
              answer: `sealed ${index}`,
            },
          }),
        ),
      );
      assert.equal(verdicts.filter((outcome) => outcome === "spent").length, 1);
      assert.equal(verdicts.filter((outcome) => outcome === "already_used").length, 11);
      const winner = verdicts.indexOf("spent");
      assert.equal(await store.findEphemeral("refresh_answer", signature, soon), `sealed ${winner}`);
      assert.equal(await store.findEphemeral("refresh_answer", signature, ends_at), undefined);
      const before = await store.find("oauth_tokens", { id: token.id });
      assert.deepEqual([before?.rotated_at, before?.access_expires_at], [soon, ends_at]);
      assert.deepEqual([before?.revoked, before?.refresh_expires_at], [false, ends_at]);
      assert.equal(await liveRows(store, of), 2);
    });

    test("design 6.9: a refresh within the reuse window never extends a token or family that has ended", async () => {
      const of = await anAuthorization(store);
      const token = await firstToken(store, of);
      await store.endAccessToken(token.id, later(5));
      const ends_at = later(30, soon);
      const outcome = await store.rotateRefreshToken({
        id: token.id,
        replacement: descendant(of),
        now: soon,
        window: {
          ends_at,
          access_ends_at: ends_at,
          refresh_ends_at: ends_at,
          signature: token.refresh_token_signature ?? Buffer.alloc(32),
          answer: "sealed",
        },
      });
      assert.equal(outcome, "spent");
      assert.deepEqual((await store.find("oauth_tokens", { id: token.id }))?.access_expires_at, later(5));
    });

    test("R-2: an already used refresh token is recognized after any number of later refreshes", async () => {
      const of = await anAuthorization(store);
      const first = await firstToken(store, of);
      const second = descendant(of);
      await store.rotateRefreshToken({ id: first.id, replacement: second, now: soon });
      assert.equal(await rotate(store, of, second.id, later(20)), "spent");
      assert.equal(await rotate(store, of, first.id, later(30)), "already_used");
      assert.equal(await rotate(store, of, second.id, later(30)), "already_used");
    });

    test("R-7: a refresh token is refused from its expiry time on", async () => {
      const of = await anAuthorization(store);
      const token = await aToken(store, { ...descendant(of), refresh_expires_at: soon });
      assert.equal(await rotate(store, of, token.id), "ended");
      const addition = { ...descendant(of), ...accessOnly };
      assert.equal(await store.refreshWithoutRotation({ id: token.id, addition, now: soon }), "ended");
    });

    test("a row without a refresh token cannot be refreshed", async () => {
      const of = await anAuthorization(store);
      const token = await aToken(store, { ...descendant(of), ...accessOnly });
      assert.equal(await rotate(store, of, token.id), "ended");
    });

    test("R-3: if the new token cannot be stored, the refresh token stays unused", async () => {
      const of = await anAuthorization(store);
      const token = await firstToken(store, of);
      const { access_token_signature } = await aToken(store);
      const replacement = { ...descendant(of), access_token_signature };
      await assert.rejects(
        store.rotateRefreshToken({ id: token.id, replacement, now: soon }),
        UniqueViolation,
      );
      assert.deepEqual(await store.find("oauth_tokens", { id: token.id }), token);
    });

    test("R-8: without rotation, a refresh token works repeatedly, always in the same family", async () => {
      const of = await anAuthorization(store, { refresh_token_rotation: false });
      const token = await firstToken(store, of);
      for (const seconds of [10, 20]) {
        const now = later(seconds);
        const addition = { ...descendant(of, now), ...accessOnly };
        assert.equal(await store.refreshWithoutRotation({ id: token.id, addition, now }), "spent");
      }
      assert.equal(await liveRows(store, of), 3);
      assert.deepEqual((await store.find("oauth_tokens", { id: token.id }))?.last_used_at, later(20));
      // If rotation is enabled later, the refresh token can still be rotated once.
      assert.equal(await rotate(store, of, token.id, later(30)), "spent");
      const addition = { ...descendant(of), ...accessOnly };
      assert.equal(
        await store.refreshWithoutRotation({ id: token.id, addition, now: later(40) }),
        "already_used",
      );
    });

    test("R-2: revoking a token family ends all its rows, and none of another family", async () => {
      const of = await anAuthorization(store);
      const other = await aToken(store, { app_id: of.app.id, user_id: of.user.id });
      const token = await firstToken(store, of);
      await aToken(store, { ...descendant(of), ...accessOnly });
      await rotate(store, of, token.id);
      assert.equal(await store.revokeFamily(of.code.id, "replay", later(20)), 2);
      assert.equal(await liveRows(store, of), 0);
      assert.equal(await store.revokeFamily(of.code.id, "replay", later(30)), 0);
      assert.deepEqual(await store.find("oauth_tokens", { id: other.id }), other);
      const reasons = (await store.list("oauth_tokens", { family_id: of.code.id })).map(
        (row) => row.revoked_reason,
      );
      assert.deepEqual(reasons.toSorted(), ["replay", "replay", "rotated"]);
    });

    test("design 6.10: ending an access token keeps the refresh token in its row", async () => {
      const of = await anAuthorization(store);
      const token = await firstToken(store, of);
      await store.endAccessToken(token.id, soon);
      const ended = await store.find("oauth_tokens", { id: token.id });
      assert.deepEqual(ended, { ...token, access_expires_at: soon });
      assert.equal(await rotate(store, of, token.id, later(20)), "spent");
    });

    test("design 6.10: ending an access token that has no refresh token ends its row", async () => {
      const token = await aToken(store, { user_id: null, ...accessOnly });
      await store.endAccessToken(token.id, soon);
      const ended = await store.find("oauth_tokens", { id: token.id });
      assert.deepEqual(ended, {
        ...token,
        access_expires_at: soon,
        revoked: true,
        revoked_at: soon,
        revoked_reason: "revoked",
      });
      // A second revocation is allowed, and does not change the time.
      await store.endAccessToken(token.id, later(20));
      assert.deepEqual(await store.find("oauth_tokens", { id: token.id }), ended);
    });

    test("V-2: an access token can be revoked only while it is active, and only by its own app", async () => {
      const token = await aToken(store, { user_id: null, ...accessOnly });
      const { access_token_signature: signature, app_id } = token;
      const other = await aToken(store, { user_id: null, ...accessOnly });
      const end = (changes: object) =>
        store.endPresentedAccessToken({ signature, app_id, now: soon, ...changes });
      assert.equal(await end({ signature: Buffer.alloc(32, 7) }), false);
      assert.equal(await end({ app_id: randomUUID() }), false);
      assert.equal(await end({ now: token.access_expires_at }), false);
      assert.deepEqual(await store.find("oauth_tokens", { id: token.id }), token);
      assert.equal(await end({}), true);
      const ended = await store.find("oauth_tokens", { id: token.id });
      assert.deepEqual([ended?.access_expires_at, ended?.revoked_reason], [soon, "revoked"]);
      assert.equal(await end({ now: later(20) }), false);
      assert.deepEqual(await store.find("oauth_tokens", { id: token.id }), ended);
      assert.deepEqual(await store.find("oauth_tokens", { id: other.id }), other);
    });

    test("T-11: a token is found only by its whole signature", async () => {
      const token = await aToken(store);
      const access = token.access_token_signature;
      const refresh = token.refresh_token_signature ?? Buffer.alloc(0);
      assert.deepEqual(await store.findByAccessToken(access), token);
      assert.deepEqual(await store.findByRefreshToken(refresh), token);
      assert.equal(await store.findByAccessToken(refresh), undefined);
      assert.equal(await store.findByRefreshToken(access), undefined);
      assert.equal(await store.findByAccessToken(access.subarray(0, 31)), undefined);
      assert.equal(await store.findByAccessToken(Buffer.concat([access, Buffer.alloc(1)])), undefined);
    });

    test("a client credentials token is stored as given", async () => {
      const token = { ...(await aToken(store, { user_id: null })), ...accessOnly };
      const fresh = { ...token, id: store.newId(start), access_token_signature: Buffer.alloc(32, 1) };
      await store.insertToken(fresh);
      assert.deepEqual(await store.findByAccessToken(fresh.access_token_signature), fresh);
    });

    test("deactivating another user does not affect a user's tokens", async () => {
      const of = await anAuthorization(store);
      const stranger = await aUser(store);
      await deactivate(store, "users", stranger.id, later(5));
      await store.endEverythingOf(stranger.id, "password_changed", later(5));
      assert.equal(await redeem(store, of), "spent");
    });
  });
