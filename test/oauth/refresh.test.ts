import assert from "node:assert/strict";
import { before, test } from "node:test";
import { credentialPrefix, newCredential } from "../../src/crypto/credentials.ts";
import { verifiedSecrets } from "../../src/crypto/verified_secrets.ts";
import { keyRingSource } from "../../src/oauth/key_ring_source.ts";
import type { DatabaseAddress } from "../../src/storage/store.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anOrganization, later } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import { deactivate, deleteApp, reactivate, revokeApp, withdrawConsent } from "../support/endings.ts";
import { signedIn } from "../support/flows.ts";
import {
  aParty,
  claimsOf,
  type Party,
  partyOf,
  type Refreshable,
  refusal,
  withPart,
  withSettings,
} from "./party.ts";

const invalidGrant = refusal("invalid_grant");

describeInForm("the refresh token grant", (database) => {
  let address: DatabaseAddress;
  let stage: TestServer;
  before(async () => {
    address = await database.address();
    const store = await openStoreAt(address);
    await store.migrate(new Date());
    stage = await testServer(store);
  });

  /** How many rows of the family of an access token are alive. */
  async function liveRows(party: Party, { access_token }: { access_token: string }): Promise<number> {
    const { family_id } = await party.rowOf(access_token);
    return stage.store.count("oauth_tokens", { family_id, revoked: false });
  }

  async function rotated(party: Party, times: number, from: Refreshable): Promise<Refreshable[]> {
    const generations = [from];
    for (let turn = 0; turn < times; turn++) {
      const last = generations.at(-1);
      assert.ok(last);
      generations.push(await party.refresh(last.refresh_token));
    }
    return generations;
  }

  test("R-1: rotation is on by default; the old token dies whole and the family stays one", async () => {
    const party = await aParty(stage);
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    assert.notEqual(second.refresh_token, first.refresh_token);
    const rows = [await party.rowOf(first.access_token), await party.rowOf(second.access_token)];
    assert.equal(rows[0]?.family_id, rows[1]?.family_id);
    assert.deepEqual([rows[0]?.revoked, rows[0]?.revoked_reason], [true, "rotated"]);
    assert.equal(await party.isActive(first.access_token), false);
    assert.equal(await party.isActive(first.refresh_token), false);
    assert.equal(await party.isActive(second.access_token), true);
    assert.equal(await party.isActive(second.refresh_token), true);
  });

  test("R-2: any earlier generation that comes back kills the family, and no other family of the user", async () => {
    const party = await aParty(stage);
    const bystander = await party.flow();
    for (const generation of [0, 1, 2]) {
      const generations = await rotated(party, 3, await party.flow());
      const replayed = generations[generation];
      assert.ok(replayed);
      stage.events.length = 0;
      await assert.rejects(party.refresh(replayed.refresh_token), (error: Error) => {
        assert.equal(error.name, "ReplayError");
        return refusal("invalid_grant", /already used/)(error);
      });
      for (const { access_token, refresh_token } of generations) {
        assert.equal(await party.isActive(access_token), false);
        assert.equal(await party.isActive(refresh_token), false);
      }
      const last = generations[3];
      assert.ok(last);
      await assert.rejects(party.refresh(last.refresh_token), refusal("invalid_grant", /revoked/));
      assert.equal((await party.rowOf(last.access_token)).revoked_reason, "replay");
      assert.equal(stage.events.filter(({ type }) => type === "refresh_replay").length, 1);
    }
    assert.equal(await party.isActive(bystander.access_token), true);
    assert.ok(await party.refresh(bystander.refresh_token));
  });

  test("R-2: a replay is seen whatever else is wrong with the request", async () => {
    const party = await aParty(stage);
    for (const wrong of [
      { scope: "postern:admin" },
      { scope: "orders:write" },
      { resource: "https://no.example/" },
    ]) {
      const first = await party.flow();
      const second = await party.refresh(first.refresh_token);
      await assert.rejects(party.refresh(first.refresh_token, wrong), invalidGrant);
      assert.equal(await party.isActive(second.access_token), false, JSON.stringify(wrong));
    }
  });

  test("R-2: a token is known as spent after its time has run out, too", async () => {
    const party = await aParty(stage, { refresh_token_ttl: 60 });
    const first = await party.flow();
    stage.clock.advance(50);
    const second = await party.refresh(first.refresh_token);
    stage.clock.advance(50);
    await assert.rejects(party.refresh(first.refresh_token), { name: "ReplayError" });
    assert.equal(await party.isActive(second.access_token), false);
  });

  test("R-3: of twelve refreshes at once at most one branch is left alive", async () => {
    for (const isPublic of [false, true]) {
      const party = await aParty(stage, { public: isPublic });
      const first = await party.flow();
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, () => party.refresh(first.refresh_token)),
      );
      const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      assert.equal(answers.length, 1);
      assert.equal(await liveRows(party, first), 0);
      for (const result of results) if (result.status === "rejected") invalidGrant(result.reason);
    }
  });

  test("R-4: another server process over the same database sees a replay", async () => {
    const party = await aParty(stage);
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    const store = await openStoreAt(address);
    const elsewhere = withPart(stage, {
      store,
      keys: keyRingSource(store, stage.server.sealer),
      verifiedSecrets: verifiedSecrets({ max: 10, ttl_seconds: 300, now: stage.clock.now }),
    });
    const there = party.at({ ...elsewhere, store });
    await assert.rejects(there.refresh(first.refresh_token), { name: "ReplayError" });
    assert.equal(await party.isActive(second.access_token), false);
    assert.equal(await there.isActive(second.refresh_token), false);
    await assert.rejects(party.refresh(second.refresh_token), invalidGrant);
    await store.close();
  });

  test("R-5: a refresh token is its client's alone, and a stranger's attempt spends nothing", async () => {
    const party = await aParty(stage);
    const { refresh_token } = await party.flow();
    for (const other of [await aParty(stage), await aParty(stage, { public: true })]) {
      await assert.rejects(other.refresh(refresh_token), refusal("invalid_grant", /issued to this client/));
    }
    const second = await party.refresh(refresh_token);
    // What was spent is nobody's replay in a stranger's hands.
    await assert.rejects((await aParty(stage)).refresh(refresh_token), { name: "OAuthError" });
    assert.equal(await party.isActive(second.access_token), true);
  });

  test("T-11: a refresh token that is not the token to the last character is none", async () => {
    const party = await aParty(stage);
    const { refresh_token, access_token, code } = await party.flow();
    const body = refresh_token.slice(credentialPrefix.refresh_token.length);
    const wrong = [
      refresh_token.slice(0, -1),
      `${refresh_token}A`,
      `${refresh_token}=`,
      ` ${refresh_token}`,
      refresh_token.toUpperCase(),
      refresh_token.toLowerCase(),
      body,
      credentialPrefix.code + body,
      newCredential(credentialPrefix.refresh_token, stage.clock.now()),
      access_token,
      code,
      `\uFF50rt_${body}`,
    ];
    for (const lookalike of wrong) await assert.rejects(party.refresh(lookalike), invalidGrant, lookalike);
    await assert.rejects(party.refresh(""), refusal("invalid_request", /refresh_token is missing/));
    assert.ok(await party.refresh(refresh_token));
  });

  test("T-16: a scope that was taken from the app since is in no token any more", async () => {
    const party = await aParty(stage, { allowed_scopes: ["openid", "orders:read", "orders:write"] });
    const first = await party.flow({ scope: "openid orders:read orders:write offline_access" });
    await stage.store.update(
      "oauth_apps",
      { id: party.app.id },
      { allowed_scopes: ["openid", "orders:read"] },
    );
    const second = await party.refresh(first.refresh_token);
    assert.equal(second.scope, "openid orders:read offline_access");
    await assert.rejects(
      party.refresh(second.refresh_token, { scope: "orders:write" }),
      refusal("invalid_scope"),
    );
    await stage.store.update("oauth_apps", { id: party.app.id }, { allowed_scopes: ["other"] });
    assert.equal((await party.refresh(second.refresh_token)).scope, "offline_access");
  });

  test("R-6: a narrower scope is given once and not kept; a wider one is refused; none means all", async () => {
    const party = await aParty(stage, {
      allowed_scopes: ["openid", "profile", "orders:read", "orders:write"],
    });
    const requested = await party.flow({ scope: "openid profile orders:read" });
    const narrow = await party.refresh(requested.refresh_token, { scope: "orders:read" });
    assert.equal(narrow.scope, "orders:read");
    assert.deepEqual((await party.rowOf(narrow.access_token)).scopes, ["orders:read"]);
    for (const wider of [
      "openid orders:write",
      "orders:write",
      "email",
      "token:introspect",
      "OPENID",
      "openid\u00a0profile",
    ]) {
      await assert.rejects(
        party.refresh(narrow.refresh_token, { scope: wider }),
        refusal("invalid_scope"),
        wider,
      );
    }
    const reordered = await party.refresh(narrow.refresh_token, { scope: "profile openid profile" });
    assert.equal(reordered.scope, "profile openid");
    for (const none of [undefined, ""]) {
      const whole = await party.refresh((await party.flow({ scope: "openid orders:read" })).refresh_token, {
        scope: none,
      });
      assert.equal(whole.scope, "openid orders:read");
    }
    const named = await party.refresh(reordered.refresh_token, { scope: "openid groups" });
    assert.equal(named.scope, "openid");
    await assert.rejects(
      party.refresh(named.refresh_token, { scope: "profile groups" }),
      refusal("invalid_scope"),
    );
    const again = await party.refresh(named.refresh_token);
    assert.equal(again.scope, "openid profile orders:read");
  });

  test("R-7: a refresh token slides from rotation to rotation, and its family ends all the same", async () => {
    const day = 86_400;
    const short = withSettings(stage, { refresh_family_max_age: 10 * day });
    const party = (await aParty(stage, { refresh_token_ttl: 4 * day })).at(short);
    const first = await party.flow();
    const born = (await party.rowOf(first.access_token)).created_at;
    let current: Refreshable = first;
    for (const days of [3, 6, 9]) {
      stage.clock.advance(3 * day);
      current = await party.refresh(current.refresh_token);
      const { refresh_expires_at } = await party.rowOf(current.access_token);
      assert.deepEqual(refresh_expires_at, later(Math.min(days + 4, 10) * day, born));
    }
    stage.clock.advance(day - 0.001);
    current = await party.refresh(current.refresh_token);
    stage.clock.advance(0.001);
    await assert.rejects(party.refresh(current.refresh_token), refusal("invalid_grant", /expired/));
    const unused = await partyOf({ ...party, who: await signedIn(stage, party.user) }).flow();
    stage.clock.advance(4 * day);
    await assert.rejects(party.refresh(unused.refresh_token), refusal("invalid_grant", /expired/));
  });

  test("R-7: shortening the age of families ends those that are older than it, and new ones at it", async () => {
    const party = await aParty(stage);
    const { refresh_token } = await party.flow();
    stage.clock.advance(3600);
    const stricter = party.at(withSettings(stage, { refresh_family_max_age: 3600 }));
    await assert.rejects(stricter.refresh(refresh_token), refusal("invalid_grant", /expired/));
    assert.ok(await party.refresh(refresh_token));
    const brief = await partyOf({ ...stricter, who: await signedIn(stage, party.user) }).flow();
    const { created_at, refresh_expires_at } = await party.rowOf(brief.access_token);
    assert.deepEqual(refresh_expires_at, later(3600, created_at));
  });

  test("R-8: without rotation a confidential client's refresh token keeps working, and every token dies with it", async () => {
    const party = await aParty(stage, { refresh_token_rotation: false });
    const first = await party.flow();
    const answers: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      stage.clock.advance(1);
      const answer = await party.refresh(first.refresh_token);
      assert.equal(answer.refresh_token, "", "no other refresh token is given");
      answers.push(answer.access_token);
      const row = await party.rowOf(answer.access_token);
      assert.deepEqual([row.refresh_token_signature, row.refresh_expires_at], [null, null]);
    }
    assert.equal(new Set(answers).size, 3);
    for (const access_token of [first.access_token, ...answers]) {
      assert.equal(await party.isActive(access_token), true);
    }
    await party.revoke(first.refresh_token);
    for (const access_token of [first.access_token, ...answers]) {
      assert.equal(await party.isActive(access_token), false);
    }
    await assert.rejects(party.refresh(first.refresh_token), invalidGrant);
  });

  test("R-8: turning rotation on later is safe, and so is turning it off again", async () => {
    const party = await aParty(stage, { refresh_token_rotation: false });
    const first = await party.flow();
    await party.refresh(first.refresh_token);
    await stage.store.update("oauth_apps", { id: party.app.id }, { refresh_token_rotation: true });
    const second = await party.refresh(first.refresh_token);
    assert.notEqual(second.refresh_token, "");
    await stage.store.update("oauth_apps", { id: party.app.id }, { refresh_token_rotation: false });
    await assert.rejects(party.refresh(first.refresh_token), { name: "ReplayError" });
    await assert.rejects(party.refresh(second.refresh_token), invalidGrant);
  });

  test("R-9: sub, client, audience and auth_time stay; jti is new; a nonce is not repeated", async () => {
    const resources = ["https://orders.example/", "https://bills.example/"];
    const party = await aParty(stage, { metadata: { resources } });
    const first = await party.flow({ nonce: "n", resource: resources, scope: "openid orders:read" });
    stage.clock.advance(700);
    const second = await party.refresh(first.refresh_token);
    const [before, after] = [claimsOf(first.access_token), claimsOf(second.access_token)];
    for (const claim of ["iss", "sub", "client_id", "aud", "scope"]) {
      assert.deepEqual(after[claim], before[claim], claim);
    }
    assert.notEqual(after.jti, before.jti);
    assert.equal(after.iat, Number(before.iat) + 700);
    const [idBefore, idAfter] = [claimsOf(first.id_token ?? ""), claimsOf(second.id_token ?? "")];
    for (const claim of ["iss", "sub", "aud", "auth_time", "acr", "sid"]) {
      assert.ok(idBefore[claim] !== undefined, claim);
      assert.deepEqual(idAfter[claim], idBefore[claim], claim);
    }
    assert.equal(idBefore.nonce, "n");
    assert.ok(!("nonce" in idAfter));
    const third = await party.refresh(second.refresh_token, { resource: resources[0] });
    assert.equal(claimsOf(third.access_token).aud, resources[0]);
    const fourth = await party.refresh(third.refresh_token);
    assert.deepEqual(claimsOf(fourth.access_token).aud, resources, "a narrower audience is not kept either");
    await assert.rejects(
      party.refresh(fourth.refresh_token, { resource: "https://other.example/" }),
      refusal("invalid_target"),
    );
  });

  type Ending = (party: Party, now: Date) => Promise<unknown>;
  const endings: Record<string, readonly [code: string, Ending]> = {
    "the user was deactivated": [
      "invalid_grant",
      ({ user }, now) => deactivate(stage.store, "users", user.id, now),
    ],
    "the consent was withdrawn": [
      "invalid_grant",
      ({ user, app }, now) => withdrawConsent(stage.store, user.id, app.id, "consent_withdrawn", now),
    ],
    "the consent is no longer granted": [
      "invalid_grant",
      ({ user, app }) =>
        stage.store.update("oauth_consents", { user_id: user.id, app_id: app.id }, { granted: false }),
    ],
    "the password was changed": [
      "invalid_grant",
      ({ user }, now) => stage.store.endEverythingOf(user.id, "password_changed", now),
    ],
    "the person signed out": ["invalid_grant", ({ who }, now) => stage.store.endSession(who.session.id, now)],
    "the app was deactivated": [
      "invalid_client",
      ({ app }, now) => deactivate(stage.store, "oauth_apps", app.id, now),
    ],
    "the app was revoked": ["invalid_client", ({ app }, now) => revokeApp(stage.store, app.id, now)],
    "the app was deleted": ["invalid_client", ({ app }) => deleteApp(stage.store, app.id)],
    "the organization was deactivated": [
      "invalid_client",
      ({ app }, now) => deactivate(stage.store, "organizations", app.organization_id ?? "", now),
    ],
    "the app may no longer refresh": [
      "unauthorized_client",
      ({ app }) => stage.store.update("oauth_apps", { id: app.id }, { allowed_grants: ["auth_code"] }),
    ],
  };
  for (const [what, [code, end]] of Object.entries(endings)) {
    test(`R-10: refresh fails at once when ${what}`, async () => {
      const organization = await anOrganization(stage.store, { created_at: stage.clock.now() });
      const party = await aParty(stage, { organization_id: organization.id });
      const { refresh_token } = await party.flow();
      stage.clock.advance(1);
      await end(party, stage.clock.now());
      await assert.rejects(party.refresh(refresh_token), refusal(code));
    });
  }

  test("design 6.8: signing out ends the session's tokens but those granted with offline_access", async () => {
    const party = await aParty(stage);
    const online = await party.flow();
    const offline = await party.flow({ scope: "openid offline_access" });
    const narrowed = await party.refresh(offline.refresh_token, { scope: "openid" });
    const elsewhere = partyOf({ ...party, who: await signedIn(stage, party.user) });
    const other = await elsewhere.flow();
    stage.clock.advance(1);
    await stage.store.endSession(party.who.session.id, stage.clock.now());
    assert.equal(await party.isActive(online.access_token), false);
    assert.equal((await party.rowOf(online.access_token)).revoked_reason, "logout");
    assert.equal(await party.isActive(narrowed.access_token), true);
    assert.ok(await party.refresh(narrowed.refresh_token));
    assert.equal(await party.isActive(other.access_token), true);
  });

  test("design 6.10: revoking only the access token leaves the refresh half, and rotation ends what is left", async () => {
    const party = await aParty(stage);
    const first = await party.flow();
    stage.clock.advance(1);
    await party.revoke(first.access_token);
    assert.equal(await party.isActive(first.access_token), false);
    assert.equal(await party.isActive(first.refresh_token), true);
    const row = await party.rowOf(first.access_token);
    assert.deepEqual(
      [row.revoked, row.revoked_reason, row.access_expires_at],
      [false, null, stage.clock.now()],
    );
    const second = await party.refresh(first.refresh_token);
    assert.equal(await party.isActive(second.access_token), true);
    assert.equal((await party.rowOf(first.access_token)).revoked_reason, "rotated");
  });

  test("design 6.11: a refresh token lives refresh_token_ttl of its app, to the millisecond", async () => {
    const party = await aParty(stage, { refresh_token_ttl: 100 });
    const { refresh_token } = await party.flow();
    stage.clock.advance(99.999);
    const second = await party.refresh(refresh_token);
    stage.clock.advance(100);
    assert.equal(await party.isActive(second.refresh_token), false);
    await assert.rejects(party.refresh(second.refresh_token), refusal("invalid_grant", /expired/));
  });

  test("design 6.18: reactivating revives no refresh token", async () => {
    for (const table of ["users", "oauth_apps"] as const) {
      const party = await aParty(stage);
      const id = table === "users" ? party.user.id : party.app.id;
      const { refresh_token, access_token } = await party.flow();
      stage.clock.advance(1);
      await deactivate(stage.store, table, id, stage.clock.now());
      stage.clock.advance(1);
      await reactivate(stage.store, table, id, stage.clock.now());
      await assert.rejects(party.refresh(refresh_token), invalidGrant);
      assert.equal(await party.isActive(access_token), false);
    }
  });
});
