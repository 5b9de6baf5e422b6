/** Finds existing records of users that an import contains, many at once. */
import { sql } from "kysely";
import type { Row, User } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import { allColumns, arg, statement } from "../database/statement.ts";

export interface SoughtPeople {
  readonly source: string;
  readonly external_ids: readonly string[];
  readonly ids: readonly string[];
  readonly email_keys: readonly string[];
}

export interface FoundPeople {
  readonly imported: ReadonlyMap<string, Row<"imported_people">>;
  readonly users: ReadonlyMap<string, User>;
  readonly taken_keys: ReadonlySet<string>;
}

export function importedPeopleRules({ dialect, driver }: Database) {
  const imported = statement<Row<"imported_people">>(
    dialect,
    "imported_people",
    () => sql`SELECT ${allColumns("imported_people")} FROM imported_people
      WHERE source = ${arg.string("source")} AND external_id IN (${dialect.textsOf(arg.json("external_ids"))})`,
  );
  const users = statement<User>(
    dialect,
    "users",
    () => sql`SELECT ${allColumns("users")} FROM users WHERE id IN (${dialect.idsOf(arg.json("ids"))})`,
  );
  const taken = statement<Pick<User, "email_key">>(
    dialect,
    "users",
    () => sql`SELECT email_key FROM users WHERE email_key IN (${dialect.textsOf(arg.json("email_keys"))})`,
  );
  return {
    /** A transaction must look up the users again, because they may change. */
    async peopleHere({ source, external_ids, ids, email_keys }: SoughtPeople): Promise<FoundPeople> {
      const [rows, keys] = await Promise.all([
        imported.all(driver, { source, external_ids }),
        taken.all(driver, { email_keys }),
      ]);
      const all = [...new Set([...ids, ...rows.map(({ user_id }) => user_id)])];
      const found = all.length === 0 ? [] : await users.all(driver, { ids: all });
      return {
        imported: new Map(rows.map((row) => [row.external_id, row])),
        users: new Map(found.map((user) => [user.id, user])),
        taken_keys: new Set(keys.map(({ email_key }) => email_key)),
      };
    },
  };
}
