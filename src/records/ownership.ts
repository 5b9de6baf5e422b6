/**
 * The owner of each row: stated here alone. Everything else derives from it (H-22): the SQL of lists and
 * look-ups (`storage/ownership.ts`, `storage/listing/plan_branches.ts`), the checks before a write and under
 * its lock, and the organization of an audit event (`admin/access/owners.ts`).
 */
import { type ColumnOf, fieldsOf, type TableName } from "./definition.ts";

/** The owner of a row, whose permissions count for it. */
export interface Owner {
  /** The organizations that the row belongs to. */
  readonly organization_ids: readonly string[];
  /** The user that it belongs to. */
  readonly user_id: string | null;
}

/** The owner of the server's own records: only a platform administrator may do anything with them. */
export const unowned: Owner = { organization_ids: [], user_id: null };

export interface Ownership<Column extends string = string> {
  /** The column with the id of the user that the row belongs to, and the condition under which it does. */
  readonly user?: {
    readonly column: Column;
    readonly where?: Readonly<Partial<Record<Column, string | null>>>;
  };
  /** The column with the id of the organization that the row belongs to. */
  readonly organization?: Column;
  /**
   * References to records whose organizations are the row's as well, and whose user is the row's where it has
   * none. The owner of those records is stated in their own table.
   */
  readonly through?: readonly Column[];
  /** Rows of another table name organizations that may read the row, and never write it. */
  readonly readers?: { readonly table: TableName; readonly row: string; readonly organization: string };
  /**
   * The columns that decide whose permission is needed to add such a row: the first that is given counts, and
   * the last must be given. `platform` at the end: given none, only a platform administrator adds it.
   */
  readonly added_to: readonly (Column | "platform")[];
}

const ofServer = { added_to: ["platform"] } as const;

const ownership: { readonly [T in TableName]: Ownership<ColumnOf<T>> } = {
  users: {
    user: { column: "id" },
    readers: { table: "memberships", row: "user_id", organization: "organization_id" },
    added_to: ["platform"],
  },
  organizations: { organization: "id", added_to: ["platform"] },
  memberships: {
    user: { column: "user_id" },
    organization: "organization_id",
    added_to: ["organization_id"],
  },
  oauth_accounts: { user: { column: "user_id" }, added_to: ["user_id"] },
  api_keys: {
    user: { column: "user_id" },
    organization: "organization_id",
    added_to: ["organization_id", "user_id"],
  },
  oauth_apps: {
    user: { column: "owner_id", where: { organization_id: null } },
    organization: "organization_id",
    added_to: ["organization_id", "platform"],
  },
  oauth_app_secrets: { through: ["app_id"], added_to: ["app_id"] },
  oauth_tokens: {
    user: { column: "user_id" },
    through: ["app_id", "service_account_id"],
    added_to: ["platform"],
  },
  oauth_auth_codes: { user: { column: "user_id" }, through: ["app_id"], added_to: ["platform"] },
  oauth_consents: { user: { column: "user_id" }, through: ["app_id"], added_to: ["user_id"] },
  service_accounts: { organization: "organization_id", added_to: ["organization_id"] },
  service_account_key_pairs: { through: ["service_account_id"], added_to: ["service_account_id"] },
  sessions: { user: { column: "user_id" }, added_to: ["platform"] },
  signing_keys: ofServer,
  audit_events: {
    user: { column: "actor_id", where: { actor_kind: "user" } },
    organization: "organization_id",
    added_to: ["platform"],
  },
  refusals: { through: ["app_id"], added_to: ["platform"] },
  invitations: { organization: "organization_id", added_to: ["platform"] },
  statistics: ofServer,
  ephemera: ofServer,
  manifest_records: ofServer,
};

/** The marks of a table, for code that walks over any of them. */
export function ownershipOf(table: TableName): Ownership {
  return ownership[table];
}

/** The table that a column of another refers to; throws where it refers to none. */
export function referencedBy(table: TableName, column: string): TableName {
  const { references } = fieldsOf(table)[column] ?? {};
  if (references === undefined) throw new TypeError(`${table}.${column} refers to no record`);
  return references.table as TableName;
}

/** The owner that a row itself states, without the records that it refers to. */
export function ownerOnRow(table: TableName, row: Readonly<Record<string, unknown>>): Owner {
  const { user, organization } = ownership[table] as Ownership;
  const idIn = (column: string | undefined) => (column === undefined ? null : (row[column] ?? null));
  const counts = Object.entries(user?.where ?? {}).every(([name, value]) => (row[name] ?? null) === value);
  const organization_id = idIn(organization) as string | null;
  return {
    organization_ids: organization_id === null ? [] : [organization_id],
    user_id: counts ? (idIn(user?.column) as string | null) : null,
  };
}

/** Whether two owners have an organization or the user in common. */
export function sharesOwner(one: Owner, other: Owner): boolean {
  if (one.user_id !== null && one.user_id === other.user_id) return true;
  return one.organization_ids.some((id) => other.organization_ids.includes(id));
}
