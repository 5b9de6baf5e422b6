import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openUnder } from "../../src/crypto/sealing.ts";
import { rulesFor } from "../../src/oauth/core/rules_for.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { serverOn, type TestServer } from "../support/authorization_server.ts";
import { anOpenClient, later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, withdrawConsent } from "../support/endings.ts";
import {
  aClientFixture,
  type ClientFixture,
  refusal,
  rejected,
  withSettings,
  withStore,
} from "./client_fixture.ts";

const replay = { name: "ReplayError", code: "invalid_grant" };

describeInForm("the reuse window after a rotation (design 6.9)", (database) => {
  const strict = serverOn(database);
  let scenario: TestServer;
  before(async () => {
    scenario = withSettings(strict, { refresh_reuse_window: 30 });
  });

  const windowed = (overrides: Partial<OAuthApp> = {}): Promise<ClientFixture> =>
    aClientFixture(scenario, overrides);

  test("design 6.9: within the window, the rotated token gets the same response again, byte for byte", async () => {
    const fixture = await windowed();
    const first = await fixture.flow({ scope: "openid orders:read" });
    const second = await fixture.refresh(first.refresh_token);
    scenario.clock.advance(29.999);
    assert.deepEqual(await fixture.refresh(first.refresh_token), second);
    // Whatever else the request contains, the server repeats the lost answer.
    assert.deepEqual(await fixture.refresh(first.refresh_token, { scope: "openid" }), second);
    const { family_id } = await fixture.rowOf(first.access_token);
    assert.equal(await scenario.store.count("oauth_tokens", { family_id }), 2);
    assert.equal(await fixture.isActive(second.access_token), true);
    assert.ok(await fixture.refresh(second.refresh_token));
  });

  test("design 6.9: the window closes on time, and the rotated token then counts as reused", async () => {
    const fixture = await windowed();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    scenario.clock.advance(30);
    await assert.rejects(fixture.refresh(first.refresh_token), replay);
    assert.equal(await fixture.isActive(second.access_token), false);
    await rejected(fixture.refresh(second.refresh_token), "invalid_grant", /revoked/);
  });

  test("design 6.9: a token from two rotations ago always counts as reused", async () => {
    const fixture = await windowed();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    const third = await fixture.refresh(second.refresh_token);
    assert.deepEqual(await fixture.refresh(second.refresh_token), third);
    await assert.rejects(fixture.refresh(first.refresh_token), replay);
    assert.equal(await fixture.isActive(third.access_token), false);
    await rejected(fixture.refresh(third.refresh_token), "invalid_grant", /revoked/);
  });

  test("R-3: twelve concurrent refreshes within the window get the same response, and one refresh token is active", async () => {
    for (let round = 0; round < 3; round++) {
      const fixture = await windowed();
      const first = await fixture.flow();
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => fixture.refresh(first.refresh_token)),
      );
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
      const { family_id } = await fixture.rowOf(first.access_token);
      const rows = await scenario.store.list("oauth_tokens", { family_id, revoked: false });
      const redeemable = rows.filter((row) => row.rotated_at === null);
      assert.deepEqual([rows.length, redeemable.length], [2, 1]);
      assert.equal(await fixture.isActive(answers[0]?.access_token ?? ""), true);
    }
  });

  test("design 6.9: the window in an app's metadata replaces that of the server, longer or none", async () => {
    const generous = (await aClientFixture(scenario, { metadata: { refresh_reuse_window: 10 } })).at(strict);
    const first = await generous.flow();
    const second = await generous.refresh(first.refresh_token);
    scenario.clock.advance(9.999);
    assert.deepEqual(await generous.refresh(first.refresh_token), second);
    scenario.clock.advance(0.001);
    await assert.rejects(generous.refresh(first.refresh_token), replay);

    const severe = await windowed({ metadata: { refresh_reuse_window: 0 } });
    const spent = await severe.flow();
    await severe.refresh(spent.refresh_token);
    await assert.rejects(severe.refresh(spent.refresh_token), replay);
  });

  test("design 6.9: without the setting there is no window", async () => {
    const fixture = (await windowed()).at(strict);
    const first = await fixture.flow();
    await fixture.refresh(first.refresh_token);
    await assert.rejects(fixture.refresh(first.refresh_token), replay);
    assert.equal(
      await scenario.store.count("ephemera", { kind: "refresh_answer", key: await keyOf(fixture, first) }),
      0,
    );
  });

  async function keyOf(fixture: ClientFixture, { access_token }: { access_token: string }): Promise<Buffer> {
    const { refresh_token_signature } = await fixture.rowOf(access_token);
    assert.ok(refresh_token_signature);
    return refresh_token_signature;
  }

  test("H-5: the stored response can be decrypted only with the presented token, and its row reveals nothing", async () => {
    const fixture = await windowed();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    const key = await keyOf(fixture, first);
    const row = await scenario.store.find("ephemera", { kind: "refresh_answer", key });
    assert.ok(row?.value);
    assert.deepEqual(row.expires_at, later(30, scenario.clock.now()));
    const readable = JSON.stringify({ ...row, key: row.key.toString("latin1") });
    const plain = [
      ...Object.values(second).map(String),
      first.refresh_token,
      first.refresh_token.slice(4),
      fixture.user.id,
      fixture.user.email,
      fixture.app.client_id,
      Buffer.from(second.refresh_token).toString("base64url"),
    ].filter((text) => text.length > 8);
    for (const text of plain) assert.ok(!readable.includes(text));
    const opened = openUnder(first.refresh_token, "refresh answer", row.value);
    assert.deepEqual(JSON.parse(opened ?? "").answer, second);
    const others = [
      second.refresh_token,
      first.refresh_token.slice(0, -1),
      first.code,
      key.toString("base64url"),
    ];
    for (const other of others) assert.equal(openUnder(other, "refresh answer", row.value), undefined);
    // A caller whose stored answer was tampered with learns nothing.
    await scenario.store.update("ephemera", { id: row.id }, { value: `${row.value.slice(0, -4)}AAAA` });
    await assert.rejects(fixture.refresh(first.refresh_token), replay);
  });

  test("design 6.9: another client gets no response within the window, and does not end the family", async () => {
    const fixture = await windowed();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    const stranger = await windowed({ public: true });
    await rejected(stranger.refresh(first.refresh_token), "invalid_grant", /this client/);
    assert.deepEqual(await fixture.refresh(first.refresh_token), second);
  });

  test("design 6.10: the old access token is valid until the window closes, and the old refresh token is not", async () => {
    const fixture = await windowed();
    const first = await fixture.flow();
    await fixture.refresh(first.refresh_token);
    assert.equal(await fixture.isActive(first.access_token), true);
    assert.equal(await fixture.isActive(first.refresh_token), false);
    scenario.clock.advance(29.999);
    assert.equal(await fixture.isActive(first.access_token), true);
    scenario.clock.advance(0.001);
    assert.equal(await fixture.isActive(first.access_token), false);
    const aged = await fixture.flow();
    scenario.clock.advance(890);
    await fixture.refresh(aged.refresh_token);
    scenario.clock.advance(10);
    assert.equal(await fixture.isActive(aged.access_token), false, "its own time is not lengthened");
  });

  test("design 6.9: a response whose tokens ended is not returned again within the window", async () => {
    const enders: Record<string, (fixture: ClientFixture, now: Date) => Promise<unknown>> = {
      "a revoked family": async (fixture) => fixture.revoke((await fixture.refresh(lost)).refresh_token),
      "a deactivated user": ({ user }, now) => deactivate(scenario.store, "users", user.id, now),
      "a withdrawn consent": ({ user, app }, now) =>
        withdrawConsent(scenario.store, user.id, app.id, "consent_withdrawn", now),
      "a session signed out": ({ who }, now) => scenario.store.endSession(who.session.id, now),
    };
    let lost = "";
    for (const [what, end] of Object.entries(enders)) {
      const fixture = await windowed();
      lost = (await fixture.flow()).refresh_token;
      await fixture.refresh(lost);
      scenario.clock.advance(1);
      await end(fixture, scenario.clock.now());
      await assert.rejects(fixture.refresh(lost), refusal("invalid_grant"), what);
    }
  });

  test("R-4: the response is in the database, so any process returns the same one", async () => {
    const fixture = await windowed();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    const reads: string[] = [];
    const elsewhere = fixture.at(
      withStore(scenario, {
        findEphemeral: (kind, key, now) => {
          reads.push(kind);
          return scenario.store.findEphemeral(kind, key, now);
        },
      }),
    );
    assert.deepEqual(await elsewhere.refresh(first.refresh_token), second);
    assert.deepEqual(reads, ["refresh_answer"]);
  });

  test("R-8: with a window, a public client's token still rotates, and that of an app without rotation does not", async () => {
    const open = await windowed({ public: true, refresh_token_rotation: false });
    const first = await open.flow();
    const second = await open.refresh(first.refresh_token);
    assert.notEqual(second.refresh_token, "");
    assert.deepEqual(await open.refresh(first.refresh_token), second);
    const steady = await windowed({ refresh_token_rotation: false });
    const token = await steady.flow();
    const answers = [await steady.refresh(token.refresh_token), await steady.refresh(token.refresh_token)];
    assert.notEqual(answers[0]?.access_token, answers[1]?.access_token);
  });
});

