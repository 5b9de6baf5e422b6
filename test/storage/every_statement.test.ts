/**
 * Prepares every initial statement of a store on every database. Statements that are built at their first
 * use, such as verbs and lists, must each be used by a test on every database: the suite fails if only SQLite
 * saw one (`test/support/statement_sites.ts`).
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Client } from "pg";
import { openStore } from "../../src/storage/store.ts";
import { start } from "../support/builders.ts";
import { everyDatabase } from "../support/databases.ts";

type Prepare = (text: string, at: number) => unknown;

/** Opens a separate connection that prepares statements. */
async function preparing(
  address: Awaited<ReturnType<(typeof everyDatabase)[number]["address"]>>,
): Promise<{ prepare: Prepare; close: () => unknown }> {
  if (address.kind === "sqlite") {
    const database = new DatabaseSync(address.path);
    return { prepare: (text) => database.prepare(text), close: () => database.close() };
  }
  const client = new Client({ connectionString: address.url });
  await client.connect();
  return { prepare: (text, at) => client.query(`PREPARE s${at} AS ${text}`), close: () => client.end() };
}

for (const database of everyDatabase)
  test(`design 3: every statement of the store is valid on ${database.title}`, async () => {
    const address = await database.address();
    const compiles: (() => string)[] = [];
    const store = await openStore(address, {
      audit_streams: ["audit_file", "audit_syslog"],
      events: true,
      around: (driver) => {
        const dialect = { ...driver.dialect, onStatement: (compile: () => string) => compiles.push(compile) };
        return { ...driver, dialect };
      },
    });
    const { prepare, close } = await preparing(address);
    try {
      await store.migrate(start);
      const texts = [...new Set(compiles.map((compile) => compile()))];
      assert.ok(texts.length > 150, String(texts.length));
      const wrong: string[] = [];
      for (const [at, text] of texts.entries()) {
        try {
          await prepare(text, at);
        } catch (error) {
          wrong.push(`${error}: ${text}`);
        }
      }
      assert.deepEqual(wrong, []);
    } finally {
      await close();
      await store.close();
    }
  });
