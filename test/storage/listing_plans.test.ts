/** Query plans of a page's rows: they use an index, and read no more rows than a page may. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { NewRow, TableName } from "../../src/records/definition/definition.ts";
import { emailKey } from "../../src/records/names/email.ts";
import { databaseOn } from "../../src/storage/database/database.ts";
import type { Driver, EncodedRow } from "../../src/storage/database/driver.ts";
import { mostRead, mostSorted } from "../../src/storage/listing/branches.ts";
import { type ListingRules, type ListQuery, listingRules } from "../../src/storage/listing/listing.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  accessOnly,
  aMembership,
  anApp,
  anOrganization,
  aUser,
  insertMany,
  later,
  randomSignature,
  tokenOf,
} from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";
import { inForm } from "../support/form.ts";
import { storeStatistics } from "../support/statistics_of_tables.ts";

const rows = 8000;

interface Ids {
  readonly app: string;
  readonly user: string;
  readonly organization: string;
}

/** The number of rows that a quick search may find by an index and then sort. */
const fewRows = 1000;

/** Fills tables with many rows, so that a condition matches nearly all of them or almost none. */
async function fill(store: Store): Promise<Ids> {
  const [user, organization] = [await aUser(store), await anOrganization(store)];
  const app = await anApp(store, { owner_id: user.id, organization_id: organization.id });
  await aMembership(store, { user_id: user.id, organization_id: organization.id });
  const insert = <T extends TableName>(table: T, row: (index: number) => NewRow<T>) =>
    insertMany(store, table, rows, row);
  await insert("users", (index) => {
    const created_at = later(index);
    const email = `ada${index}@example.com`;
    const of = { email, email_key: emailKey(email), name: `Ada Number${index}` };
    return {
      id: store.newId(created_at),
      ...of,
      active: index % 4000 !== 1,
      attributes: { department: index % 2000 === 5 ? "Rare" : "Sales" },
      created_at,
      updated_at: created_at,
    };
  });
  await insert("oauth_tokens", (index) => {
    const created_at = later(index);
    const of = { app_id: app.id, user_id: index % 2000 === 7 ? user.id : null };
    return tokenOf({ ...accessOnly, ...of, created_at, revoked: index % 4000 === 3 });
  });
  await insert("audit_events", (index): NewRow<"audit_events"> => {
    const created_at = later(index);
    const rare = index % 2000 === 5;
    return {
      id: store.newId(created_at),
      type: rare ? "user.deleted" : "sign_in",
      outcome: "success",
      actor_kind: "user",
      actor_id: rare ? user.id : store.newId(created_at),
      organization_id: rare ? organization.id : null,
      target_table: "users",
      target_id: rare ? user.id : store.newId(created_at),
      created_at,
    };
  });
  await insert("oauth_auth_codes", (index) => {
    const created_at = later(index);
    const of = { app_id: app.id, user_id: user.id, redirect_uri: "https://app.example/callback" };
    return {
      id: store.newId(created_at),
      ...of,
      code_signature: randomSignature(),
      expires_at: later(60, created_at),
      used: index % 4000 === 9,
      created_at,
    };
  });
  await insert("refusals", (index): NewRow<"refusals"> => {
    const created_at = later(index);
    const rare = index % 2000 === 11;
    return {
      id: store.newId(created_at),
      short_id: String(index).padStart(10, "0"),
      endpoint: "/oauth/token",
      error: rare ? "invalid_scope" : "invalid_client",
      description: "client authentication failed",
      app_id: rare ? null : app.id,
      created_at,
      expires_at: later(86_400, created_at),
    };
  });
  return { app: app.id, user: user.id, organization: organization.id };
}

type Shape = {
  [T in TableName]: { readonly table: T; readonly query: Omit<ListQuery<T>, "limit">; readonly few?: true };
}[TableName];

