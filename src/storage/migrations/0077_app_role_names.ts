import type { Kind } from "../../records/definition/field.ts";
import { roleNameKey } from "../../records/formats/role_names.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { firstId } from "../database/ids.ts";

/** On PostgreSQL, processes of the earlier version may still run, and add app roles without a key. */
export const appRoleNames = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE app_roles ADD COLUMN name_key ${t.string};
CREATE UNIQUE INDEX app_roles_name_key_key ON app_roles (name_key);
`;

const rolesAtOnce = 1000;

/** Sets the key of each app role. Of several roles with the same key, only the oldest gets it. */
export async function fillAppRoleNames(connection: Connection, dialect: Dialect): Promise<void> {
  const [first, second] = dialect.name === "postgres" ? ["$1", "$2"] : ["?", "?"];
  for (let after = firstId; ; ) {
    const rows = await connection.all(
      `SELECT id, resource_id, name FROM app_roles WHERE id > ${first} ORDER BY id LIMIT ${second}`,
      [dialect.encode("uuid", after), rolesAtOnce],
    );
    for (const { id, resource_id, name } of rows) {
      after = dialect.decode("uuid", id) as string;
      const key = roleNameKey(dialect.decode("uuid", resource_id) as string, String(name));
      const taken = await connection.all(`SELECT 1 AS one FROM app_roles WHERE name_key = ${first}`, [key]);
      if (taken.length > 0) continue;
      await connection.run(`UPDATE app_roles SET name_key = ${first} WHERE id = ${second}`, [key, id]);
    }
    if (rows.length < rolesAtOnce) break;
  }
}
