import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Problem } from "../../src/errors.ts";
import type { TokenCarrier } from "../../src/records/definition/token_carriers.ts";
import { writeRequestData } from "../../src/records/names/request_data.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  accessOnly,
  aKeyPair,
  anApiKey,
  anApp,
  anOrganization,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  insertMany,
  later,
  start,
  tokenOf,
} from "../support/builders.ts";
import { everyDatabaseInForm } from "../support/databases.ts";
import {
  deactivate,
  deleteApp,
  deleteOrganization,
  deleteServiceAccount,
  deleteUser,
  reactivate,
  revokeApp,
} from "../support/endings.ts";
import { anAuthorization, firstToken, rotate } from "./authorization.ts";

const unknown = "01b8dac5-b400-7000-8000-000000000000";

for (const database of everyDatabaseInForm)
  describe(`sign-out, deactivation and deletion on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    const reasonOf = async (id: string) => {
      const token = await store.find("oauth_tokens", { id });
      return token?.revoked ? token.revoked_reason : undefined;
    };

    test("design 6.8: signing out ends the session and its tokens, except those granted with offline_access", async () => {
      const user = await aUser(store);
      const session = await aSession(store, { user_id: user.id });
      const app = await anApp(store, { name: "offline_access" });
      const of = { user_id: user.id, app_id: app.id, session_id: session.id };
      const grant = (scope: string) => writeRequestData({ grant_type: "authorization_code", scope });
      const ordinary = await aToken(store, { ...of, request_data: grant("openid") });
      const without = await aToken(store, of);
      const lookalike = await aToken(store, { ...of, request_data: grant("openid not_offline_access") });
      const offline = await aToken(store, {
        ...of,
        request_data: grant("openid offline_access"),
        scopes: ["openid"],
      });
      const elsewhere = await aToken(store, { ...of, session_id: null });

      await store.endSession(session.id, later(60));
      assert.deepEqual((await store.find("sessions", { id: session.id }))?.ended_at, later(60));
      for (const { id } of [ordinary, without, lookalike]) assert.equal(await reasonOf(id), "logout");
      for (const { id } of [offline, elsewhere]) assert.equal(await reasonOf(id), undefined);

      await store.endSession(session.id, later(120));
      assert.deepEqual((await store.find("sessions", { id: session.id }))?.ended_at, later(60));
      await store.endSession(unknown, later(120));
    });

    test("design 6.8: one statement ends all tokens of a session, and scopes are compared in exact case", async () => {
      const session = await aSession(store);
      const app = await anApp(store);
      const of = { user_id: session.user_id, app_id: app.id, session_id: session.id };
      const grant = (scope: string) => writeRequestData({ grant_type: "authorization_code", scope });
      const scopes = [
        "offline_access",
        "openid offline_access email",
        "OFFLINE_ACCESS",
        "offline-access",
        "",
      ];
      const tokens = await Promise.all(
        scopes.map((scope) => aToken(store, { ...of, request_data: grant(scope) })),
      );
      const statements: string[] = [];
      await store.transaction(async (tx) => {
        // The database may repeat a serializable transaction, so the count starts again.
        statements.length = 0;
        const counted = {
          ...tx.connection,
          run: (text: string, parameters: readonly unknown[]) => {
            statements.push(text);
            return tx.connection.run(text, parameters);
          },
        };
        await store.endTokensOfSession({ ...tx, connection: counted }, session, later(60));
      });
      assert.equal(statements.length, 1);
      const reasons = await Promise.all(tokens.map(({ id }) => reasonOf(id)));
      assert.deepEqual(reasons, [undefined, undefined, "logout", "logout", "logout"]);
    });

    test("design 6.8: a password change ends every token, code and other session of the user", async () => {
      const of = await anAuthorization(store);
      const token = await firstToken(store, of);
      const offline = await aToken(store, {
        user_id: of.user.id,
        app_id: of.app.id,
        request_data: writeRequestData({ grant_type: "authorization_code", scope: "offline_access" }),
      });
      const kept = await aSession(store, { user_id: of.user.id });
      const strangers = [await aToken(store, { app_id: of.app.id }), await aToken(store, { user_id: null })];
      const strangersSession = await aSession(store);

      await store.endEverythingOf(of.user.id, "password_changed", later(60), kept.id);
      for (const { id } of [token, offline]) assert.equal(await reasonOf(id), "password_changed");
      for (const { id } of strangers) assert.equal(await reasonOf(id), undefined);
      const endedAt = async (id: string) => (await store.find("sessions", { id }))?.ended_at;
      assert.deepEqual(await endedAt(of.session.id), later(60));
      assert.equal(await endedAt(kept.id), null);
      assert.equal(await endedAt(strangersSession.id), null);
      assert.equal(await store.count("oauth_auth_codes", { user_id: of.user.id }), 0);

      await store.endEverythingOf(of.user.id, "password_changed", later(120));
      assert.deepEqual(await endedAt(kept.id), later(120));
    });

    /** Creates a record of each kind with a token that depends on it. */
    const standing: Record<TokenCarrier, () => Promise<{ id: string; token: string }>> = {
      users: async () => {
        const { id } = await aUser(store);
        return { id, token: (await aToken(store, { user_id: id })).id };
      },
      oauth_apps: async () => {
        const { id } = await anApp(store);
        return { id, token: (await aToken(store, { app_id: id })).id };
      },
      service_accounts: async () => {
        const { id } = await aServiceAccount(store);
        const of = { service_account_id: id, user_id: null, ...accessOnly };
        return { id, token: (await aToken(store, of)).id };
      },
      organizations: async () => {
        const { id } = await anOrganization(store);
        const app = await anApp(store, { organization_id: id });
        return { id, token: (await aToken(store, { app_id: app.id })).id };
      },
    };
    const reasons: Record<TokenCarrier, string> = {
      users: "user_disabled",
      oauth_apps: "app_disabled",
      service_accounts: "service_account_disabled",
      organizations: "organization_disabled",
    };

    for (const table of Object.keys(standing) as TokenCarrier[]) {
      test(`design 6.18: deactivating one of ${table} ends its tokens, and reactivating it revives none`, async () => {
        const { id, token } = await standing[table]();
        const other = await standing[table]();
        assert.equal(await deactivate(store, table, id, later(60)), true);
        const off = await store.find(table, { id });
        assert.deepEqual(
          [off?.active, off?.tokens_not_before, off?.updated_at],
          [false, later(60), later(60)],
        );
        assert.equal(await reasonOf(token), reasons[table]);
        assert.equal(await reasonOf(other.token), undefined);
        assert.deepEqual((await store.find("oauth_tokens", { id: token }))?.revoked_at, later(60));

        assert.equal(await reactivate(store, table, id, later(120)), true);
        const on = await store.find(table, { id });
        assert.deepEqual([on?.active, on?.tokens_not_before, on?.updated_at], [true, later(120), later(120)]);
        assert.equal(await reasonOf(token), reasons[table]);
        assert.equal(await reasonOf(other.token), undefined);
      });

      test(`activating one of ${table} that is already active ends no token`, async () => {
        const { id } = await standing[table]();
        const was = await store.find(table, { id });
        assert.equal(await reactivate(store, table, id, later(60)), true);
        assert.deepEqual(await store.find(table, { id }), was);
        assert.equal(await deactivate(store, table, unknown, later(60)), false);
        assert.equal(await reactivate(store, table, unknown, later(60)), false);
      });
    }

    test("design 6.18: tokens from before a deactivation are inactive, and those after the reactivation active", async () => {
      for (const table of ["users", "oauth_apps", "organizations"] as const) {
        const of = await anAuthorization(store);
        const id = { users: of.user.id, oauth_apps: of.app.id, organizations: of.organization.id }[table];
        // This token is not marked as revoked, so the state of the record decides.
        const unmarked = await aToken(store, { ...(await firstToken(store, of)), ...fresh(later(61)) });
        await deactivate(store, table, id, later(60));
        await reactivate(store, table, id, later(120));
        assert.equal(await rotate(store, of, unmarked.id, later(130)), "ended", table);
        const young = await aToken(store, { ...unmarked, ...fresh(later(121)) });
        assert.equal(await rotate(store, of, young.id, later(130)), "spent", table);
      }
    });

    const fresh = (created_at: Date) => {
      const { id, access_token_signature, refresh_token_signature, access_expires_at } = tokenOf({
        app_id: unknown,
        user_id: null,
        created_at,
      });
      return { id, access_token_signature, refresh_token_signature, access_expires_at, created_at };
    };

    test("L-7: deactivating a user ends their sessions, and reactivating the user restores none", async () => {
      const session = await aSession(store);
      await deactivate(store, "users", session.user_id, later(60));
      await reactivate(store, "users", session.user_id, later(120));
      assert.deepEqual((await store.find("sessions", { id: session.id }))?.ended_at, later(60));
    });

    test("design 6.18: tokens are marked in batches until none is left", async () => {
      const app = await anApp(store);
      const row = () => tokenOf({ app_id: app.id, user_id: null, ...accessOnly });
      await insertMany(store, "oauth_tokens", 1203, row);
      await deactivate(store, "oauth_apps", app.id, later(60));
      assert.equal(
        await store.count("oauth_tokens", { app_id: app.id, revoked: true, revoked_reason: "app_disabled" }),
        1203,
      );
    });

    test("a revoked token keeps its own reason and time when its user or app ends", async () => {
      const token = await aToken(store, { revoked: true, revoked_at: later(1), revoked_reason: "replay" });
      await deactivate(store, "oauth_apps", token.app_id, later(60));
      assert.deepEqual(await store.find("oauth_tokens", { id: token.id }), token);
    });

    test("spec 2.6: revoking an app is permanent: deactivating and reactivating does not revive it", async () => {
      const of = await anAuthorization(store);
      const token = await firstToken(store, of);
      assert.equal(await revokeApp(store, of.app.id, later(60)), true);
      assert.equal(await revokeApp(store, of.app.id, later(70)), false);
      assert.equal(await reasonOf(token.id), "app_disabled");
      await deactivate(store, "oauth_apps", of.app.id, later(80));
      await reactivate(store, "oauth_apps", of.app.id, later(90));
      assert.deepEqual((await store.find("oauth_apps", { id: of.app.id }))?.revoked_at, later(60));
      const young = await aToken(store, { ...token, ...fresh(later(100)) });
      assert.equal(await rotate(store, of, young.id, later(110)), "ended");
    });

    test("design 6.18: deactivating an organization ends the tokens of its service accounts too", async () => {
      const account = await aServiceAccount(store);
      const app = await anApp(store);
      const of = { app_id: app.id, user_id: null, service_account_id: account.id, ...accessOnly };
      const token = await aToken(store, of);
      await deactivate(store, "organizations", account.organization_id, later(60));
      assert.equal(await reasonOf(token.id), "organization_disabled");
    });

    test("deleting a user deletes their records and all of their tokens", async () => {
      const of = await anAuthorization(store, { organization_id: null });
      const { id } = of.user;
      const organization = await anOrganization(store);
      await store.insert("memberships", {
        id: store.newId(start),
        user_id: id,
        organization_id: organization.id,
        role: "member",
        created_at: start,
        updated_at: start,
      });
      await store.insert("oauth_accounts", {
        id: store.newId(start),
        user_id: id,
        provider: "example",
        provider_user_id: id,
        access_token: "sealed",
        created_at: start,
        updated_at: start,
      });
      await anApiKey(store, { user_id: id });
      await aSecret(store, { app_id: of.app.id });
      await firstToken(store, of);
      // Another user's token of the deleted user's app is deleted with the app.
      const foreign = await aToken(store, { app_id: of.app.id });
      const elsewhere = await aToken(store, { user_id: id });

      assert.equal(await deleteUser(store, id, later(60)), true);
      for (const table of [
        "memberships",
        "oauth_accounts",
        "api_keys",
        "sessions",
        "oauth_tokens",
        "oauth_auth_codes",
        "oauth_consents",
      ] as const)
        assert.equal(await store.count(table, { user_id: id }), 0, table);
      assert.equal(await store.find("oauth_apps", { id: of.app.id }), undefined);
      assert.equal(await store.count("oauth_app_secrets", { app_id: of.app.id }), 0);
      assert.equal(await store.find("oauth_tokens", { id: foreign.id }), undefined);
      assert.ok(await store.find("oauth_apps", { id: elsewhere.app_id }));
      assert.ok(await store.find("organizations", { id: organization.id }));
      assert.equal(await deleteUser(store, id, later(60)), false);
    });

    test("a user who created an organization's apps and service accounts can be deleted only with a successor", async () => {
      const user = await aUser(store);
      const account = await aServiceAccount(store, { created_by: user.id });
      const app = await anApp(store, { owner_id: user.id, organization_id: account.organization_id });
      const personal = await anApp(store, { owner_id: user.id });
      const machine = await aToken(store, { app_id: app.id, user_id: null, ...accessOnly });
      for (const successor of [undefined, user.id, unknown])
        await assert.rejects(deleteUser(store, user.id, later(60), successor), (problem: Problem) => {
          assert.deepEqual([problem.status, problem.code], [409, "successor_required"]);
          assert.deepEqual(problem.detail, {
            code: "successor_required",
            params: { apps: 1, service_accounts: 1 },
          });
          return true;
        });
      assert.ok(await store.find("users", { id: user.id }));
      assert.ok(await store.find("oauth_apps", { id: personal.id }));

      const successor = await aUser(store);
      assert.equal(await deleteUser(store, user.id, later(60), successor.id), true);
      const kept = await store.find("oauth_apps", { id: app.id });
      assert.deepEqual([kept?.owner_id, kept?.updated_at], [successor.id, later(60)]);
      assert.equal((await store.find("service_accounts", { id: account.id }))?.created_by, successor.id);
      assert.equal(await store.find("oauth_apps", { id: personal.id }), undefined);
      assert.deepEqual(await store.find("oauth_tokens", { id: machine.id }), machine);
    });

    test("deleting an organization deletes all of its apps, service accounts, keys and tokens", async () => {
      const account = await aServiceAccount(store);
      const pairOfKeys = await aKeyPair(store, { service_account_id: account.id });
      const of = await anAuthorization(store, { organization_id: account.organization_id });
      const token = await firstToken(store, of);
      await anApiKey(store, { organization_id: account.organization_id });
      const outsider = await anApp(store);
      const machine = await aToken(store, {
        app_id: outsider.id,
        user_id: null,
        service_account_id: account.id,
        ...accessOnly,
      });

      assert.equal(await deleteOrganization(store, account.organization_id), true);
      for (const table of ["api_keys", "oauth_apps", "service_accounts"] as const)
        assert.equal(await store.count(table, { organization_id: account.organization_id }), 0, table);
      for (const { id } of [token, machine])
        assert.equal(await store.find("oauth_tokens", { id }), undefined);
      assert.equal(await store.find("service_account_key_pairs", { id: pairOfKeys.id }), undefined);
      assert.ok(await store.find("users", { id: of.user.id }));
      assert.ok(await store.find("oauth_apps", { id: outsider.id }));
      assert.equal(await deleteOrganization(store, account.organization_id), false);
    });

    test("deleting an app deletes all of its secrets, codes, consents and tokens", async () => {
      const app = await anApp(store);
      const other = await aToken(store);
      await aSecret(store, { app_id: app.id });
      await aCode(store, { app_id: app.id });
      await aConsent(store, { app_id: app.id });
      await aToken(store, { app_id: app.id });
      assert.equal(await deleteApp(store, app.id), true);
      for (const table of [
        "oauth_app_secrets",
        "oauth_auth_codes",
        "oauth_consents",
        "oauth_tokens",
      ] as const)
        assert.equal(await store.count(table, { app_id: app.id }), 0, table);
      assert.deepEqual(await store.find("oauth_tokens", { id: other.id }), other);
      assert.ok(await store.find("users", { id: app.owner_id }));
      assert.equal(await deleteApp(store, app.id), false);
    });

    test("deleting a service account deletes all of its keys and tokens", async () => {
      const { service_account_id } = await aKeyPair(store);
      const token = await aToken(store, { service_account_id, user_id: null, ...accessOnly });
      assert.equal(await deleteServiceAccount(store, service_account_id), true);
      assert.equal(await store.find("oauth_tokens", { id: token.id }), undefined);
      assert.equal(await store.count("service_account_key_pairs", { service_account_id }), 0);
      assert.ok(await store.find("oauth_apps", { id: token.app_id }));
      assert.equal(await deleteServiceAccount(store, service_account_id), false);
    });
  });
