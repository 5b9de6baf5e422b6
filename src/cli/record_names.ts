/**
 * How records are named on the command line: people by their e-mail, organizations by their slug, apps by
 * their client_id.
 */
import type { AdminContext } from "../admin/access/actor.ts";
import { isText, notFound } from "../admin/faults.ts";
import { isUuid } from "../records/check.ts";
import type { TableName } from "../records/definition.ts";
import { emailKey } from "../records/email.ts";

/** What a record of each table is named by beside its id. */
const nameColumns: Partial<Record<TableName, "email" | "slug" | "client_id">> = {
  users: "email",
  organizations: "slug",
  oauth_apps: "client_id",
  service_accounts: "email",
};

/** What the argument that names a record of this table is called: `email`, `slug`, `client_id` or `id`. */
export function argumentOf(table: TableName): string {
  return nameColumns[table] ?? "id";
}

/**
 * The id of the record of this name or id; an app's client_id that looks like an id goes first. Throws 404
 * `not_found`.
 */
export async function idOf(
  { store }: Pick<AdminContext, "store">,
  table: TableName,
  name: string,
): Promise<string> {
  const column = nameColumns[table];
  const byId = isUuid(name) ? { id: name.toLowerCase() } : undefined;
  const byName =
    column === undefined || !isText(name)
      ? undefined
      : column === "email"
        ? { email_key: emailKey(name) }
        : { [column]: name };
  for (const where of table === "oauth_apps" ? [byName, byId] : [byId, byName]) {
    if (where === undefined) continue;
    const found: { readonly id: string } | undefined = await store.find(table as "users", where as never);
    if (found !== undefined) return found.id;
  }
  throw notFound(table, name);
}
