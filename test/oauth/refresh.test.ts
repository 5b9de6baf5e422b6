import assert from "node:assert/strict";
import { before, test } from "node:test";
import { credentialPrefix, newCredential } from "../../src/crypto/credentials.ts";
import type { DatabaseAddress } from "../../src/storage/store.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anOrganization, later } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import { deactivate, deleteApp, reactivate, revokeApp, withdrawConsent } from "../support/endings.ts";
import { signedIn } from "../support/flows.ts";
import {
  aClientFixture,
  type ClientFixture,
  claimsOf,
  clientFixtureOf,
  type Refreshable,
  refusal,
  withSettings,
} from "./client_fixture.ts";

const invalidGrant = refusal("invalid_grant");

describeInForm("the refresh token grant", (database) => {
  let address: DatabaseAddress;
  let scenario: TestServer;
  before(async () => {
    address = await database.tables();
    const store = await openStoreAt(address);
    scenario = await testServer(store);
  });

  /** Returns how many rows of an access token's family are active. */
  async function liveRows(
    fixture: ClientFixture,
    { access_token }: { access_token: string },
  ): Promise<number> {
    const { family_id } = await fixture.rowOf(access_token);
    return scenario.store.count("oauth_tokens", { family_id, revoked: false });
  }

  async function rotated(fixture: ClientFixture, times: number, from: Refreshable): Promise<Refreshable[]> {
    const generations = [from];
    for (let turn = 0; turn < times; turn++) {
      const last = generations.at(-1);
      assert.ok(last);
      generations.push(await fixture.refresh(last.refresh_token));
    }
    return generations;
  }

  test("R-1: rotation is on by default: a refresh issues a new refresh token, and the old one no longer works", async () => {
    const fixture = await aClientFixture(scenario);
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    assert.notEqual(second.refresh_token, first.refresh_token);
    const rows = [await fixture.rowOf(first.access_token), await fixture.rowOf(second.access_token)];
    assert.equal(rows[0]?.family_id, rows[1]?.family_id);
    assert.deepEqual([rows[0]?.revoked, rows[0]?.revoked_reason], [true, "rotated"]);
    assert.equal(await fixture.isActive(first.access_token), false);
    assert.equal(await fixture.isActive(first.refresh_token), false);
    assert.equal(await fixture.isActive(second.access_token), true);
    assert.equal(await fixture.isActive(second.refresh_token), true);
  });

  test("R-2: reuse of any earlier refresh token ends its family, and no other family of the user", async () => {
    const fixture = await aClientFixture(scenario);
    const bystander = await fixture.flow();
    for (const generation of [0, 1, 2]) {
      const generations = await rotated(fixture, 3, await fixture.flow());
      const replayed = generations[generation];
      assert.ok(replayed);
      scenario.events.length = 0;
      await assert.rejects(fixture.refresh(replayed.refresh_token), (error: Error) => {
        assert.equal(error.name, "ReplayError");
        return refusal("invalid_grant", /already used/)(error);
      });
      for (const { access_token, refresh_token } of generations) {
        assert.equal(await fixture.isActive(access_token), false);
        assert.equal(await fixture.isActive(refresh_token), false);
      }
      const last = generations[3];
      assert.ok(last);
      await assert.rejects(fixture.refresh(last.refresh_token), refusal("invalid_grant", /revoked/));
      assert.equal((await fixture.rowOf(last.access_token)).revoked_reason, "replay");
      assert.equal(scenario.events.filter(({ type }) => type === "refresh_replay").length, 1);
    }
    assert.equal(await fixture.isActive(bystander.access_token), true);
    assert.ok(await fixture.refresh(bystander.refresh_token));
  });

  test("R-2: reuse is detected even if the request has other errors", async () => {
    const fixture = await aClientFixture(scenario);
    for (const wrong of [
      { scope: "postern:admin" },
      { scope: "orders:write" },
      { resource: "https://no.example/" },
    ]) {
      const first = await fixture.flow();
      const second = await fixture.refresh(first.refresh_token);
      await assert.rejects(fixture.refresh(first.refresh_token, wrong), invalidGrant);
      assert.equal(await fixture.isActive(second.access_token), false, JSON.stringify(wrong));
    }
  });

  test("R-2: reuse is detected even after the used token has expired", async () => {
    const fixture = await aClientFixture(scenario, { refresh_token_ttl: 60 });
    const first = await fixture.flow();
    scenario.clock.advance(50);
    const second = await fixture.refresh(first.refresh_token);
    scenario.clock.advance(50);
    await assert.rejects(fixture.refresh(first.refresh_token), { name: "ReplayError" });
    assert.equal(await fixture.isActive(second.access_token), false);
  });

  test("R-3: after twelve concurrent refreshes, at most one new refresh token is active", async () => {
    for (const isPublic of [false, true]) {
      const fixture = await aClientFixture(scenario, { public: isPublic });
      const first = await fixture.flow();
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, () => fixture.refresh(first.refresh_token)),
      );
      const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      assert.equal(answers.length, 1);
      assert.equal(await liveRows(fixture, first), 0);
      for (const result of results) if (result.status === "rejected") invalidGrant(result.reason);
    }
  });

  test("R-5: a refresh token works only for its client, and an attempt by another client does not use it up", async () => {
    const fixture = await aClientFixture(scenario);
    const { refresh_token } = await fixture.flow();
    for (const other of [await aClientFixture(scenario), await aClientFixture(scenario, { public: true })]) {
      await assert.rejects(other.refresh(refresh_token), refusal("invalid_grant", /issued to this client/));
    }
    const second = await fixture.refresh(refresh_token);
    // A used token sent by another client is not a replay.
    await assert.rejects((await aClientFixture(scenario)).refresh(refresh_token), { name: "OAuthError" });
    assert.equal(await fixture.isActive(second.access_token), true);
  });

  test("T-11: a refresh token with any changed character is refused", async () => {
    const fixture = await aClientFixture(scenario);
    const { refresh_token, access_token, code } = await fixture.flow();
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
      newCredential(credentialPrefix.refresh_token, scenario.clock.now()),
      access_token,
      code,
      `\uFF50rt_${body}`,
    ];
    for (const lookalike of wrong) await assert.rejects(fixture.refresh(lookalike), invalidGrant, lookalike);
    await assert.rejects(fixture.refresh(""), refusal("invalid_request", /refresh_token is missing/));
    assert.ok(await fixture.refresh(refresh_token));
  });

  test("T-16: a scope that is removed from the app is in no token from then on", async () => {
    const fixture = await aClientFixture(scenario, {
      allowed_scopes: ["openid", "orders:read", "orders:write"],
    });
    const first = await fixture.flow({ scope: "openid orders:read orders:write offline_access" });
    await scenario.store.update(
      "oauth_apps",
      { id: fixture.app.id },
      { allowed_scopes: ["openid", "orders:read"] },
    );
    const second = await fixture.refresh(first.refresh_token);
    assert.equal(second.scope, "openid orders:read offline_access");
    await assert.rejects(
      fixture.refresh(second.refresh_token, { scope: "orders:write" }),
      refusal("invalid_scope"),
    );
    await scenario.store.update("oauth_apps", { id: fixture.app.id }, { allowed_scopes: ["other"] });
    assert.equal((await fixture.refresh(second.refresh_token)).scope, "offline_access");
  });

  test("R-6: a narrower scope applies to one response, a wider one is refused, and without scope all are kept", async () => {
    const fixture = await aClientFixture(scenario, {
      allowed_scopes: ["openid", "profile", "orders:read", "orders:write"],
    });
    const requested = await fixture.flow({ scope: "openid profile orders:read" });
    const narrow = await fixture.refresh(requested.refresh_token, { scope: "orders:read" });
    assert.equal(narrow.scope, "orders:read");
    assert.deepEqual((await fixture.rowOf(narrow.access_token)).scopes, ["orders:read"]);
    for (const wider of [
      "openid orders:write",
      "orders:write",
      "email",
      "token:introspect",
      "OPENID",
      "openid\u00a0profile",
    ]) {
      await assert.rejects(
        fixture.refresh(narrow.refresh_token, { scope: wider }),
        refusal("invalid_scope"),
        wider,
      );
    }
    const reordered = await fixture.refresh(narrow.refresh_token, { scope: "profile openid profile" });
    assert.equal(reordered.scope, "profile openid");
    for (const none of [undefined, ""]) {
      const whole = await fixture.refresh(
        (await fixture.flow({ scope: "openid orders:read" })).refresh_token,
        {
          scope: none,
        },
      );
      assert.equal(whole.scope, "openid orders:read");
    }
    const named = await fixture.refresh(reordered.refresh_token, { scope: "openid groups" });
    assert.equal(named.scope, "openid");
    await assert.rejects(
      fixture.refresh(named.refresh_token, { scope: "profile groups" }),
      refusal("invalid_scope"),
    );
    const again = await fixture.refresh(named.refresh_token);
    assert.equal(again.scope, "openid profile orders:read");
  });

  test("R-7: each rotation extends the refresh token, but not beyond the maximum age of its family", async () => {
    const day = 86_400;
    const short = withSettings(scenario, { refresh_family_max_age: 10 * day });
    const fixture = (await aClientFixture(scenario, { refresh_token_ttl: 4 * day })).at(short);
    const first = await fixture.flow();
    const born = (await fixture.rowOf(first.access_token)).created_at;
    let current: Refreshable = first;
    for (const days of [3, 6, 9]) {
      scenario.clock.advance(3 * day);
      current = await fixture.refresh(current.refresh_token);
      const { refresh_expires_at } = await fixture.rowOf(current.access_token);
      assert.deepEqual(refresh_expires_at, later(Math.min(days + 4, 10) * day, born));
    }
    scenario.clock.advance(day - 0.001);
    current = await fixture.refresh(current.refresh_token);
    scenario.clock.advance(0.001);
    await assert.rejects(fixture.refresh(current.refresh_token), refusal("invalid_grant", /expired/));
    const unused = await clientFixtureOf({ ...fixture, who: await signedIn(scenario, fixture.user) }).flow();
    scenario.clock.advance(4 * day);
    await assert.rejects(fixture.refresh(unused.refresh_token), refusal("invalid_grant", /expired/));
  });

  test("R-7: shortening the maximum age ends older families, and limits new ones", async () => {
    const fixture = await aClientFixture(scenario);
    const { refresh_token } = await fixture.flow();
    scenario.clock.advance(3600);
    const stricter = fixture.at(withSettings(scenario, { refresh_family_max_age: 3600 }));
    await assert.rejects(stricter.refresh(refresh_token), refusal("invalid_grant", /expired/));
    assert.ok(await fixture.refresh(refresh_token));
    const brief = await clientFixtureOf({ ...stricter, who: await signedIn(scenario, fixture.user) }).flow();
    const { created_at, refresh_expires_at } = await fixture.rowOf(brief.access_token);
    assert.deepEqual(refresh_expires_at, later(3600, created_at));
  });

  test("R-8: without rotation a refresh token keeps working, and all access tokens end with it", async () => {
    const fixture = await aClientFixture(scenario, { refresh_token_rotation: false });
    const first = await fixture.flow();
    const answers: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      scenario.clock.advance(1);
      const answer = await fixture.refresh(first.refresh_token);
      assert.equal(answer.refresh_token, "", "no other refresh token is given");
      answers.push(answer.access_token);
      const row = await fixture.rowOf(answer.access_token);
      assert.deepEqual([row.refresh_token_signature, row.refresh_expires_at], [null, null]);
    }
    assert.equal(new Set(answers).size, 3);
    for (const access_token of [first.access_token, ...answers]) {
      assert.equal(await fixture.isActive(access_token), true);
    }
    await fixture.revoke(first.refresh_token);
    for (const access_token of [first.access_token, ...answers]) {
      assert.equal(await fixture.isActive(access_token), false);
    }
    await assert.rejects(fixture.refresh(first.refresh_token), invalidGrant);
  });

  test("R-8: rotation can be enabled later and disabled again, and a token rotated meanwhile stays refused", async () => {
    const fixture = await aClientFixture(scenario, { refresh_token_rotation: false });
    const first = await fixture.flow();
    await fixture.refresh(first.refresh_token);
    await scenario.store.update("oauth_apps", { id: fixture.app.id }, { refresh_token_rotation: true });
    const second = await fixture.refresh(first.refresh_token);
    assert.notEqual(second.refresh_token, "");
    await scenario.store.update("oauth_apps", { id: fixture.app.id }, { refresh_token_rotation: false });
    await assert.rejects(fixture.refresh(first.refresh_token), { name: "ReplayError" });
    await assert.rejects(fixture.refresh(second.refresh_token), invalidGrant);
  });

  test("R-9: a refresh keeps sub, client, audience and auth_time, changes jti, and repeats no nonce", async () => {
    const resources = ["https://orders.example/", "https://bills.example/"];
    const fixture = await aClientFixture(scenario, { metadata: { resources } });
    const first = await fixture.flow({ nonce: "n", resource: resources, scope: "openid orders:read" });
    scenario.clock.advance(700);
    const second = await fixture.refresh(first.refresh_token);
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
    const third = await fixture.refresh(second.refresh_token, { resource: resources[0] });
    assert.equal(claimsOf(third.access_token).aud, resources[0]);
    const fourth = await fixture.refresh(third.refresh_token);
    assert.deepEqual(claimsOf(fourth.access_token).aud, resources, "a narrower audience is not kept either");
    await assert.rejects(
      fixture.refresh(fourth.refresh_token, { resource: "https://other.example/" }),
      refusal("invalid_target"),
    );
  });

  type Ending = (fixture: ClientFixture, now: Date) => Promise<unknown>;
  const endings: Record<string, readonly [code: string, Ending]> = {
    "the user was deactivated": [
      "invalid_grant",
      ({ user }, now) => deactivate(scenario.store, "users", user.id, now),
    ],
    "the consent was withdrawn": [
      "invalid_grant",
      ({ user, app }, now) => withdrawConsent(scenario.store, user.id, app.id, "consent_withdrawn", now),
    ],
    "the consent is no longer granted": [
      "invalid_grant",
      ({ user, app }) =>
        scenario.store.update("oauth_consents", { user_id: user.id, app_id: app.id }, { granted: false }),
    ],
    "the password was changed": [
      "invalid_grant",
      ({ user }, now) => scenario.store.endEverythingOf(user.id, "password_changed", now),
    ],
    "the person signed out": [
      "invalid_grant",
      ({ who }, now) => scenario.store.endSession(who.session.id, now),
    ],
    "the app was deactivated": [
      "invalid_client",
      ({ app }, now) => deactivate(scenario.store, "oauth_apps", app.id, now),
    ],
    "the app was revoked": ["invalid_client", ({ app }, now) => revokeApp(scenario.store, app.id, now)],
    "the app was deleted": ["invalid_client", ({ app }) => deleteApp(scenario.store, app.id)],
    "the organization was deactivated": [
      "invalid_client",
      ({ app }, now) => deactivate(scenario.store, "organizations", app.organization_id ?? "", now),
    ],
    "the app may no longer refresh": [
      "unauthorized_client",
      ({ app }) => scenario.store.update("oauth_apps", { id: app.id }, { allowed_grants: ["auth_code"] }),
    ],
  };
  for (const [what, [code, end]] of Object.entries(endings)) {
    test(`R-10: a refresh fails immediately when ${what}`, async () => {
      const organization = await anOrganization(scenario.store, { created_at: scenario.clock.now() });
      const fixture = await aClientFixture(scenario, { organization_id: organization.id });
      const { refresh_token } = await fixture.flow();
      scenario.clock.advance(1);
      await end(fixture, scenario.clock.now());
      await assert.rejects(fixture.refresh(refresh_token), refusal(code));
    });
  }

  test("design 6.8: signing out ends the session's tokens, except those granted with offline_access", async () => {
    const fixture = await aClientFixture(scenario);
    const online = await fixture.flow();
    const offline = await fixture.flow({ scope: "openid offline_access" });
    const narrowed = await fixture.refresh(offline.refresh_token, { scope: "openid" });
    const elsewhere = clientFixtureOf({ ...fixture, who: await signedIn(scenario, fixture.user) });
    const other = await elsewhere.flow();
    scenario.clock.advance(1);
    await scenario.store.endSession(fixture.who.session.id, scenario.clock.now());
    assert.equal(await fixture.isActive(online.access_token), false);
    assert.equal((await fixture.rowOf(online.access_token)).revoked_reason, "logout");
    assert.equal(await fixture.isActive(narrowed.access_token), true);
    assert.ok(await fixture.refresh(narrowed.refresh_token));
    assert.equal(await fixture.isActive(other.access_token), true);
  });

  test("OR-12: tokens without offline_access end with their session, also if a limit shortened it", async () => {
    const fixture = await aClientFixture(scenario);
    const { session } = fixture.who;
    const now = Math.floor(scenario.clock.now().getTime() / 1000) * 1000;
    const soon = new Date(now + 600_000);
    const endsOf = async (scope: string, expires_at: Date) => {
      const limited = clientFixtureOf({
        ...fixture,
        who: { ...fixture.who, session: { ...session, expires_at } },
      });
      const first = await limited.flow({ scope });
      const next = await limited.refresh(first.refresh_token);
      const rows = [await limited.rowOf(first.access_token), await limited.rowOf(next.access_token)];
      return rows.map(({ refresh_expires_at }) => refresh_expires_at?.getTime() ?? 0);
    };
    assert.deepEqual(await endsOf("openid", soon), [soon.getTime(), soon.getTime()]);
    for (const [scope, end] of [
      ["openid offline_access", soon],
      ["openid", session.expires_at],
    ] as const)
      for (const at of await endsOf(scope, end)) assert.ok(at > soon.getTime());
  });

  test("design 6.10: revoking an access token leaves its refresh token, and a rotation ends the other old ones", async () => {
    const fixture = await aClientFixture(scenario);
    const first = await fixture.flow();
    scenario.clock.advance(1);
    await fixture.revoke(first.access_token);
    assert.equal(await fixture.isActive(first.access_token), false);
    assert.equal(await fixture.isActive(first.refresh_token), true);
    const row = await fixture.rowOf(first.access_token);
    assert.deepEqual(
      [row.revoked, row.revoked_reason, row.access_expires_at],
      [false, null, scenario.clock.now()],
    );
    const second = await fixture.refresh(first.refresh_token);
    assert.equal(await fixture.isActive(second.access_token), true);
    assert.equal((await fixture.rowOf(first.access_token)).revoked_reason, "rotated");
  });

  test("design 6.11: a refresh token is valid for its app's refresh_token_ttl, to the millisecond", async () => {
    const fixture = await aClientFixture(scenario, { refresh_token_ttl: 100 });
    const { refresh_token } = await fixture.flow();
    scenario.clock.advance(99.999);
    const second = await fixture.refresh(refresh_token);
    scenario.clock.advance(100);
    assert.equal(await fixture.isActive(second.refresh_token), false);
    await assert.rejects(fixture.refresh(second.refresh_token), refusal("invalid_grant", /expired/));
  });

  test("design 6.18: reactivating a record reactivates no refresh token", async () => {
    for (const table of ["users", "oauth_apps"] as const) {
      const fixture = await aClientFixture(scenario);
      const id = table === "users" ? fixture.user.id : fixture.app.id;
      const { refresh_token, access_token } = await fixture.flow();
      scenario.clock.advance(1);
      await deactivate(scenario.store, table, id, scenario.clock.now());
      scenario.clock.advance(1);
      await reactivate(scenario.store, table, id, scenario.clock.now());
      await assert.rejects(fixture.refresh(refresh_token), invalidGrant);
      assert.equal(await fixture.isActive(access_token), false);
    }
  });
});
