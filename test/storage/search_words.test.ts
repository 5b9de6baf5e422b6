import assert from "node:assert/strict";
import { before, describe, mock, test } from "node:test";
import fc from "fast-check";
import { fieldsOf, type TableName, type User } from "../../src/records/definition/definition.ts";
import { highestTotal } from "../../src/records/definition/list_orders.ts";
import {
  isWord,
  searchableTables,
  termsOf,
  wordsOf,
  wordTable,
} from "../../src/storage/database/search_words.ts";
import { mostSorted } from "../../src/storage/listing/branches.ts";
import { mostMet } from "../../src/storage/listing/totals.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  anApiKey,
  anApp,
  anOrganization,
  aServiceAccount,
  aUser,
  later,
  start,
} from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { databases, openStoreAt, removeEverything } from "../support/databases.ts";
import { deleteOrganization, deleteUser } from "../support/endings.ts";
import { tableNames } from "./any_row.ts";

describe("the search words of a text", () => {
  test("are split at anything except letters and digits, in lower case, each once", () => {
    assert.deepEqual(wordsOf("Ada Lovelace <ada.lovelace+test@Example.com> 2nd"), [
      "ada",
      "lovelace",
      "test",
      "example",
      "com",
      "2nd",
    ]);
    assert.deepEqual(wordsOf(" -- \t'%_\\"), []);
  });

  test("have no accents or Unicode compatibility forms, in any script", () => {
    assert.deepEqual(wordsOf("José ÅNGSTRÖM İpek Straße ﬁn １２ ΟΔΟΣ 東京都 हिन्दी Йод"), [
      "jose",
      "angstrom",
      "ipek",
      "straße",
      "fin",
      "12",
      "οδοσ",
      "東京都",
      "हिन्दी",
      "иод",
    ]);
    assert.deepEqual(wordsOf("Jose\u0301"), wordsOf("Jos\u00e9"));
  });

  test("are truncated to 32 code points", () => {
    assert.deepEqual(wordsOf("a".repeat(33)), ["a".repeat(32)]);
    assert.deepEqual(wordsOf("𝔄".repeat(40)), ["a".repeat(32)]);
    assert.deepEqual(wordsOf("𐐨".repeat(40)), ["𐐨".repeat(32)]);
  });

  test("are themselves words that do not change again, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        for (const word of wordsOf(text)) {
          assert.ok(isWord(word));
          assert.ok([...word].length <= 32);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("of a search query are at most eight, without those that others imply", () => {
    assert.deepEqual(termsOf("An anna ANNAB annb"), ["an", "annab", "annb"]);
    assert.deepEqual(termsOf("lace lovelace a an"), ["lovelace", "an"]);
    assert.equal(termsOf("…"), undefined);
    assert.equal(termsOf("a b c d e f g h i j")?.length, 8);
  });
});

test("users, organizations, apps, service accounts, API keys, APIs and providers can be searched", () => {
  assert.deepEqual(
    tableNames.filter((table) => searchableTables.has(table)),
    [
      "users",
      "organizations",
      "api_keys",
      "oauth_apps",
      "service_accounts",
      "resources",
      "roles",
      "groups",
      "app_roles",
      "providers",
    ],
  );
});

for (const database of databases)
  describe(`searching for records on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    async function found(table: TableName, search: string, limit = 50, more = {}): Promise<string[]> {
      const ids: string[] = [];
      let cursor: string | undefined;
      for (;;) {
        const page = await store.listPage(table, { search, limit, cursor, ...more });
        ids.push(...page.rows.map((row) => (row as { id: string }).id));
        if (page.next_cursor === null) return ids;
        cursor = page.next_cursor;
      }
    }

    if (database === databases[0])
      test("OC-7: records with a frequent attribute value are all counted, not only among the first ones", async () => {
        const many = await database.open();
        const { id } = await aUser(many);
        const own: Record<string, string> = {
          id: "CAST(printf('%016d', n.i) AS BLOB)",
          email: "n.i || '@example.com'",
          email_key: "n.i || '@example.com'",
        };
        const names = Object.keys(fieldsOf("users"));
        const copied = names.map((name) => own[name] ?? `u.${name}`);
        const run = (sql: string) => many.transaction((tx) => tx.connection.run(sql, []));
        const last = mostMet + mostSorted + 1;
        await run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last})
          INSERT INTO users (${names.join(", ")}) SELECT ${copied.join(", ")} FROM users u, n
          WHERE u.id = x'${id.replaceAll("-", "")}'`);
        const sought = [{ value: "team=analysts" }];
        for (const [rows, total] of [
          [20, { total: 20, total_is_more: false }],
          [mostSorted + 1, { total: highestTotal, total_is_more: true }],
        ] as const) {
          await run(`INSERT OR IGNORE INTO users_values (word, record_id)
            SELECT 'team=analysts', id FROM users ORDER BY rowid DESC LIMIT ${rows}`);
          assert.deepEqual(await many.countListed("users", { sought }), total);
        }
      });

    test("OC-7: the upgrade makes existing attribute values searchable", async () => {
      const upgraded = await database.open();
      const user = await aUser(upgraded, { attributes: { team: "Analysts" } });
      await aUser(upgraded);
      const earlier = [
        "DROP TABLE users_values",
        "ALTER TABLE attribute_definitions DROP COLUMN searchable",
        "DELETE FROM postern_migrations WHERE version = 63",
      ];
      for (const sql of earlier) await upgraded.transaction((tx) => tx.connection.run(sql, []));
      await upgraded.migrate(start);
      const sought = [{ value: "team=analysts" }];
      const { rows } = await upgraded.listPage("users", { sought, limit: 2 });
      assert.deepEqual(
        rows.map(({ id }) => id),
        [user.id],
      );
    });

    const wordsKept = async (table: TableName) => {
      const rows = await store.transaction((tx) =>
        tx.connection.all(`SELECT count(*) AS words FROM ${wordTable(table)}`, []),
      );
      return Number(rows[0]?.words);
    };

    test("every word of a query must occur in a word of the record, or begin one if it is short", async () => {
      await removeEverything(store);
      const jose = await aUser(store, { name: "José Núñez", email: "nunez@example.com" });
      const josefa = await aUser(store, { name: "Josefa Muster", email: "muster@example.org" });
      const other = await aUser(store, { name: "Ada", email: "majose@example.net" });
      const sorted = async (search: string) => (await found("users", search)).toSorted();
      const both = [jose.id, josefa.id].toSorted();
      const all = [...both, other.id].toSorted();
      for (const search of ["jose", "JOS", "josé", "ose"])
        assert.deepEqual(await sorted(search), all, search);
      for (const search of [" jo ", "jos jo"]) assert.deepEqual(await sorted(search), both, search);
      assert.deepEqual(await sorted("OSEFÁ"), [josefa.id]);
      for (const search of ["jose nun", "NÚÑ josé", "nunez@example.com", "example com nu"])
        assert.deepEqual(await sorted(search), [jose.id], search);
      assert.deepEqual(await sorted("xam"), all);
      for (const search of ["efa nunez", "fa", "josefa nunez", "-", "%", "_", "j_s", "z"])
        assert.deepEqual(await sorted(search), [], search);
      for (const search of ["", "  "]) assert.equal((await sorted(search)).length, 3);
    });

    test("a record is found once, even if several of its words match, on any page", async () => {
      await removeEverything(store);
      const ids: string[] = [];
      for (let index = 0; index < 9; index++) {
        const name = `Anna Anneliese Ann${index} Antonia`;
        ids.push(
          (await aUser(store, { name, email: `an${index}@example.com`, created_at: later(index) })).id,
        );
      }
      for (const limit of [1, 2, 3, 9, 50]) {
        const all = await found("users", "an", limit);
        assert.deepEqual(all.toSorted(), ids.toSorted(), String(limit));
        assert.equal((await found("users", "an examp", limit)).length, 9);
      }
      assert.deepEqual(await found("users", "ann3 an", 1), [ids[3]]);
    });

    test("a search can be combined with filters", async () => {
      await removeEverything(store);
      const owner = await aUser(store, { name: "Nobody" });
      const organization_id = (await anOrganization(store)).id;
      const one = await anApp(store, { name: "Orders Web", owner_id: owner.id, organization_id });
      const two = await anApp(store, {
        name: "Orders Worker",
        owner_id: owner.id,
        active: false,
        created_at: later(60),
      });
      assert.deepEqual(await found("oauth_apps", "orders", 1, { where: { active: true } }), [one.id]);
      assert.deepEqual(await found("oauth_apps", "orders", 1, { where: { owner_id: owner.id } }), [
        one.id,
        two.id,
      ]);
      assert.deepEqual(await found("oauth_apps", "orders", 1, { where: { organization_id } }), [one.id]);
      assert.deepEqual(await found("oauth_apps", "wor", 1, { where: { organization_id } }), []);
      assert.deepEqual(await found("oauth_apps", "orders", 1, { created_from: later(60) }), [two.id]);
      const sight = (organization_ids: string[], user_id: string | null) => ({
        visible: { organization_ids, user_id },
      });
      assert.deepEqual(await found("oauth_apps", "orders", 1, sight([organization_id], null)), [one.id]);
      assert.deepEqual(await found("oauth_apps", "orders", 1, sight([], owner.id)), [two.id]);
      assert.deepEqual(await found("oauth_apps", "worker", 1, sight([organization_id], null)), []);
    });

    test("a table without searchable fields has no search words", async () => {
      assert.deepEqual(await found("sessions", "ada"), []);
    });

    test("changing a searchable field changes the search words, and any other change keeps them", async () => {
      await removeEverything(store);
      const user = await aUser(store, { name: "Ada Byron", email: "ada@example.com" });
      await store.update("users", { id: user.id }, { name: "Ada Lovelace" });
      assert.deepEqual(await found("users", "byron"), []);
      assert.deepEqual(await found("users", "lovelace"), [user.id]);
      assert.deepEqual(await found("users", "ada example"), [user.id]);
      const words = await wordsKept("users");
      await store.update("users", { id: user.id }, { active: false, last_login_at: later(1) });
      assert.equal(await wordsKept("users"), words);
      assert.deepEqual(await found("users", "lovelace"), [user.id]);
      assert.equal(await store.update("users", { name: "Nobody" }, { name: "Somebody" }), 0);
      const second = await aUser(store, { name: "Ada Lovelace", email: "second@example.com" });
      assert.equal(await store.update("users", { name: "Ada Lovelace" }, { name: "Grace" }), 2);
      assert.deepEqual((await found("users", "grace")).toSorted(), [user.id, second.id].toSorted());
      assert.deepEqual(await found("users", "lovelace"), []);
    });

    test("a change is one statement, and three if a searchable field changes", async () => {
      const { id } = await aUser(store);
      const statementsOf = (changes: Partial<User>) =>
        store.transaction(async ({ connection, change }) => {
          const run = mock.method(connection, "run");
          const all = mock.method(connection, "all");
          const rows = await change("users", { id }, changes);
          const count = run.mock.callCount() + all.mock.callCount();
          mock.restoreAll();
          assert.equal(rows.length, 1);
          return count;
        });
      assert.equal(await statementsOf({ active: false }), 1);
      assert.equal(await statementsOf({ name: "Grete" }), 3);
      assert.deepEqual(await found("users", "grete"), [id]);
    });

    test("concurrent changes of two fields of one record store the search words of both", async () => {
      await removeEverything(store);
      for (let turn = 0; turn < 5; turn++) {
        const user = await aUser(store);
        await Promise.all([
          store.update("users", { id: user.id }, { name: `Name${turn}` }),
          store.update("users", { id: user.id }, { email: `mail${turn}@example.com` }),
        ]);
        assert.deepEqual(await found("users", `name${turn}`), [user.id]);
        assert.deepEqual(await found("users", `mail${turn}`), [user.id]);
      }
    });

    test("a change that is rolled back stores no search words", async () => {
      await removeEverything(store);
      const undone = store.transaction(async (tx) => {
        await tx.insert("organizations", {
          id: store.newId(start),
          name: "Undone",
          slug: "undone",
          created_at: start,
          updated_at: start,
        });
        throw new Error("undone");
      });
      await assert.rejects(undone, /undone/);
      assert.equal(await wordsKept("organizations"), 0);
    });

    test("search words are deleted with their record, also if it is deleted together with another", async () => {
      await removeEverything(store);
      const owner = await aUser(store);
      const organization = await anOrganization(store);
      const of = { organization_id: organization.id };
      await anApp(store, { owner_id: owner.id, ...of });
      await aServiceAccount(store, { created_by: owner.id, ...of });
      await anApiKey(store, of);
      await anApiKey(store, { user_id: owner.id });
      for (const table of ["organizations", "oauth_apps", "service_accounts", "api_keys"] as const)
        assert.ok((await wordsKept(table)) > 0, table);
      await deleteOrganization(store, organization.id);
      for (const table of ["organizations", "oauth_apps", "service_accounts"] as const)
        assert.equal(await wordsKept(table), 0, table);
      await deleteUser(store, owner.id, start);
      assert.equal(await wordsKept("users"), 0);
      assert.equal(await wordsKept("api_keys"), 0);
    });

    test("migrating a database of version 2 adds the search words of existing records", async () => {
      const old = await openStoreAt(await database.address());
      await old.migrate(start, 2);
      assert.deepEqual(
        (await old.migrationStatus()).filter(({ applied }) => applied).map(({ version }) => version),
        [1, 2],
      );
      const quoted = (text: string) =>
        database.name === "SQLite" ? `x'${text.replaceAll("-", "")}'` : `'${text}'`;
      const ids: string[] = [];
      const time = database.name === "SQLite" ? "1893456000000" : "'2030-01-01T00:00:00Z'";
      await old.transaction(async ({ connection }) => {
        for (let index = 0; index < 1005; index++) {
          const id = old.newId(later(index));
          ids.push(id);
          await connection.run(
            `INSERT INTO organizations (id, name, slug, plan, active, created_at, updated_at)
             VALUES (${quoted(id)}, 'Émile ${index}', 'org-${index}', 'free', true, ${time}, ${time})`,
            [],
          );
        }
        await connection.run(
          `INSERT INTO audit_events (id, type, outcome, actor_kind, created_at)
           VALUES (${quoted(old.newId(start))}, 'user.created', 'success', 'system', ${time})`,
          [],
        );
      });
      assert.deepEqual(
        (await old.migrate(start)).map(({ version }) => version),
        (await old.migrationStatus()).map(({ version }) => version).slice(2),
      );
      const { rows } = await old.listPage("organizations", { search: "emile 1004", limit: 5 });
      assert.deepEqual(
        rows.map(({ slug }) => slug),
        ["org-1004"],
      );
      let cursor: string | undefined;
      const met: string[] = [];
      do {
        const page = await old.listPage("organizations", { search: "emil", limit: 200, cursor });
        met.push(...page.rows.map(({ id }) => id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(met.toSorted(), ids);
      assert.equal((await old.list("audit_events"))[0]?.organization_id, null);
    });
  });
