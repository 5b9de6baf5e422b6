/** SQL conditions for the rows that belong to a caller, or that an organization of the caller may read. */
import { type RawBuilder, sql } from "kysely";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { type Owner, ownershipOf, referencedBy } from "../../records/definition/ownership.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { Database } from "./database.ts";
import type { Dialect } from "./dialect.ts";
import { arg, type Statement, statement, yes } from "./statement.ts";

const isValue = (column: string, value: string | null) =>
  value === null ? `${column} IS NULL` : `${column} = '${value}'`;

/**
 * Returns the SQL condition that row `alias` belongs to the user in its user column; empty if it always does.
 */
export function userOwns(table: TableName, alias: string): string {
  const conditions = Object.entries(ownershipOf(table).user?.where ?? {});
  return conditions.map(([name, value = null]) => isValue(`${alias}.${name}`, value)).join(" AND ");
}

function userOf(table: TableName, alias: string): string | undefined {
  const { user, through = [] } = ownershipOf(table);
  const parts: string[] = [];
  if (user !== undefined) {
    const column = `${alias}.${user.column}`;
    const all = userOwns(table, alias);
    if (all === "" && fieldsOf(table)[user.column]?.required) return column;
    parts.push(all === "" ? column : `CASE WHEN ${all} THEN ${column} END`);
  }
  for (const column of through) {
    const parent = referencedBy(table, column);
    const of = userOf(parent, "p");
    if (of !== undefined) parts.push(`(SELECT ${of} FROM ${parent} p WHERE p.id = ${alias}.${column})`);
  }
  return parts.length > 1 ? `COALESCE(${parts.join(", ")})` : parts[0];
}

function kindOfUser(table: TableName): "uuid" | "string" {
  const { user } = ownershipOf(table);
  return user !== undefined && fieldsOf(table)[user.column]?.kind === "string" ? "string" : "uuid";
}

interface NamedOrganization {
  readonly id: string;
  readonly from?: string;
  readonly on?: string;
}

function organizationsOf(table: TableName): NamedOrganization[] {
  const { organization, readers, through = [] } = ownershipOf(table);
  const named: NamedOrganization[] = organization === undefined ? [] : [{ id: `t.${organization}` }];
  if (readers !== undefined)
    named.push({
      id: `r.${readers.organization}`,
      from: `${readers.table} r`,
      on: `r.${readers.row} = t.id`,
    });
  for (const column of through) {
    const parent = referencedBy(table, column);
    const { organization: its } = ownershipOf(parent);
    if (its !== undefined) named.push({ id: `p.${its}`, from: `${parent} p`, on: `p.id = t.${column}` });
  }
  return named;
}

/**
 * Returns the SQL condition that row `t` belongs to `owner`, or that one of its organizations may read the
 * row. `tokens/grant_conditions.ts` explains `LIMIT 1 OFFSET 0`.
 */
export function isOwnedBy(dialect: Dialect, table: TableName, owner: Owner): RawBuilder<boolean> {
  const user = userOf(table, "t");
  const parts: RawBuilder<boolean>[] = [];
  if (user !== undefined && owner.user_id !== null)
    parts.push(sql<boolean>`${sql.raw(user)} = ${dialect.encode(kindOfUser(table), owner.user_id)}`);
  if (owner.organization_ids.length > 0) {
    const ids = dialect.idsOf(sql`${dialect.encode("json", owner.organization_ids)}`);
    for (const { id, from, on = "" } of organizationsOf(table)) {
      const among = sql<boolean>`${sql.raw(id)} IN (${ids})`;
      parts.push(
        from === undefined
          ? among
          : sql<boolean>`EXISTS (SELECT 1 FROM ${sql.raw(from)} WHERE ${sql.raw(on)} AND ${among} LIMIT 1 OFFSET 0)`,
      );
    }
  }
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(parts, sql` OR `)})`;
}

interface FoundOwner {
  readonly its_user: unknown;
  readonly its_organization: unknown;
}

function ownerStatement(dialect: Dialect, table: TableName): Statement<FoundOwner> {
  const row = (columns: string, from = "", on = "") =>
    sql`SELECT ${sql.raw(columns)} FROM ${sql.table(table)} t ${sql.raw(from === "" ? "" : `, ${from}`)}
      WHERE t.id = ${arg.uuid("id")} AND ${on === "" ? yes : sql.raw(on)}`;
  const rows = [
    row(`${userOf(table, "t") ?? "NULL"} AS its_user, NULL AS its_organization`),
    ...organizationsOf(table).map(({ id, from, on }) => row(`NULL, ${id}`, from, on)),
  ];
  return statement<FoundOwner>(dialect, table, () => sql<FoundOwner>`${sql.join(rows, sql` UNION ALL `)}`);
}

export function ownershipRules({ dialect, driver }: Database) {
  const statements = new Map<TableName, Statement<FoundOwner>>();
  return {
    async ownerOf(table: TableName, id: string): Promise<Owner | undefined> {
      if (!isUuid(id)) return undefined;
      const owners = statements.get(table) ?? ownerStatement(dialect, table);
      statements.set(table, owners);
      const rows = await owners.all(driver, { id });
      if (rows.length === 0) return undefined;
      const decoded = (name: keyof FoundOwner, kind: "uuid" | "string") =>
        rows.flatMap((row) => (row[name] === null ? [] : [dialect.decode(kind, row[name]) as string]));
      const [user_id = null] = decoded("its_user", kindOfUser(table));
      return { organization_ids: [...new Set(decoded("its_organization", "uuid"))], user_id };
    },
  };
}

export type OwnershipRules = ReturnType<typeof ownershipRules>;
