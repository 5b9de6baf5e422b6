/** The consequences of removing a link, for every path (EP-13). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { removeRecord } from "../../../src/admin/manage/manage.ts";
import { removeLinkedAccount } from "../../../src/admin/records/linked_accounts.ts";
import { deleteProvider } from "../../../src/admin/records/providers.ts";
import { deleteUser } from "../../../src/admin/records/users.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { addMethods, findSession, openSession, startSession } from "../../../src/people/core/sessions.ts";
import { linkAccount, unlinkAccount } from "../../../src/people/providers/linked_accounts.ts";
import type { OAuthAccount, TableName, User } from "../../../src/records/definition/definition.ts";
import { userLock } from "../../../src/records/names/lock_names.ts";
import type { Store } from "../../../src/storage/store.ts";
import { testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aMembership,
  anApp,
  anOAuthAccount,
  anOrganization,
  aToken,
  aUser,
  byPassword,
} from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { identityOn } from "../../support/identity_context.ts";
import { aProvider, origin } from "../../support/scripted_providers.ts";
import { waitsOrEnds } from "../../support/waits_or_ends.ts";

describeInForm("the records that end together with a linked account", (database) => {
  async function setUp(overrides: Partial<User> = {}) {
    const { server } = await testServer(await database.open());
    const context = identityOn(server, { throttle: false });
    const { store, now } = context;
    const organization = await anOrganization(store);
    const provider = await aProvider(store, { organization_id: organization.id });
    const user = await aUser(store, overrides);
    const link = await anOAuthAccount(store, { user_id: user.id, provider: provider.slug });
    const begun = async (credential: OAuthAccount | undefined) => {
      const at = now().getTime();
      const methods =
        credential === undefined
          ? byPassword(now())
          : ([{ kind: "provider", credential: credential.id, at }] as const);
      const { cookie } = await startSession({ user, methods, origin }, context);
      return () => findSession(cookie, context);
    };
    const admin = { ...testContext(store), now };
    return { store, context, organization, provider, user, link, begun, admin, now };
  }

  test("EP-13: deleting a provider ends the sessions that depend on its links", async () => {
    for (const isWhole of [false, true]) {
      const { admin, provider, organization, link, begun, store } = await setUp();
      const [through, byThePassword] = [await begun(link), await begun(undefined)];
      if (isWhole) await removeRecord(admin, resourceOf("organizations"), organization.id);
      else await deleteProvider(admin, provider.id, true);
      assert.equal(await store.count("oauth_accounts"), 0);
      assert.equal(await through(), undefined);
      assert.ok(await byThePassword(), "others go on");
    }
  });

  // On SQLite, transactions do not overlap.
  if (database.name === "PostgreSQL") {
    /**
     * Returns a store whose transactions wait once they have written a row of `table`, and the number of
     * transactions.
     */
    function pausing(store: Store, table: TableName) {
      const [written, goes_on] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let begun = 0;
      const afterIt =
        <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
        async (...args: A): Promise<R> => {
          const result = await write(...args);
          if (args[0] === table) {
            written.resolve();
            await goes_on.promise;
          }
          return result;
        };
      const slow = {
        ...store,
        transaction: ((work, options) =>
          store.transaction((tx) => {
            begun += 1;
            return work({
              ...tx,
              insert: afterIt(tx.insert) as typeof tx.insert,
              update: afterIt(tx.update) as typeof tx.update,
              change: afterIt(tx.change) as typeof tx.change,
            });
          }, options)) as typeof store.transaction,
      };
      return { slow, written: written.promise, goOn: () => goes_on.resolve(), begun: () => begun };
    }

    /**
     * Begins `removal` once `work` has written a row of `table`, and lets `work` continue once `removal`
     * waits. Asserts that both succeed at the first attempt.
     */
    async function removedMeanwhile(
      store: Store,
      table: TableName,
      work: (slow: Store) => Promise<unknown>,
      removal: (store: Store) => Promise<unknown>,
    ) {
      // The second store never waits; it only counts transactions.
      const [one, other] = [pausing(store, table), pausing(store, "signing_keys")];
      const working = work(one.slow);
      await one.written;
      const removing = removal(other.slow);
      await waitsOrEnds(store, removing);
      one.goOn();
      await Promise.all([working, removing]);
      assert.deepEqual([one.begun(), other.begun()], [1, 1], "neither was in the other's way");
    }

    async function deletedMeanwhile(
      { store, admin, provider }: Pick<Awaited<ReturnType<typeof setUp>>, "store" | "admin" | "provider">,
      table: TableName,
      work: (slow: Store) => Promise<unknown>,
    ) {
      await removedMeanwhile(store, table, work, (other) =>
        deleteProvider({ ...admin, store: other }, provider.id, true),
      );
      assert.equal(await store.count("oauth_accounts"), 0);
      assert.equal(await store.count("sessions", { ended_at: null }), 0);
    }

    test("EP-13: a sign-in through a provider while it is deleted leaves no session", async () => {
      const fixture = await setUp();
      const { context, user, link, now } = fixture;
      const methods = [{ kind: "provider", credential: link.id, at: now().getTime() }] as const;
      const changes = { last_login_at: now() };
      await deletedMeanwhile(fixture, "sessions", (store) =>
        openSession({ user, methods, origin }, { changes }, { ...context, store }),
      );
    });

    test("EP-13: a step-up and the deletion of its provider at the same time do not deadlock", async () => {
      const fixture = await setUp();
      const { context, link, begun, now } = fixture;
      const signedIn = await (await begun(link))();
      assert.ok(signedIn);
      const methods = [{ kind: "provider", credential: link.id, at: now().getTime() }] as const;
      await deletedMeanwhile(fixture, "sessions", (store) =>
        addMethods(signedIn, methods, { ...context, store }),
      );
    });

    test("EP-13: deleting a user and their provider at the same time does not deadlock", async () => {
      const fixture = await setUp();
      const { admin, user, link, begun } = fixture;
      await begun(link);
      await deletedMeanwhile(fixture, "sessions", (store) => deleteUser({ ...admin, store }, user.id));
    });

    test("EP-19: if an account is unlinked while its provider is deleted, its tokens are still revoked", async () => {
      const fixture = await setUp({ password_hash: "$unread" });
      const { store, context, link, begun } = fixture;
      const signedIn = await (await begun(link))();
      assert.ok(signedIn);
      await deletedMeanwhile(fixture, "sessions", (slow) =>
        unlinkAccount(link, signedIn, origin, { ...context, store: slow }),
      );
      assert.equal(await store.count("ephemera", { kind: "upstream_revocation" }), 1);
    });

    test("EP-13: a sign-out while an organization is deleted waits for it, without a deadlock", async () => {
      const fixture = await setUp();
      const { store, admin, organization, link, user, begun, now } = fixture;
      const signedIn = await (await begun(link))();
      assert.ok(signedIn);
      const app = await anApp(store, { organization_id: organization.id, owner_id: user.id });
      await aToken(store, { app_id: app.id, user_id: user.id, session_id: signedIn.session.id });
      await removedMeanwhile(
        store,
        "sessions",
        (slow) =>
          slow.transaction(async (tx) => {
            await tx.lock(userLock(user.id));
            await store.endSessionIn(tx, signedIn.session, now());
          }),
        (other) => removeRecord({ ...admin, store: other }, resourceOf("organizations"), organization.id),
      );
      assert.equal(await store.count("oauth_tokens"), 0);
    });

    test("EP-13: deleting a user and an organization with the user's app at the same time does not deadlock", async () => {
      const fixture = await setUp();
      const { store, admin, organization, link, user, begun } = fixture;
      await begun(link);
      await anApp(store, { organization_id: organization.id, owner_id: user.id });
      const successor = (await aUser(store)).id;
      await removedMeanwhile(
        store,
        "oauth_apps",
        (slow) => deleteUser({ ...admin, store: slow }, user.id, successor),
        (other) => removeRecord({ ...admin, store: other }, resourceOf("organizations"), organization.id),
      );
      assert.equal(await store.count("users", { id: user.id }), 0);
      assert.equal(await store.count("oauth_apps"), 0);
    });

    test("EP-13: a link created while its provider's organization is deleted is deleted too", async () => {
      const fixture = await setUp();
      const { store, context, admin, organization, provider, user, now } = fixture;
      await aMembership(store, { user_id: user.id, organization_id: organization.id });
      const one = pausing(store, "oauth_accounts");
      const at = now().getTime();
      const account = {
        provider_id: provider.id,
        subject: "another",
        email: user.email,
        verdict: "none",
        name: undefined,
        amr: undefined,
        at,
        returned_at: at,
        request: "/",
        tokens: undefined,
      } as const;
      const linking = linkAccount(
        user,
        { provider, account, origin },
        { proved_email: false },
        { ...context, store: one.slow },
      );
      await one.written;
      const removing = removeRecord(admin, resourceOf("organizations"), organization.id);
      await waitsOrEnds(store, removing);
      one.goOn();
      assert.equal((await linking).type, "linked");
      await removing;
      assert.equal(await store.count("oauth_accounts"), 0);
    });
  }

  test("EP-13: a user cannot unlink the last sign-in method through the API, even with two concurrent requests", async () => {
    const { admin, store, user, link } = await setUp({ password_hash: null });
    const own = await aProvider(store, { slug: "own" });
    await store.update("oauth_accounts", { id: link.id }, { provider: own.slug, provider_id: own.id });
    const other = await anOAuthAccount(store, { user_id: user.id, provider: own.slug });
    const asThem = { ...admin, actor: { kind: "user", user } as const };
    const outcomes = await Promise.allSettled([link, other].map(({ id }) => removeLinkedAccount(asThem, id)));
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    const refused = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    assert.equal(refused.reason.code, "conflict");
    const [left] = await store.list("oauth_accounts", { user_id: user.id });
    assert.ok(left);
    await removeLinkedAccount(admin, left.id);
    assert.equal(await store.count("oauth_accounts"), 0, "an administrator may");
  });
});
