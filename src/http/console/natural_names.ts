/**
 * What people call a record when they are asked for one: an e-mail, a short name, a client_id – in the place
 * of its id.
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import { listRecords } from "../../admin/list_records.ts";
import { type Resource, resourceOf } from "../../admin/resources/resources.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/check.ts";
import type { TableName } from "../../records/definition.ts";
import { nameColumnOf } from "../../records/natural_key.ts";
import { resourceTypeOfTable } from "../../records/permissions.ts";

/** The resource of this table, and the field by which people name its records, which a filter finds too. */
function namedIn(table: string): { resource: Resource; field: string } | undefined {
  const resourceType = resourceTypeOfTable[table as TableName];
  const field = resourceType === undefined ? undefined : nameColumnOf(table as TableName);
  return resourceType === undefined || field === undefined
    ? undefined
    : { resource: resourceOf(resourceType), field };
}

/**
 * The id of the record of this name or id. A name of a record that the actor may not see is answered like an
 * unknown name; an id is not looked up.
 */
export async function idMeant(
  admin: AdminContext,
  table: string,
  text: string,
): Promise<{ id: string } | { error: Reason }> {
  if (isUuid(text)) return { id: text };
  const named = namedIn(table);
  if (named === undefined) return { error: reason("not_uuid") };
  const { resource, field } = named;
  const [found] = await orNothing(async () => {
    const page = await listRecords(admin, resource, { [field]: text, limit: "1" });
    return page.data;
  }, []);
  return found === undefined
    ? { error: reason("no_record_of_name", { record: resource.noun, field }) }
    : { id: String(found.id) };
}

/** What cannot be seen is not there. */
async function orNothing<T>(read: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return nothing;
    throw error;
  }
}
