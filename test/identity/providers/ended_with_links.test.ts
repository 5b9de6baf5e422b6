/** What ends with a link, whichever way it goes (EP-13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { removeRecord } from "../../../src/admin/manage.ts";
import { removeLinkedAccount } from "../../../src/admin/records/linked_accounts.ts";
import { deleteProvider } from "../../../src/admin/records/providers.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { findSession, openSession, startSession } from "../../../src/identity/sessions.ts";
import type { OAuthAccount, User } from "../../../src/records/definition.ts";
import { testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import { anOAuthAccount, anOrganization, aUser, byPassword } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { aProvider, origin } from "../../support/scripted_providers.ts";
import { until } from "../../support/until.ts";

for (const database of databases) {
  describe(`what ends with a link on ${database.name}`, () => {
    async function setUp(given: Partial<User> = {}) {
      const { server } = await testServer(await database.open());
      const { store, passwords, sealer, now, report } = server;
      const context = { store, passwords, sealer, now, report, throttle: false };
      const organization = await anOrganization(store);
      const provider = await aProvider(store, { organization_id: organization.id });
      const user = await aUser(store, given);
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

    test("EP-13: sessions end that rest on the links of a provider that is deleted with them", async () => {
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

    // On SQLite nothing is in the middle of a transaction but itself.
    if (database.name === "PostgreSQL")
      test("EP-13: a sign-in in the middle of which its provider is deleted leaves no session", async () => {
        const { admin, context, store, provider, user, link, now } = await setUp();
        const [looked, goes_on] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const slow = {
          ...store,
          transaction: ((work, options) =>
            store.transaction(
              (tx) =>
                work({
                  ...tx,
                  async insert(table, row) {
                    if (table === "sessions") {
                      looked.resolve();
                      await goes_on.promise;
                    }
                    return tx.insert(table, row);
                  },
                }),
              options,
            )) as typeof store.transaction,
        };
        const methods = [{ kind: "provider", credential: link.id, at: now().getTime() }] as const;
        const opening = openSession(
          { user, methods, origin },
          { changes: { last_login_at: now() } },
          { ...context, store: slow },
        );
        await looked.promise;
        const deleting = deleteProvider(admin, provider.id, true);
        const waits = () =>
          store.transaction(async ({ connection }) => {
            const waiting = "datname = current_database() AND wait_event_type = 'Lock'";
            return (await connection.all(`SELECT 1 FROM pg_stat_activity WHERE ${waiting}`, [])).length > 0;
          });
        await Promise.race([deleting, until(waits, "the deletion waits for the sign-in")]);
        goes_on.resolve();
        await Promise.all([opening, deleting]);
        assert.equal(await store.count("oauth_accounts"), 0);
        assert.equal(await store.count("sessions", { ended_at: null }), 0);
      });

    test("EP-13: the last way in is not unlinked by its person through the interface, also not by two at a time", async () => {
      const { admin, store, user, link } = await setUp({ password_hash: null });
      const own = await aProvider(store, { slug: "own" });
      await store.update("oauth_accounts", { id: link.id }, { provider: own.slug, provider_id: own.id });
      const other = await anOAuthAccount(store, { user_id: user.id, provider: own.slug });
      const asThem = { ...admin, actor: { kind: "user", user } as const };
      const outcomes = await Promise.allSettled(
        [link, other].map(({ id }) => removeLinkedAccount(asThem, id)),
      );
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
      const refused = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult;
      assert.equal(refused.reason.code, "conflict");
      const [left] = await store.list("oauth_accounts", { user_id: user.id });
      assert.ok(left);
      await removeLinkedAccount(admin, left.id);
      assert.equal(await store.count("oauth_accounts"), 0, "an administrator may");
    });
  });
}
