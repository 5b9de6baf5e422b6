import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import {
  aClientFixture,
  type ClientFixture,
  refusal,
  withPart,
  withSettings,
  withStore,
} from "../oauth/client_fixture.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`failures while tokens are issued on ${database.name}`, () => {
    let setup: TestServer;
    before(async () => {
      setup = await testServer(await database.open());
    });

    /** Counts the rows of this fixture's tokens. */
    const rows = (fixture: ClientFixture) => setup.store.count("oauth_tokens", { app_id: fixture.app.id });

    const noKey = () => withPart(setup, { keys: () => Promise.reject(new Error("no key")) });
    const cause = new Error("the disk is gone");
    const fails = () => Promise.reject(cause);

    test("if signing fails, the authorization code can still be used", async () => {
      const fixture = await aClientFixture(setup);
      const code = await fixture.code();
      await assert.rejects(fixture.at(noKey()).exchange(code), /no key/);
      assert.equal(await rows(fixture), 0);
      assert.ok(await fixture.exchange(code));
    });

    test("if signing fails, the refresh token can still be used", async () => {
      const fixture = await aClientFixture(setup);
      const { refresh_token, access_token } = await fixture.flow();
      for (const window of [0, 30]) {
        const broken = withSettings(noKey(), { refresh_reuse_window: window });
        await assert.rejects(fixture.at(broken).refresh(refresh_token), /no key/);
      }
      assert.equal(await rows(fixture), 1);
      assert.equal(await fixture.isActive(access_token), true);
      assert.ok(await fixture.refresh(refresh_token));
    });

    test("if storing the token fails, the authorization code can still be used, and the error is reported", async () => {
      const fixture = await aClientFixture(setup);
      const code = await fixture.code();
      await assert.rejects(fixture.at(withStore(setup, { redeemCode: fails })).exchange(code), cause);
      const taken = await aClientFixture(setup);
      const { access_token } = await taken.flow();
      const { access_token_signature } = await taken.rowOf(access_token);
      // The database itself refuses the row after the code was marked as used, so both changes are rolled
      // back together.
      const refusing = withStore(setup, {
        redeemCode: ({ token, ...rest }) =>
          setup.store.redeemCode({ ...rest, token: { ...token, access_token_signature } }),
      });
      await assert.rejects(fixture.at(refusing).exchange(code), { name: "UniqueViolation" });
      assert.equal(await rows(fixture), 0);
      assert.ok(await fixture.exchange(code));
    });

    test("if storing the token fails, the refresh token can still be used, with and without rotation", async () => {
      const taken = await aClientFixture(setup);
      const { access_token_signature } = await taken.rowOf((await taken.flow()).access_token);
      const refusing = (test: TestServer) =>
        withStore(test, {
          rotateRefreshToken: ({ replacement, ...rest }) =>
            setup.store.rotateRefreshToken({
              ...rest,
              replacement: { ...replacement, access_token_signature },
            }),
          refreshWithoutRotation: ({ addition, ...rest }) =>
            setup.store.refreshWithoutRotation({
              ...rest,
              addition: { ...addition, access_token_signature },
            }),
        });
      const windowed = withSettings(setup, { refresh_reuse_window: 30 });
      for (const [server, refresh_token_rotation] of [
        [setup, true],
        [setup, false],
        [windowed, true],
      ] as const) {
        const fixture = (await aClientFixture(setup, { refresh_token_rotation })).at(server);
        const { refresh_token, access_token } = await fixture.flow();
        const before = await fixture.rowOf(access_token);
        await assert.rejects(fixture.at(refusing(server)).refresh(refresh_token), {
          name: "UniqueViolation",
        });
        assert.deepEqual(await fixture.rowOf(access_token), before);
        assert.equal(await rows(fixture), 1);
        assert.ok(await fixture.refresh(refresh_token));
      }
    });

    test("the client credentials grant answers only after the token is stored", async () => {
      const fixture = await aClientFixture(setup, { allowed_grants: ["client_credentials"] });
      await assert.rejects(fixture.at(withStore(setup, { insertToken: fails })).clientCredentials(), cause);
      assert.equal(await rows(fixture), 0);
    });

    test("a storage error causes a server error, never an OAuth error response", async () => {
      const fixture = await aClientFixture(setup);
      const { refresh_token, access_token, code } = await fixture.flow();
      const fresh = await fixture.code();
      const broken: [keyof Store, (fixture: ClientFixture) => Promise<unknown>][] = [
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
        await assert.rejects(attempt(fixture.at(withStore(setup, { [rule]: fails }))), cause, rule);
      }
      assert.ok(await fixture.exchange(fresh));
      assert.ok(await fixture.refresh(refresh_token));
    });

    test("T-6: if revoking tokens after a code replay fails, the next replay revokes them", async () => {
      const fixture = await aClientFixture(setup);
      const { code, access_token } = await fixture.flow();
      await assert.rejects(fixture.at(withStore(setup, { revokeFamily: fails })).exchange(code), cause);
      assert.equal(await fixture.isActive(access_token), true);
      await assert.rejects(fixture.exchange(code), refusal("invalid_grant"));
      assert.equal(await fixture.isActive(access_token), false);
    });

    test("within a reuse window, a refresh whose commit succeeded can be repeated after a failure", async () => {
      const windowed = withSettings(setup, { refresh_reuse_window: 30 });
      const fixture = (await aClientFixture(setup)).at(windowed);
      const { refresh_token } = await fixture.flow();
      const cut = withStore(windowed, {
        async rotateRefreshToken(rotation) {
          await setup.store.rotateRefreshToken(rotation);
          throw new Error("the connection was cut");
        },
      });
      await assert.rejects(fixture.at(cut).refresh(refresh_token), /cut/);
      const again = await fixture.refresh(refresh_token);
      assert.equal(await fixture.isActive(again.access_token), true);
      assert.ok(await fixture.refresh(again.refresh_token));
    });
  });