describeInForm("refresh tokens of clients registered without an administrator", (database) => {
  const scenario = serverOn(database);
  const anOpenFixture = (overrides: Partial<OAuthApp> = {}) =>
    aClientFixture(scenario, { ...anOpenClient, ...overrides });

  test("PR-13: for 60 seconds the used token gets the same response byte for byte, and then ends its family", async () => {
    const fixture = await anOpenFixture();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    scenario.clock.advance(59.999);
    assert.equal(JSON.stringify(await fixture.refresh(first.refresh_token)), JSON.stringify(second));
    scenario.clock.advance(0.001);
    await assert.rejects(fixture.refresh(first.refresh_token), replay);
    assert.equal((await fixture.rowOf(second.access_token)).revoked, true);
    await rejected(fixture.refresh(second.refresh_token), "invalid_grant", /revoked/);
  });

  test("PR-13: the stored response is returned only to its own client", async () => {
    const fixture = await anOpenFixture();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    const stranger = await anOpenFixture();
    await rejected(stranger.refresh(first.refresh_token), "invalid_grant", /this client/);
    assert.deepEqual(await fixture.refresh(first.refresh_token), second);
    assert.equal((await fixture.rowOf(second.access_token)).revoked, false);
  });

  test("PR-13: the operator can close the window for open clients, and the one for registered apps is separate", async () => {
    const strict = withSettings(scenario, { open_reuse_window: 0 });
    const fixture = (await anOpenFixture()).at(strict);
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    await assert.rejects(fixture.refresh(first.refresh_token), replay);
    assert.equal((await fixture.rowOf(second.access_token)).revoked, true);
    const registered = await aClientFixture(scenario, { ...anOpenClient, provenance: "registered" });
    const spent = await registered.flow();
    await registered.refresh(spent.refresh_token);
    await assert.rejects(registered.refresh(spent.refresh_token), replay);
  });

  test("PR-13: an open client always rotates and uses PKCE, whatever its record says", async () => {
    for (const provenance of ["metadata_document", "dynamic_registration"] as const) {
      const { app } = await anOpenFixture({ provenance, refresh_token_rotation: false, public: false });
      const { pkce, refresh } = rulesFor(app, scenario.server);
      assert.deepEqual([pkce, refresh.rotates, refresh.reuse_window], [true, true, 60]);
    }
  });
});