function shapesOf({ app, user, organization }: Ids): Shape[] {
  const visible = { organization_ids: [organization], user_id: user };
  /** A user who owns none of the rows. */
  const theirs = { organization_ids: [user], user_id: organization };
  const descending = true;
  const rare = "department=rare";
  return [
    { table: "users", query: {} },
    { table: "users", query: { descending } },
    { table: "users", query: { where: { active: true } } },
    { table: "users", query: { where: { active: false } } },
    { table: "users", query: { where: { name: "Nobody" } } },
    { table: "users", query: { where: { email: "ada7@example.com" } }, few: true },
    { table: "users", query: { search: "ada" } },
    { table: "users", query: { sought: [{ value: rare }] }, few: true },
    { table: "users", query: { sought: [{ value: rare }], search: "ada" }, few: true },
    { table: "users", query: { sought: [{ value: rare }], sort: "name", descending }, few: true },
    { table: "users", query: { sought: [{ value: "department=sales" }] }, few: true },
    {
      table: "users",
      query: { visible, sought: [{ value: rare }, { other_than: user, column: "id" }] },
      few: true,
    },
    { table: "users", query: { sort: "name" } },
    { table: "users", query: { sort: "last_login_at", descending } },
    { table: "users", query: { sort: "created_at", descending } },
    { table: "users", query: { sort: "email", search: "ada" } },
    { table: "users", query: { sort: "email", search: "number77" }, few: true },
    { table: "users", query: { sort: "name", where: { active: false } }, few: true },
    { table: "users", query: { sort: "name", visible }, few: true },
    { table: "users", query: { sort: "created_at", visible: theirs }, few: true },
    { table: "oauth_tokens", query: { sort: "created_at", descending } },
    { table: "oauth_tokens", query: { sort: "last_used_at", where: { app_id: app } }, few: true },
    { table: "oauth_tokens", query: { sort: "last_used_at", visible, where: { user_id: user } }, few: true },
    { table: "audit_events", query: { sort: "created_at", descending, visible } },
    {
      table: "memberships",
      query: { sort: "created_at", where: { organization_id: organization } },
      few: true,
    },
    { table: "oauth_apps", query: { sort: "client_id" } },
    { table: "oauth_apps", query: { sort: "name", visible }, few: true },
    { table: "users", query: { search: "ada example number77" }, few: true },
    { table: "users", query: { search: "umber7" }, few: true },
    { table: "users", query: { search: "ada", where: { active: false } } },
    { table: "users", query: { visible }, few: true },
    { table: "users", query: { visible, search: "ada" }, few: true },
    { table: "users", query: { created_from: later(7000) } },
    { table: "oauth_tokens", query: {} },
    { table: "oauth_tokens", query: { descending } },
    { table: "oauth_tokens", query: { descending, where: { app_id: app } } },
    { table: "oauth_tokens", query: { where: { app_id: app, revoked: false } } },
    { table: "oauth_tokens", query: { where: { app_id: app, revoked: true } } },
    { table: "oauth_tokens", query: { where: { revoked: true } } },
    { table: "oauth_tokens", query: { where: { user_id: user } }, few: true },
    { table: "oauth_tokens", query: { where: { service_account_id: user } } },
    { table: "oauth_tokens", query: { where: { family_id: user } }, few: true },
    { table: "oauth_tokens", query: { where: { session_id: user } }, few: true },
    { table: "oauth_tokens", query: { visible }, few: true },
    { table: "oauth_tokens", query: { visible, where: { app_id: app } } },
    { table: "oauth_tokens", query: { visible, where: { app_id: app, user_id: user } }, few: true },
    { table: "oauth_tokens", query: { visible: theirs, where: { app_id: app } }, few: true },
    { table: "oauth_tokens", query: { visible: theirs, where: { user_id: user } }, few: true },
    { table: "oauth_tokens", query: { visible: theirs, where: { family_id: user } }, few: true },
    { table: "oauth_tokens", query: { descending, created_before: later(100) } },
    { table: "audit_events", query: { descending } },
    { table: "audit_events", query: { descending, where: { actor_id: user } } },
    { table: "audit_events", query: { descending, where: { target_id: user } } },
    { table: "audit_events", query: { descending, where: { type: "sign_in" } } },
    { table: "audit_events", query: { descending, where: { type: "user.deleted" } } },
    { table: "audit_events", query: { descending, where: { organization_id: organization } } },
    { table: "audit_events", query: { descending, visible } },
    { table: "audit_events", query: { descending, visible, where: { target_id: user } } },
    { table: "audit_events", query: { descending, visible: theirs, where: { target_id: user } } },
    { table: "audit_events", query: { descending, visible: theirs, where: { actor_id: user } } },
    { table: "audit_events", query: { descending, where: { outcome: "failure" } } },
    { table: "oauth_auth_codes", query: { descending } },
    { table: "oauth_auth_codes", query: { descending, where: { app_id: app } } },
    { table: "oauth_auth_codes", query: { descending, where: { user_id: user, used: true } } },
    { table: "oauth_auth_codes", query: { descending, visible } },
    { table: "refusals", query: { descending } },
    { table: "refusals", query: { descending, where: { app_id: app } } },
    { table: "refusals", query: { descending, where: { error: "invalid_client" } } },
    { table: "refusals", query: { descending, where: { error: "invalid_scope" } } },
    { table: "refusals", query: { descending, where: { app_id: app, error: "invalid_scope" } } },
    { table: "refusals", query: { where: { short_id: "0000000007" } }, few: true },
    { table: "refusals", query: { descending, visible } },
    { table: "refusals", query: { descending, created_from: later(7000) } },
    { table: "memberships", query: { where: { organization_id: organization } } },
    { table: "memberships", query: { where: { user_id: user } } },
    { table: "oauth_apps", query: { visible } },
    { table: "oauth_apps", query: { where: { organization_id: organization, active: true } } },
    { table: "oauth_consents", query: { where: { app_id: app } } },
    { table: "oauth_consents", query: { visible, where: { user_id: user } } },
    { table: "memberships", query: { visible: theirs, where: { user_id: user } }, few: true },
    { table: "sessions", query: { descending, where: { user_id: user } } },
  ];
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

function everyNode(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(everyNode)];
}

