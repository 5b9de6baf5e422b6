import type { Kind } from "../../records/field.ts";
import type { Dialect } from "../dialect.ts";

/** What lists were put in order by when this was written, in the words of `records/list_orders.ts`. */
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

/** The expression of `keyOf` (`listing/order.ts`); a question mark is a moment that may be null. */
function keyOf(column: string, database: Dialect["name"]): string {
  const name = column.replace("?", "");
  if (column.endsWith("?"))
    return `coalesce(${name}, ${database === "sqlite" ? "0" : "'1970-01-01 00:00:00+00'::timestamptz"})`;
  return `lower(${name}${database === "postgres" ? ' COLLATE "C"' : ""})`;
}

/** An index of each order of a list among all rows; ids decide among equals. */
export const listOrders = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string =>
  Object.entries(orders)
    .flatMap(([table, columns]) =>
      columns.map((column) => {
        const name = column.replace("?", "");
        const index = (key: string) => `CREATE INDEX ${table}_by_${name} ON ${table} (${key}, id);\n`;
        if (column === "created_at") return index(column);
        const key = keyOf(column, database);
        if (database === "postgres") return index(key);
        // Computed when it is read: no row is written anew, and nothing but the index stores it.
        const of = `${name}_key_of_order`;
        const type = column.endsWith("?") ? t.time : t.string;
        return `ALTER TABLE ${table} ADD COLUMN ${of} ${type} GENERATED ALWAYS AS (${key}) VIRTUAL;\n${index(of)}`;
      }),
    )
    .join("");
