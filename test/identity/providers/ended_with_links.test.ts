/** What ends with a link, whichever way it goes (EP-13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { removeRecord } from "../../../src/admin/manage.ts";
import { removeLinkedAccount } from "../../../src/admin/records/linked_accounts.ts";
import { deleteProvider } from "../../../src/admin/records/providers.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { findSession, startSession } from "../../../src/identity/sessions.ts";
import type { OAuthAccount, User } from "../../../src/records/definition.ts";
import { testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import { anOAuthAccount, anOrganization, aUser, byPassword } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { aProvider, origin } from "../../support/scripted_providers.ts";

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
      return { store, context, organization, provider, user, link, begun, admin };
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
