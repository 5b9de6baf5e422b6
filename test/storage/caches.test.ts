import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { isUsable } from "../../src/records/rules/client_record.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aSecret, aServiceAccount, aUser, later } from "../support/builders.ts";
import { everyDatabase, openStoreAt } from "../support/databases.ts";
import { deactivate, deleteOrganization, revokeApp } from "../support/endings.ts";
import { staysInMemory } from "../support/stays_in_memory.ts";
import { until } from "../support/until.ts";

for (const database of everyDatabase)
  describe(`cached records on ${database.title}`, () => {
    let here: Store;
    /** Another process on the same database, with its own connections and cache. */
    let there: Store;
    before(async () => {
      const address = await database.tables();
      here = await openStoreAt(address);
      there = await openStoreAt(address);
    });

    async function aClient() {
      const organization = await anOrganization(here);
      const app = await anApp(here, { organization_id: organization.id });
      return { app, organization, secret: await aSecret(here, { app_id: app.id }) };
    }

    test("design 5: a record is read once and then cached", async () => {
      const { app, organization, secret } = await aClient();
      const user = await aUser(here);
      const account = await aServiceAccount(here);
      const client = await here.findClient(app.client_id);
      assert.deepEqual(client, { app, organization, resources: [], secrets: [secret] });
      assert.deepEqual(await here.findClientOfApp(app.id), client);
      const found = await here.findServiceAccount(account.id);
      assert.equal(found?.organization?.id, account.organization_id);
      // A poll for changes of other processes may come between two reads and empty the cache once.
      const isKept = (read: () => Promise<unknown>) =>
        until(async () => {
          const first = await read();
          return first === (await read());
        }, "two reads are of one record");
      await isKept(() => here.findClient(app.client_id));
      await isKept(() => here.findUser(user.id));
      await isKept(() => here.findServiceAccount(account.id));
      assert.equal(await here.findClient("no-such-client"), undefined);
    });

    test("C-12: a change made by this process is visible immediately", async () => {
      const { app, organization, secret } = await aClient();
      const user = await aUser(here);
      const account = await aServiceAccount(here);
      const look = async () => {
        const client = await here.findClient(app.client_id);
        return {
          redirect_uris: client?.app.redirect_uris,
          stands: client && isUsable(client),
          secrets: client?.secrets.map(({ revoked }) => revoked),
          user: (await here.findUser(user.id))?.active,
          account: (await here.findServiceAccount(account.id))?.organization?.active,
        };
      };
      const redirect_uris = ["https://app.example/cb"];
      assert.deepEqual(await look(), {
        redirect_uris,
        stands: true,
        secrets: [false],
        user: true,
        account: true,
      });
      await here.update("oauth_apps", { id: app.id }, { redirect_uris: [] });
      assert.deepEqual((await look()).redirect_uris, []);
      await here.update("oauth_app_secrets", { id: secret.id }, { revoked: true });
      assert.deepEqual((await look()).secrets, [true]);
      await aSecret(here, { app_id: app.id });
      assert.deepEqual((await look()).secrets?.toSorted(), [false, true]);
      await deactivate(here, "organizations", organization.id, later(1));
      assert.equal((await look()).stands, false);
      await deactivate(here, "users", user.id, later(1));
      assert.equal((await look()).user, false);
      await deactivate(here, "organizations", account.organization_id, later(1));
      assert.equal((await look()).account, false);
      await deleteOrganization(here, organization.id);
      assert.equal((await look()).stands, undefined);
    });

    test("C-12: an app is active unless it is revoked, or it or its organization is inactive", async () => {
      const { app, organization } = await aClient();
      const stands = async () => {
        const client = await here.findClient(app.client_id);
        return client !== undefined && isUsable(client);
      };
      assert.equal(await stands(), true);
      await here.update("oauth_apps", { id: app.id }, { active: false });
      assert.equal(await stands(), false);
      await here.update("oauth_apps", { id: app.id }, { active: true });
      await deactivate(here, "organizations", organization.id, later(1));
      assert.equal(await stands(), false);
      await here.update("oauth_apps", { id: app.id }, { organization_id: null });
      assert.equal(await stands(), true);
      await revokeApp(here, app.id, later(1));
      assert.equal(await stands(), false);
    });

    test("design 5: another process's change is visible within a second", async () => {
      const { app, secret } = await aClient();
      const user = await aUser(here);
      await Promise.all([
        here.findClient(app.client_id),
        here.findClientOfApp(app.id),
        here.findUser(user.id),
      ]);
      await there.update("oauth_app_secrets", { id: secret.id }, { revoked: true });
      await deactivate(there, "users", user.id, later(1));
      // The torture runner measures the delay; this test only shows that no request is needed.
      const seen = async () =>
        (await here.findClient(app.client_id))?.secrets[0]?.revoked === true &&
        (await here.findClientOfApp(app.id))?.secrets[0]?.revoked === true &&
        (await here.findUser(user.id))?.active === false;
      await until(seen, "the change is seen");
    });

    test("design 5: a listener is notified of another process's change within a second, without polling", async () => {
      let heard = 0;
      here.onChange(() => {
        heard++;
      });
      await there.update("users", { id: (await aUser(there)).id }, { name: "Grace" });
      await until(() => heard > 0, "the notice arrives");
    });

    test("design 5: writing last_used_at does not invalidate the cache", async () => {
      const { app, secret } = await aClient();
      await staysInMemory(here, () => {
        here.queueUse("oauth_app_secrets", secret.id, later(5));
        return here.flushUses();
      });
      const client = await here.findClient(app.client_id);
      await here.update("oauth_app_secrets", { id: secret.id }, { expires_at: later(5) });
      const after = await here.findClient(app.client_id);
      assert.notEqual(after, client);
      assert.deepEqual(after?.secrets[0]?.last_used_at, later(5));
    });

    test("a change that is rolled back does not affect the cache", async () => {
      const { app } = await aClient();
      const client = await here.findClient(app.client_id);
      const undone = here.transaction(async (tx) => {
        await tx.update("oauth_apps", { id: app.id }, { name: "Renamed" });
        throw new Error("undone");
      });
      await assert.rejects(undone, /undone/);
      assert.deepEqual(await here.findClient(app.client_id), client);
    });

    test("a value read before a change, and received after it, is not cached", async () => {
      const { app } = await aClient();
      for (let round = 0; round < 20; round++) {
        const name = `Name ${round}`;
        const reads = Array.from({ length: 3 }, () => here.findClient(app.client_id));
        await Promise.all([...reads, here.update("oauth_apps", { id: app.id }, { name })]);
        assert.equal((await here.findClient(app.client_id))?.app.name, name);
      }
    });
  });
