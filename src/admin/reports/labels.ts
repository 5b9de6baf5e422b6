import { Problem } from "../../errors.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { nameColumnOf } from "../../records/definition/natural_key.ts";
import { resourceTypeOfTable } from "../../records/definition/permissions.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import type { RoleList } from "../../records/names/names.ts";
import type { NamedTable, Names } from "../../storage/listing/named.ts";
import type { NamedRole } from "../../storage/people/given_roles.ts";
import { visibility } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";

export interface Reference {
  readonly table: string;
  readonly id: string;
  /** The column that `id` refers to, if it is not the referenced record's `id`. */
  readonly by?: "client_id" | undefined;
  /** Used if the referenced record was deleted or the actor may not read it. */
  readonly stated?: string | undefined;
}

/** Undefined if the record was deleted, has no name or the actor may not read it. */
export type Labels = (reference: Reference) => Names | undefined;

const named = Object.keys(resourceTypeOfTable).filter(
  (table): table is NamedTable =>
    nameColumnOf(table as TableName) !== undefined && "name" in fieldsOf(table as TableName),
);

/** Returns whether the records of this table have names. */
export function hasNames(table: string): boolean {
  return (named as readonly string[]).includes(table) || Object.hasOwn(roleTables, table);
}

const roleTables: Readonly<Record<string, RoleList>> = { roles: "role_ids", app_roles: "app_role_ids" };

/**
 * Roles of the server are visible to every actor who may read roles, because every organization can assign
 * them.
 */
async function rolesSeen(
  context: AdminContext,
  table: TableName,
  list: RoleList,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Names>> {
  const seen = await lookedUp(context, table, ids, async (visible) => {
    const isSeen = ({ organization_id: id }: NamedRole) =>
      visible === undefined || id === null || visible.organization_ids.includes(id);
    return (await context.store.rolesById(list, ids)).filter(isSeen);
  });
  return new Map((seen ?? []).map(({ id, name, called }) => [id, { id, name, unique_name: called }]));
}

export async function labelsOf(context: AdminContext, references: readonly Reference[]): Promise<Labels> {
  const idsIn = (table: string) =>
    references.flatMap(({ by, ...of }) => (of.table === table && by === undefined ? [of.id] : []));
  const client_ids = references.flatMap(({ id, by }) => (by === "client_id" ? [id] : []));
  const clients = await lookedUp(context, "oauth_apps", client_ids, (visible) =>
    context.store.namesOfClients(client_ids, visible),
  );
  const found = new Map<string, ReadonlyMap<string, Names>>(
    await Promise.all([
      ...named.map(async (table) => [table, await namesSeen(context, table, idsIn(table))] as const),
      ...Object.entries(roleTables).map(
        async ([table, list]) =>
          [table, await rolesSeen(context, table as TableName, list, idsIn(table))] as const,
      ),
    ]),
  );
  return ({ table, id, by }) =>
    by === "client_id" ? clients?.get(id) : found.get(table)?.get(id.toLowerCase());
}

async function namesSeen(
  context: AdminContext,
  table: NamedTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Names>> {
  const seen = await lookedUp(context, table, ids, (visible) => context.store.namesOf(table, ids, visible));
  return seen ?? new Map();
}

/** Returns referenced records of tables without names, by table, as far as the actor may read them. */
export async function unnamedSeen(
  context: AdminContext,
  references: readonly Reference[],
  tables: readonly TableName[],
): Promise<readonly (readonly [TableName, readonly PublicView[]])[]> {
  return Promise.all(
    tables
      .filter((table) => !hasNames(table))
      .map(async (table) => {
        const ids = references.flatMap((reference) => (reference.table === table ? [reference.id] : []));
        const rows = await lookedUp(context, table, ids, (visible) =>
          context.store.rowsSeen(table, ids, visible),
        );
        return [table, (rows ?? []).map((row) => publicView(table, row))] as const;
      }),
  );
}

async function lookedUp<T>(
  context: AdminContext,
  table: TableName,
  ids: readonly string[],
  find: (visible: Awaited<ReturnType<typeof visibility>>) => Promise<T>,
): Promise<T | undefined> {
  const resourceType = resourceTypeOfTable[table];
  if (ids.length === 0 || resourceType === undefined) return undefined;
  try {
    return await find(await visibility(context, resourceType));
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return undefined;
    throw error;
  }
}
