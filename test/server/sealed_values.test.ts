/**
 * The key that encrypts values in records is replaced without losing any of them (docs/operations/keys.md).
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { sealer } from "../../src/crypto/sealing.ts";
import { fieldsOf, type TableName, tables } from "../../src/records/definition/definition.ts";
import { holdsSealedValues, refuseMissingKeys, sealAnew } from "../../src/server/sealed_values.ts";
import type { Store } from "../../src/storage/store.ts";
import { insertAny } from "../storage/any_row.ts";
import { anApp, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const [before, now] = [randomBytes(32), randomBytes(32)];
const columns = [
  ["signing_keys", "private_key_sealed", "signing_key"],
  ["totp_authenticators", "secret_sealed", "totp_authenticator"],
  ["providers", "client_secret", "provider_secret"],
  ["webhook_endpoints", "secrets_sealed", "webhook_secret"],
  ["oauth_accounts", "access_token", "linked_account"],
  ["oauth_accounts", "refresh_token", "linked_account"],
  ["signal_streams", "authorization_sealed", "stream_authorization"],
] as const;

type AnyRow = { readonly id: string } & Readonly<Record<string, unknown>>;
const rowsOf = async (store: Store, table: TableName) => (await store.list(table)) as unknown as AnyRow[];

const parentsIn = async (store: Store) => ({
  users: (await aUser(store)).id,
  oauth_apps: (await anApp(store)).id,
});

/** Stores three records in each table, each with a value encrypted under the previous key. */
async function fill(store: Store): Promise<void> {
  const { seal } = sealer([before]);
  for (const table of new Set(columns.map(([name]) => name)))
    for (let made = 0; made < 3; made += 1) await insertAny(store, table, await parentsIn(store));
  for (const [table, column, sealed_for] of columns)
    for (const { id } of await rowsOf(store, table)) {
      const value = seal(sealed_for, `${table} ${column} ${id}`, id);
      await store.update(table, { id }, { [column]: value });
    }
}

for (const database of databases)
  describe(`encrypted values of records on ${database.name}`, () => {
    test("H-6: are all re-encrypted under the first secret key, and then need no other key", async () => {
      const store = await database.open();
      assert.equal(await holdsSealedValues(store), false);
      await fill(store);
      assert.equal(await holdsSealedValues(store), true);
      const [both, new_alone] = [sealer([now, before]), sealer([now])];
      await assert.rejects(
        refuseMissingKeys({ store, sealer: new_alone }),
        /POSTERN_SECRET_KEY cannot decrypt/,
      );
      await refuseMissingKeys({ store, sealer: both });
      assert.equal(await sealAnew({ store, sealer: both }), 21);
      await refuseMissingKeys({ store, sealer: new_alone });
      for (const [table, column, sealed_for] of columns)
        for (const row of await rowsOf(store, table)) {
          const opened = new_alone.open(sealed_for, String(row[column]), row.id);
          assert.equal(opened, `${table} ${column} ${row.id}`);
        }
      assert.equal(await sealAnew({ store, sealer: both }), 0);
    });

    test("H-6: are left unchanged if their secret key is missing, and the server does not start", async () => {
      for (const [table, column, sealed_for] of columns) {
        const store = await database.open();
        await insertAny(store, table, await parentsIn(store));
        const [row] = await rowsOf(store, table);
        assert.ok(row);
        const value = sealer([before]).seal(sealed_for, "text", row.id);
        const others = columns.filter(([other, name]) => other === table && name !== column);
        const emptied = Object.fromEntries(others.map(([, name]) => [name, ""]));
        await store.update(table, { id: row.id }, { ...emptied, [column]: value });
        const parts = { store, sealer: sealer([now]) };
        assert.equal(await sealAnew(parts), 0);
        assert.equal((await rowsOf(store, table))[0]?.[column], value);
        await assert.rejects(refuseMissingKeys(parts), new RegExp(`^Error: ${table}\\.${column} has`));
      }
    });
  });

test("H-6: are exactly those in the columns declared as encrypted", () => {
  const marked = (Object.keys(tables) as TableName[]).flatMap((table) =>
    Object.entries(fieldsOf(table)).flatMap(([column, { sealed_for }]) =>
      sealed_for === undefined ? [] : [[table, column, sealed_for]],
    ),
  );
  assert.deepEqual(marked.toSorted(), columns.map((each) => [...each]).toSorted());
});