/**
 * Judges PostgreSQL's plan: it may scan no table, and read no more rows than a page or a quick search
 * (`glanced`) may.
 */
function judgePostgres(
  sql: string,
  plan: EncodedRow[],
  what: string,
  { trigrams, glanced }: { readonly trigrams: boolean; readonly glanced: number | undefined },
): void {
  // A plan that counts may read as many rows as a small result has, because a small result is sorted as a
  // whole.
  const counts = /count\(\*\)|\bfew\b/.test(sql);
  const most = counts ? (glanced === undefined ? mostSorted : fewRows) + 1 : (glanced ?? mostRead + 60);
  const [answer] = plan as unknown as [{ "QUERY PLAN": [{ Plan: PlanNode }] }];
  const [{ Plan: root }] = answer["QUERY PLAN"];
  for (const node of everyNode(root)) {
    if (node["Relation Name"] === undefined) continue;
    // The table of words is so small here that PostgreSQL scans it and ignores the trigrams. The test of "a
    // frequent part" covers the limit on words.
    if (trigrams && node["Relation Name"].endsWith("_words") && sql.includes("LIKE")) continue;
    if (!counts) assert.notEqual(node["Node Type"], "Seq Scan", what);
    const met = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
    assert.ok(met <= most, `${what}: ${met} rows of ${node["Relation Name"]}`);
  }
}

