import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { orTaken, ReferenceViolation, UniqueViolation } from "../../src/errors/violations.ts";
import { fieldsOf, tables } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, aServiceAccount, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { insertAny, makeReference, makeReferences, tableNames } from "./any_row.ts";

const violates = (constraint: string) => (error: unknown) => {
  assert.ok(error instanceof UniqueViolation, String(error));
  assert.equal(error.constraint, constraint);
  assert.doesNotMatch(error.message, /SQLITE|duplicate key/);
  return true;
};

for (const database of databases)
  describe(`rows that violate constraints on ${database.name}`, () => {
    let store: Store;
    let references: Record<string, string>;

    before(async () => {
      store = await database.open();
      references = await makeReferences(store);
    });

    for (const table of tableNames) {
      const fields = Object.entries(fieldsOf(table));
      const { unique: pairs = [] } = tables[table] as { unique?: readonly (readonly string[])[] };
      const singles = fields.filter(([, { unique }]) => unique).map(([name]) => [name]);
      for (const columns of [["id"], ...singles, ...pairs]) {
        const constraint = `${table}.${columns.join(",")}`;
        test(`spec 2: a second row with the same ${constraint} is refused under that name`, async () => {
          const fixed: Record<string, string> = {};
          for (const name of columns) {
            const to = fieldsOf(table)[name]?.references?.table;
            if (to !== undefined) fixed[name] = await makeReference(store, to);
          }
          const [name = ""] = columns;
          const first = await insertAny(store, table, references, fixed);
          const same = Object.fromEntries(columns.map((column) => [column, first[column]]));
          const others = await makeReferences(store);
          await assert.rejects(insertAny(store, table, others, same), violates(constraint));
          assert.equal(await store.count(table, { id: first.id }), 1);

          // A single column of a pair may repeat.
          if (columns.length > 1) {
            const [, second = ""] = columns;
            const differing = fieldsOf(table)[second]?.references;
            const change = differing === undefined ? {} : { [second]: others[differing.table] };
            await insertAny(store, table, references, { [name]: first[name], ...change });
          }
          await store.remove(table, { id: first.id });
        });
      }

      for (const [name, { references: to, required }] of fields) {
        if (to === undefined) continue;
        test(`spec 2: ${table}.${name} refers to a record of ${to.table} that exists`, async () => {
          const unknown = insertAny(store, table, references, { [name]: randomUUID() });
          await assert.rejects(unknown, ReferenceViolation);
          if (!required) await insertAny(store, table, references, { [name]: null });
        });

        test(`spec 2: deleting a ${to.table} record to which ${table}.${name} refers has the effect ${to.on_delete}`, async () => {
          const parent = await makeReference(store, to.table);
          const row = await insertAny(store, table, references, { [name]: parent });
          const removal = store.remove(to.table as "users", { id: parent });
          if (to.on_delete === "restrict") {
            await assert.rejects(removal, ReferenceViolation);
            assert.equal(await store.count(table, { id: row.id }), 1);
          } else {
            assert.equal(await removal, 1);
            assert.equal(await store.count(table, { id: row.id }), 0);
          }
        });
      }
    }

    test("L-15: two users cannot have the same email in different letter case", async () => {
      await aUser(store, { email: "Grace@Example.com" });
      await assert.rejects(aUser(store, { email: "grace@example.COM" }), violates("users.email_key"));
      await aServiceAccount(store, { email: "Build@Machines.example" });
      await assert.rejects(
        aServiceAccount(store, { email: "build@machines.example" }),
        violates("service_accounts.email_key"),
      );
    });

    test("a duplicate key can be handled as a result, and other violations are thrown", async () => {
      const { email } = await aUser(store);
      const taken = () => "taken" as const;
      assert.equal(await orTaken(aUser(store, { email }), taken), "taken");
      assert.notEqual(await orTaken(aUser(store), taken), "taken");
      const app_id = randomUUID();
      const lost = insertAny(store, "oauth_app_secrets", { ...references, oauth_apps: app_id }, { app_id });
      await assert.rejects(orTaken(lost, taken), ReferenceViolation);
    });

    test("rows without a refresh token do not conflict with each other", async () => {
      const { id: app_id } = await anApp(store);
      for (let count = 0; count < 2; count++)
        await insertAny(store, "oauth_tokens", references, { app_id, refresh_token_signature: null });
      assert.equal(await store.count("oauth_tokens", { app_id, refresh_token_signature: null }), 2);
    });

    test("a change to a value that another row has is refused and changes nothing", async () => {
      const [one, other] = [await aUser(store), await aUser(store)];
      const change = store.update("users", { id: other.id }, { email: one.email });
      await assert.rejects(change, violates("users.email"));
      assert.deepEqual(await store.find("users", { id: other.id }), other);
    });
  });
