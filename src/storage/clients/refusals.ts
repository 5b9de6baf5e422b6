/**
 * Records refused requests, queued and written in batches, so that a refused request does not wait for the
 * database.
 */
import { sql } from "kysely";
import type { Evidence } from "../../errors.ts";
import type { Refusal } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import { jsonRows } from "../database/json_rows.ts";
import { oneAtATime } from "../database/one_at_a_time.ts";
import { statement } from "../database/statement.ts";
import { storableText } from "../database/storable_text.ts";

export type NotedRefusal = Omit<Refusal, "id">;

/** A flood of refusals must not fill the memory. */
const limit = 2000;
const perStatement = 100;

const longestText = 2000;
const longestList = 50;

/** A single string that the database rejects would fail the whole batch. */
const kept = (text: string) => storableText(text, longestText);

function keptValue(value: Evidence["received"]): Evidence["received"] {
  if (value === null) return null;
  return typeof value === "string" ? kept(value) : value.slice(0, longestList).map(kept);
}

function keptRefusal(refusal: NotedRefusal): NotedRefusal {
  const texts = Object.entries(refusal).map(([name, value]) => [
    name,
    typeof value === "string" ? kept(value) : value,
  ]);
  const evidence = refusal.evidence.slice(0, longestList).map(({ name, received, expected, kind }) => ({
    name: kept(name),
    received: keptValue(received),
    expected: keptValue(expected),
    kind: kept(kind),
  }));
  return { ...(Object.fromEntries(texts) as NotedRefusal), evidence };
}

export function refusalRules(database: Database, newId: (now: Date) => string) {
  const { dialect, driver } = database;
  let noted: Refusal[] = [];

  const { columns, rows, encode } = jsonRows(dialect, "refusals");
  const add = statement(
    dialect,
    "refusals",
    () => sql`INSERT INTO refusals (${columns})
      SELECT ${columns} FROM (${rows}) AS noted
      WHERE (noted.app_id IS NULL OR EXISTS (SELECT 1 FROM oauth_apps a WHERE a.id = noted.app_id LIMIT 1 OFFSET 0))
        AND (noted.user_id IS NULL OR EXISTS (SELECT 1 FROM users u WHERE u.id = noted.user_id LIMIT 1 OFFSET 0))
      ON CONFLICT DO NOTHING`,
  );

  return {
    /** If the queue is full, or if the app or user is deleted before the flush, the refusal is dropped. */
    queueRefusal(refusal: NotedRefusal): void {
      if (noted.length >= limit) return;
      noted.push({ ...keptRefusal(refusal), id: newId(refusal.created_at) });
    },

    unwrittenRefusals: (): number => noted.length,

    flushRefusals: oneAtATime(async () => {
      const refusals = noted;
      noted = [];
      for (let from = 0; from < refusals.length; from += perStatement) {
        try {
          // `runBatch` clears no caches. It suffices here, because no cached record depends on refusals.
          await driver.runBatch([
            add.prepare({
              rows: refusals.slice(from, from + perStatement).map((refusal) => encode({ ...refusal })),
            }),
          ]);
        } catch (error) {
          noted = [...refusals.slice(from), ...noted].slice(0, limit);
          throw error;
        }
      }
    }),
  };
}