/** Judges SQLite's plan: it scans only limited ranges, and sorts only small results. */
function judgeSqlite(sql: string, plan: EncodedRow[], what: string, few: boolean): void {
  const details = plan.map(({ detail }) => String(detail));
  const bounded = details.flatMap((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
  for (const detail of details) {
    const [, scanned] = /^SCAN (\S+)/.exec(detail) ?? [];
    if (scanned === undefined || scanned === "json_each" || bounded.includes(scanned)) continue;
    // Searches the trigrams by an index of SQLite's full-text table.
    if (/ VIRTUAL TABLE INDEX \d+:M/.test(detail)) continue;
    // Reads an index in its order and under a limit, without skipping any row.
    if (
      / USING (COVERING )?INDEX (sqlite_autoindex_\w+_1|\w+_by_\w+)$/.test(detail) &&
      / WHERE true\s+ORDER BY/.test(sql)
    )
      continue;
    assert.ok(
      (bounded.includes("few") || bounded.includes("f")) && scanned === "t",
      `${what}: ${details.join("; ")}`,
    );
  }
  if (!few) assert.doesNotMatch(details.join("; "), /TEMP B-TREE/, what);
}

for (const database of databases)
  describe(`query plans of lists on ${database.name}`, () => {
    let driver: Driver;
    let ids: Ids;
    let requested: { sql: string; parameters: readonly unknown[] }[] = [];
    let rules: ListingRules;

    before(async () => {
      const address = await database.address();
      const store = await openStoreAt(address);
      await store.migrate(new Date());
      driver = await openDriver(address);
      if (address.kind === "postgres") {
        await driver.queryUnprepared(storeStatistics, []);
      }
      ids = await fill(store);
      rules = spiedRules();
    });

    after(() => driver.close());

    function spiedRules(): ListingRules {
      return listingRules(
        databaseOn({
          ...driver,
          queryUnprepared(sql, parameters) {
            if (!sql.startsWith("EXPLAIN")) requested.push({ sql, parameters });
            return driver.queryUnprepared(sql, parameters);
          },
          transaction: (work, options) =>
            driver.transaction(
              (connection) =>
                work({
                  ...connection,
                  queryUnprepared(sql, parameters) {
                    requested.push({ sql, parameters });
                    return connection.queryUnprepared(sql, parameters);
                  },
                }),
              options,
            ),
        }),
      );
    }

    let trigrams = true;

    async function judge(what: string, few: boolean, glanced?: number): Promise<void> {
      for (const { sql, parameters } of requested) {
        const explain = database.name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN (ANALYZE, FORMAT JSON)";
        const plan = await driver.queryUnprepared(`${explain} ${sql}`, parameters);
        if (database.name === "SQLite") judgeSqlite(sql, plan, what, few);
        else judgePostgres(sql, plan, what, { trigrams, glanced });
      }
    }

    const states = [
      { name: "without statistics" },
      { name: "with statistics", before: "ANALYZE" },
      ...(database.name === "PostgreSQL"
        ? [{ name: "without trigrams", before: "DROP EXTENSION IF EXISTS pg_trgm CASCADE" }]
        : []),
    ];
    for (const { name, before: preparing } of states) {
      /** Only searches use trigrams. */
      const isAffected = ({ query }: Shape) =>
        inForm(name !== "without trigrams" || "search" in query || "sought" in query, true);
      const pages = inForm(name === "with statistics" ? [false, true] : [false], [false, true]);
      test(`design 5: no page scans a table, ${name}`, async () => {
        if (preparing !== undefined) await driver.queryUnprepared(preparing, []);
        rules = spiedRules();
        trigrams = name !== "without trigrams";
        for (const { table, query, few = false } of shapesOf(ids).filter(isAffected)) {
          for (const again of pages) {
            const what = `${table} ${JSON.stringify(query)}${again ? ", the second page" : ""}`;
            requested = [];
            const first = await rules.listPage(table as "users", { ...(query as object), limit: 50 });
            if (again) {
              if (first.next_cursor === null) continue;
              requested = [];
              const cursor = first.next_cursor;
              await rules.listPage(table as "users", { ...(query as object), limit: 50, cursor });
            }
            assert.ok(requested.length > 0 || first.next_cursor === null, what);
            await judge(what, few);
          }
        }
      });

      if (name === "with statistics")
        test("design 5: matches of a frequent part of a word are not counted, and rare ones are found by an index", async () => {
          requested = [];
          await rules.listPage("users", { search: "ada", limit: 50 });
          const isCounted = ({ sql }: { sql: string }) => /count\(\*\).*users_words/s.test(sql);
          assert.equal(requested.filter(isCounted).length, database.name === "PostgreSQL" ? 0 : 1);
          requested = [];
          const { rows: found } = await rules.listPage("users", { search: "umber77", limit: 200 });
          assert.equal(found.length, 111);
          assert.equal(requested.filter(isCounted).length, 1);
        });

      test(`design 5: the first matches of a list are found in a bounded number of rows, ${name}`, async () => {
        const tried = new Set<string>();
        for (const { table, query } of shapesOf(ids).filter(isAffected)) {
          const { sort: _, descending: __, cursor: ___, ...wanted } = query as ListQuery<"users">;
          // The order is irrelevant to the first matches, so shapes that differ only in it are tried once.
          const shape = `${table} ${JSON.stringify(wanted)}`;
          if (tried.has(shape)) continue;
          tried.add(shape);
          requested = [];
          const bounds = { limit: 6, most_read: 100 };
          await rules.glanceAtList(table as "users", wanted, bounds);
          await judge(`a glance at ${shape}`, true, bounds.most_read + bounds.limit);
        }
      });
    }
  });
