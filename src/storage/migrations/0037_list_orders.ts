import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

/** A `?` marks a column that may be null. The list is that of the time of this migration. */
const orders = {
  users: ["created_at", "name", "email", "last_login_at?"],
  organizations: ["created_at", "name", "slug"],
  memberships: ["created_at"],
  providers: ["created_at", "label", "slug"],
  oauth_accounts: ["created_at"],
  api_keys: ["created_at", "name", "last_used_at?"],
  oauth_apps: ["created_at", "name", "client_id"],
  oauth_app_secrets: ["created_at"],
  resources: ["created_at", "name", "identifier"],
  service_accounts: ["created_at", "name", "email", "last_used_at?"],
  service_account_key_pairs: ["created_at"],
  oauth_consents: ["created_at"],
} as const;

function keyOf(column: string, database: Dialect["name"]): string {
  const name = column.replace("?", "");
  if (column.endsWith("?"))
    return `coalesce(${name}, ${database === "sqlite" ? "0" : "'1970-01-01 00:00:00+00'::timestamptz"})`;
  return `lower(${name}${database === "postgres" ? ' COLLATE "C"' : ""})`;
}

const searched = [
  "users",
  "organizations",
  "api_keys",
  "oauth_apps",
  "service_accounts",
  "resources",
  "providers",
] as const;

/** The triggers maintain these tables even if a process of an earlier version writes words. */
export const trigramsOnSqlite = (table: string) => `
CREATE TABLE ${table}_spellings (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL);
CREATE VIRTUAL TABLE ${table}_parts USING fts5(word, content='${table}_spellings', content_rowid='number', tokenize='trigram', detail=none, columnsize=0);
CREATE TRIGGER ${table}_spellings_added AFTER INSERT ON ${table}_spellings BEGIN INSERT INTO ${table}_parts (rowid, word) VALUES (new.number, new.word); END;
CREATE TRIGGER ${table}_spellings_removed AFTER DELETE ON ${table}_spellings BEGIN INSERT INTO ${table}_parts (${table}_parts, rowid, word) VALUES ('delete', old.number, old.word); END;
CREATE TRIGGER ${table}_words_added AFTER INSERT ON ${table}_words BEGIN INSERT INTO ${table}_spellings (word, uses) VALUES (new.word, 1) ON CONFLICT (word) DO UPDATE SET uses = uses + 1; END;
CREATE TRIGGER ${table}_words_removed AFTER DELETE ON ${table}_words BEGIN UPDATE ${table}_spellings SET uses = uses - 1 WHERE word = old.word; DELETE FROM ${table}_spellings WHERE word = old.word AND uses < 1; END;
INSERT INTO ${table}_spellings (word, uses) SELECT word, count(*) FROM ${table}_words GROUP BY word;
`;

/** Without pg_trgm, words are found only by their prefix. */
export const trigramsOnPostgres = (tables: readonly string[]): string => `
DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; ${tables
  .map((table) => `CREATE INDEX ${table}_words_parts ON ${table}_words USING gin (word gin_trgm_ops);`)
  .join(
    " ",
  )} EXCEPTION WHEN undefined_file OR insufficient_privilege OR feature_not_supported OR undefined_object THEN NULL; END $$;
`;

/** Returns the SQL of an index for one order of a list. */
export function orderIndex(
  table: string,
  column: string,
  t: Readonly<Record<Kind, string>>,
  database: Dialect["name"],
): string {
  const name = column.replace("?", "");
  const index = (key: string) => `CREATE INDEX ${table}_by_${name} ON ${table} (${key}, id);\n`;
  if (column === "created_at") return index(column);
  const key = keyOf(column, database);
  if (database === "postgres") return index(key);
  // A virtual column rewrites no rows; only the index stores its value.
  const of = `${name}_key_of_order`;
  const type = column.endsWith("?") ? t.time : t.string;
  return `ALTER TABLE ${table} ADD COLUMN ${of} ${type} GENERATED ALWAYS AS (${key}) VIRTUAL;\n${index(of)}`;
}

export const listOrders = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string =>
  Object.entries(orders)
    .flatMap(([table, columns]) => columns.map((column) => orderIndex(table, column, t, database)))
    .join("") +
  (database === "postgres" ? trigramsOnPostgres(searched) : searched.map(trigramsOnSqlite).join(""));
