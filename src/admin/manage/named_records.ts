import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { findNamed, nameColumnOf } from "../../records/definition/natural_key.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { Where } from "../../storage/database/verbs.ts";
import { requirePermission, requireScope } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { isText, notFound } from "../access/errors.ts";
import { representation } from "./manage.ts";
import type { Resource } from "./resource.ts";

export function lookUpColumn({ table }: Pick<Resource, "table">): string | undefined {
  return nameColumnOf(table);
}

const longestQuoted = 100;

/**
 * Returns the record with this natural key, such as an email address. Throws 403 `forbidden`, and 404
 * `not_found` if it does not exist or the actor may not read it.
 */
export async function getNamedRecord(
  context: AdminContext,
  resource: Resource,
  name: string,
): Promise<PublicView> {
  const { table, resourceType } = resource;
  const column = lookUpColumn(resource);
  if (column === undefined) throw new TypeError(`${resourceType} have no name`);
  const permission = `${resourceType}:read` as const;
  requireScope(await permissionsOfActor(context), permission);
  const find = (where: object) => context.store.find(table, where as Where<TableName>);
  const isKey = fieldsOf(table)[column]?.kind === "long" ? /^\d{1,15}$/.test(name) : isText(name);
  const row = isKey ? await findNamed(column, name, find) : undefined;
  const quoted = name.toWellFormed().slice(0, longestQuoted);
  await requirePermission(context, permission, table, row?.id ?? "", { name: quoted });
  if (row === undefined) throw notFound(table, quoted);
  return representation(resource, row, await permissionsOfActor(context));
}
