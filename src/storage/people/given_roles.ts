/** The end of a role: memberships and groups no longer have it. */
import { sql } from "kysely";
import type { Database, Transaction } from "../database/database.ts";
import { arg, statement } from "../database/statement.ts";

/** The lists of roles that members and groups have. */
const roleLists = ["role_ids", "app_role_ids"] as const;
type RoleList = (typeof roleLists)[number];

const holders = ["memberships", "groups"] as const;

export function givenRoleRules({ dialect }: Database) {
  const forget = holders.flatMap((table) =>
    roleLists.map((list) => {
      const column = sql.ref(list);
      const id = arg.string("id");
      return {
        table,
        list,
        statement: statement<unknown>(dialect, table, () =>
          dialect.name === "postgres"
            ? sql`UPDATE ${sql.table(table)} SET ${column} = ${column} - ${id} WHERE ${column} @> ${arg.json("ids")}`
            : sql`UPDATE ${sql.table(table)}
                SET ${column} = (SELECT json_group_array(value) FROM json_each(${column}) WHERE value <> ${id})
                WHERE EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${id})`,
        ),
      };
    }),
  );
  return {
    /** Takes a role that ends out of every such list. */
    async forgetRole(tx: Transaction, list: RoleList, id: string): Promise<void> {
      for (const { table, statement: each } of forget.filter((one) => one.list === list)) {
        await each.run(tx.connection, { id, ids: [id] });
        tx.changed(table);
      }
    },
  };
}
