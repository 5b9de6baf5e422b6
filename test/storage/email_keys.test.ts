import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { findAccount } from "../../src/people/core/find_account.ts";
import type { Row } from "../../src/records/definition/definition.ts";
import { isRecoveryWaiting } from "../../src/records/rules/waiting_recovery.ts";
import { postgres, sqlite } from "../../src/storage/database/dialect.ts";
import type { Connection } from "../../src/storage/database/driver.ts";
import { foldEmailKeys } from "../../src/storage/migrations/0008_email_keys.ts";
import { problem, testContext } from "../admin/context.ts";
import { anInvitation, anOrganization, aServiceAccount, aUser, later, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const letters = "ann@b\u00fccher.example";
const labels = "ann@xn--bcher-kva.example";
const fullWidth = "\uff41dmin@example.com";

for (const database of databases)
  describe(`keys of email addresses on ${database.name}`, () => {
    test("P-9: a second account with a look-alike of an existing address is refused (security finding 18)", async () => {
      const context = testContext(await database.open());
      await createRecord(context, resourceOf("users"), { email: "admin@example.com", name: "Admin" });
      await assert.rejects(
        createRecord(context, resourceOf("users"), { email: fullWidth, name: "Other" }),
        problem("conflict", ["/email"]),
      );
    });

    test("P-9: a mailbox has one account, however browsers spell its domain", async () => {
      const store = await database.open();
      const context = testContext(store);
      await createRecord(context, resourceOf("users"), { email: letters, name: "Ann" });
      await assert.rejects(
        createRecord(context, resourceOf("users"), { email: labels, name: "Other" }),
        problem("conflict", ["/email"]),
      );
      assert.equal((await findAccount(store, labels))?.email, letters);
    });

    test("P-9: an account with a key of an older version can be saved unchanged, and its recovery continues", async () => {
      const store = await database.open();
      const context = testContext(store);
      await aUser(store, { email: letters });
      const kept = await aUser(store, { email: labels, email_key: labels });
      const changed = { email: labels, name: "Anna" };
      await updateRecord(context, resourceOf("users"), kept.id, changed);
      const saved = await store.find("users", { id: kept.id });
      assert.deepEqual([saved?.name, saved?.email_key], ["Anna", labels]);
      const at = { created_at: later(1), halfway_at: later(2), due_at: later(3), expires_at: later(60) };
      const recovery = { ...at, email_key: labels } as Row<"recoveries">;
      const folded = { ...kept, email_key: letters };
      assert.equal(isRecoveryWaiting(recovery, folded, later(2)), true);
      assert.equal(isRecoveryWaiting({ ...recovery, email_key: "eve@x.test" }, folded, later(2)), false);
    });

    test("P-9: the upgrade recomputes keys of Unicode domains, keeps all accounts, and reports unchanged keys", async () => {
      const store = await database.open();
      const old = (email: string) => ({ email, email_key: email });
      const first = await aUser(store, old(letters));
      const second = await aUser(store, old(labels));
      const alone = await aUser(store, old("bob@xn--strae-oqa.example"));
      await store.transaction(async ({ connection }) => {
        await connection.run("DELETE FROM postern_migrations WHERE version = 43", []);
      });
      await store.migrate(start);
      const found = async (email: string) => (await findAccount(store, email))?.id;
      assert.deepEqual([await found(letters), await found(labels)], [first.id, second.id]);
      for (const each of ["bob@xn--strae-oqa.example", "bob@stra\u00dfe.example"])
        assert.equal(await found(each), alone.id);
      assert.deepEqual(await store.lookAlikes(5), [{ table: "users", id: second.id, email: labels }]);
    });

    test("P-9: an address that changes during the upgrade gets its own key", async () => {
      const store = await database.open();
      const { id } = await aUser(store, { email: labels, email_key: labels });
      const dialect = database.name === "PostgreSQL" ? postgres : sqlite;
      await store.transaction(async ({ connection }) => {
        const beside: Connection = {
          ...connection,
          async all(sql, parameters) {
            const rows = await connection.all(sql, parameters);
            const change = "UPDATE users SET email = 'renamed@x.test', email_key = 'renamed@x.test'";
            if (rows.some((row) => row.email === labels)) await connection.run(change, []);
            return rows;
          },
        };
        await foldEmailKeys(beside, dialect);
      });
      assert.equal((await store.find("users", { id }))?.email_key, "renamed@x.test");
    });

    test("P-9: the upgrade recomputes keys where possible, keeps all accounts, and reports the others (security finding 18)", async () => {
      const store = await database.open();
      const old = (email: string) => ({
        email,
        email_key: email.normalize("NFC").toLowerCase().normalize("NFC"),
      });
      const first = await aUser(store, old("admin@example.com"));
      const second = await aUser(store, old(fullWidth));
      const folded = await aUser(store, old("Stra\u00dfe@example.com"));
      const robot = await aServiceAccount(store, old("o\ufb03ce@machines.example"));
      const acme = await anOrganization(store);
      const at = { organization_id: acme.id, expires_at: later(60) };
      const invited = await anInvitation(store, { ...at, ...old("gr\u00fc\u00dfe@example.com") });
      await store.transaction(async ({ connection }) => {
        await connection.run("DELETE FROM postern_migrations WHERE version = 8", []);
      });
      const applied = await store.migrate(start);
      assert.deepEqual(
        applied.map(({ version }) => version),
        [8],
      );
      const keyOf = async (id: string) => (await store.find("users", { id }))?.email_key;
      assert.deepEqual(
        [await keyOf(first.id), await keyOf(second.id), await keyOf(folded.id)],
        ["admin@example.com", fullWidth, "strasse@example.com"],
      );
      assert.equal(
        (await store.find("service_accounts", { id: robot.id }))?.email_key,
        "office@machines.example",
      );
      assert.equal(
        (await store.find("invitations", { id: invited.id }))?.email_key,
        "gr\u00fcsse@example.com",
      );
      // The exact spelling of an address finds its account; another spelling finds the one with the folded
      // key.
      const found = async (email: string) => (await findAccount(store, email))?.id;
      assert.equal(await found("ADMIN@example.com"), first.id);
      assert.equal(await found(fullWidth), second.id);
      assert.equal(await found("\uff21dmin@example.com"), second.id);
      assert.equal(await found("\uff41DM\uff29N@example.com"), first.id);
      assert.equal(await found("STRASSE@example.com"), folded.id);
      assert.deepEqual(await store.lookAlikes(5), [{ table: "users", id: second.id, email: fullWidth }]);
    });
  });
