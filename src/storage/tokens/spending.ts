/**
 * A grant is spent and the token it buys is stored, both or neither: by one statement where the database can,
 * else by two.
 */
import { type Compilable, sql } from "kysely";
import type { OAuthToken, TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database.ts";
import type { Builder, Dialect } from "../dialect.ts";
import { lockStatement } from "../locks.ts";
import { type Arguments, statement } from "../statement.ts";
import { locksForIssue } from "./families.ts";
import { tokenColumns, tokenValues } from "./token_row.ts";

type StoredToken = OAuthToken & { user_id: string };

/** The conditional update that spends; `returning` makes it answer a row for each that it changed. */
export interface Spender extends Compilable<unknown> {
  returning(expression: ReturnType<typeof marker>): Compilable<unknown>;
}

const marker = () => sql<number>`1`.as("one");

/**
 * Spends what fits the update and stores the token; false when nothing fitted, and then nothing is written.
 */
export type Spend = (args: Arguments, token: StoredToken) => Promise<boolean>;

/** The insert that happens once for each row that `spender` changed. */
function chained(dialect: Dialect, spender: (builder: Builder) => Spender) {
  const values = tokenValues(dialect);
  return statement(dialect, "oauth_tokens", (builder) =>
    builder
      .with("spent", () => spender(builder).returning(marker()) as never)
      .insertInto("oauth_tokens")
      .columns(tokenColumns as never)
      .expression((query) => query.selectFrom("spent" as never).select(values as never) as never),
  );
}

export function spending(
  database: Database,
  table: TableName,
  spender: (builder: Builder) => Spender,
): Spend {
  const { dialect, driver } = database;
  if (!dialect.chainsChanges) {
    const spend = statement(dialect, table, spender);
    return (args, token) =>
      database.transaction(async (tx) => {
        if ((await spend.run(tx.connection, args)) === 0) return false;
        await tx.insert("oauth_tokens", token);
        return true;
      });
  }
  const both = chained(dialect, spender);
  return async (args, token) => {
    const locks = lockStatement(dialect, locksForIssue(token));
    const store = both.prepare({ ...args, token });
    const counts = await driver.runBatch(locks === undefined ? [store] : [locks, store]);
    return counts.at(-1) === 1;
  };
}
