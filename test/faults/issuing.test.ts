import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { aParty, type Party, refusal, withPart, withSettings, withStore } from "../oauth/party.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`when something breaks while tokens are issued on ${database.name}`, () => {
    let stage: TestServer;
    before(async () => {
      stage = await testServer(await database.open());
    });

    /** Rows of tokens of this party: what was written. */
    const rows = (party: Party) => stage.store.count("oauth_tokens", { app_id: party.app.id });

    const noKey = () => withPart(stage, { keys: () => Promise.reject(new Error("no key")) });
    const cause = new Error("the disk is gone");
    const fails = () => Promise.reject(cause);

    test("a failure while signing leaves the code unspent", async () => {
      const party = await aParty(stage);
      const code = await party.code();
      await assert.rejects(party.at(noKey()).exchange(code), /no key/);
      assert.equal(await rows(party), 0);
      assert.ok(await party.exchange(code));
    });

    test("a failure while signing leaves the refresh token unspent", async () => {
      const party = await aParty(stage);
      const { refresh_token, access_token } = await party.flow();
      for (const window of [0, 30]) {
        const broken = withSettings(noKey(), { refresh_reuse_window: window });
        await assert.rejects(party.at(broken).refresh(refresh_token), /no key/);
      }
      assert.equal(await rows(party), 1);
      assert.equal(await party.isActive(access_token), true);
      assert.ok(await party.refresh(refresh_token));
    });

    test("a failure while storing leaves the code unspent, and is not swallowed", async () => {
      const party = await aParty(stage);
      const code = await party.code();
      await assert.rejects(party.at(withStore(stage, { redeemCode: fails })).exchange(code), cause);
      const taken = await aParty(stage);
      const { access_token } = await taken.flow();
      const { access_token_signature } = await taken.rowOf(access_token);
      // The database itself refuses the row after the code was marked as used: both are undone together.
      const refusing = withStore(stage, {
        redeemCode: ({ token, ...rest }) =>
          stage.store.redeemCode({ ...rest, token: { ...token, access_token_signature } }),
      });
      await assert.rejects(party.at(refusing).exchange(code), { name: "UniqueViolation" });
      assert.equal(await rows(party), 0);
      assert.ok(await party.exchange(code));
    });

    test("a failure while storing leaves the refresh token unspent, with rotation, without it, and in a window", async () => {
      const taken = await aParty(stage);
      const { access_token_signature } = await taken.rowOf((await taken.flow()).access_token);
      const refusing = (test: TestServer) =>
        withStore(test, {
          rotateRefreshToken: ({ replacement, ...rest }) =>
            stage.store.rotateRefreshToken({
              ...rest,
              replacement: { ...replacement, access_token_signature },
            }),
          refreshWithoutRotation: ({ addition, ...rest }) =>
            stage.store.refreshWithoutRotation({
              ...rest,
              addition: { ...addition, access_token_signature },
            }),
        });
      const windowed = withSettings(stage, { refresh_reuse_window: 30 });
      for (const [server, refresh_token_rotation] of [
        [stage, true],
        [stage, false],
        [windowed, true],
      ] as const) {
        const party = (await aParty(stage, { refresh_token_rotation })).at(server);
        const { refresh_token, access_token } = await party.flow();
        const before = await party.rowOf(access_token);
        await assert.rejects(party.at(refusing(server)).refresh(refresh_token), { name: "UniqueViolation" });
        assert.deepEqual(await party.rowOf(access_token), before);
        assert.equal(await rows(party), 1);
        assert.ok(await party.refresh(refresh_token));
      }
    });

    test("client credentials are not answered when the row was not stored", async () => {
      const party = await aParty(stage, { allowed_grants: ["client_credentials"] });
      await assert.rejects(party.at(withStore(stage, { insertToken: fails })).clientCredentials(), cause);
      assert.equal(await rows(party), 0);
    });

    test("a storage error is our fault and never an answer to the client", async () => {
      const party = await aParty(stage);
      const { refresh_token, access_token, code } = await party.flow();
      const fresh = await party.code();
      const broken: [keyof Store, (party: Party) => Promise<unknown>][] = [
        ["find", (there) => there.exchange(fresh)],
        ["findUser", (there) => there.exchange(fresh)],
        ["findClient", (there) => there.exchange(fresh)],
        ["findByRefreshToken", (there) => there.refresh(refresh_token)],
        ["findUser", (there) => there.refresh(refresh_token)],
        ["rotateRefreshToken", (there) => there.refresh(refresh_token)],
        ["findByAccessToken", (there) => there.introspect(access_token)],
        ["findClientOfApp", (there) => there.introspect(access_token)],
        ["findUser", (there) => there.introspect(access_token)],
        ["revokeFamily", (there) => there.exchange(code)],
      ];
      for (const [rule, attempt] of broken) {
        await assert.rejects(attempt(party.at(withStore(stage, { [rule]: fails }))), cause, rule);
      }
      assert.ok(await party.exchange(fresh));
      assert.ok(await party.refresh(refresh_token));
    });

    test("T-6: a replay whose punishment failed is punished when it is seen again", async () => {
      const party = await aParty(stage);
      const { code, access_token } = await party.flow();
      await assert.rejects(party.at(withStore(stage, { revokeFamily: fails })).exchange(code), cause);
      assert.equal(await party.isActive(access_token), true);
      await assert.rejects(party.exchange(code), refusal("invalid_grant"));
      assert.equal(await party.isActive(access_token), false);
    });

    test("a failure that came after the commit loses nothing inside a window", async () => {
      const windowed = withSettings(stage, { refresh_reuse_window: 30 });
      const party = (await aParty(stage)).at(windowed);
      const { refresh_token } = await party.flow();
      const cut = withStore(windowed, {
        async rotateRefreshToken(rotation) {
          await stage.store.rotateRefreshToken(rotation);
          throw new Error("the connection was cut");
        },
      });
      await assert.rejects(party.at(cut).refresh(refresh_token), /cut/);
      const again = await party.refresh(refresh_token);
      assert.equal(await party.isActive(again.access_token), true);
      assert.ok(await party.refresh(again.refresh_token));
    });
  });
