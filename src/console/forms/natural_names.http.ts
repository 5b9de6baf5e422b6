/**
 * Lets users name a record by its name, email address, slug or client_id instead of its ID. Finds only
 * records that lists show to the actor (H-50).
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import { listRecords } from "../../admin/manage/list_records.ts";
import { getRecord } from "../../admin/manage/manage.ts";
import { type Resource, resourceOf } from "../../admin/resources/resources.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { nameColumnOf, nameForm, nameWithinOwnerOf } from "../../records/definition/natural_key.ts";
import { resourceTypeOfTable } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { presentations } from "../presentations/presentations.http.ts";

interface Candidate {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

interface Candidates {
  readonly found: readonly Candidate[];
  readonly more: boolean;
}

function namedIn(table: string): { resource: Resource; field: string } | undefined {
  const resourceType = resourceTypeOfTable[table as TableName];
  const field =
    resourceType === undefined
      ? undefined
      : (nameColumnOf(table as TableName) ?? nameWithinOwnerOf(table as TableName));
  return resourceType === undefined || field === undefined
    ? undefined
    : { resource: resourceOf(resourceType), field };
}

/** The URL path of suggestions; a resource type follows, such as `/users`. */
export const suggestionsPath = "/console/suggestions";

/** Returns the URL path of suggestions for records of this table; undefined if there are none. */
export function suggestionsFor(table: string): string | undefined {
  const { resource } = namedIn(table) ?? {};
  return resource && `${suggestionsPath}/${resource.resourceType}`;
}

async function listed(
  admin: AdminContext,
  resource: Resource,
  query: Readonly<Record<string, string>>,
): Promise<Candidates> {
  const page = await orNothing(() => listRecords(admin, resource, query));
  if (page === undefined) return { found: [], more: false };
  return {
    found: page.data.map((view) => candidateOf(resource, view)),
    more: page.next_cursor !== null,
  };
}

function candidateOf({ resourceType, table }: Resource, view: PublicView): Candidate {
  const field = nameColumnOf(table) ?? nameWithinOwnerOf(table) ?? "id";
  const [name = field] = presentations[resourceType].named_by;
  return { id: String(view.id), key: String(view[field]), name: String(view[name]) };
}

/** Returns at most `limit` records that match the text, exact matches first. */
export async function candidatesFor(
  admin: AdminContext,
  table: string,
  text: string,
  limit: number,
): Promise<Candidates> {
  const named = namedIn(table);
  if (named === undefined) return { found: [], more: false };
  const { resource, field } = named;
  if (text === "") return listed(admin, resource, { limit: String(limit) });
  const ofId = isUuid(text) ? await orNothing(() => getRecord(admin, resource, text)) : undefined;
  if (ofId !== undefined) return { found: [candidateOf(resource, ofId)], more: false };
  const [exact, similar] = await Promise.all([
    listed(admin, resource, { [field]: text }),
    listed(admin, resource, { q: text, limit: String(limit) }),
  ]);
  const others = similar.found.filter(({ id }) => !exact.found.some((each) => each.id === id));
  const found = [...exact.found, ...others];
  return { found: found.slice(0, limit), more: similar.more || found.length > limit };
}

const mostCompared = 50;

const mostNamed = 5;

/**
 * Compares at most 1,024 characters; no name is longer, and normalizing many combining marks takes quadratic
 * time.
 */
const asCompared = (text: string) => text.slice(0, 1024).normalize("NFKC").trim().toLowerCase();

/**
 * Returns the ID of the record that the user means by an ID, a natural key or a unique name. A UUID counts as
 * an ID, even if another record was renamed to it. Only for apps is the text tried as a client_id first,
 * because a client_id cannot change and may be a UUID. Keys and names of records that the actor may not see
 * are not found.
 */
export async function idMeant(
  admin: AdminContext,
  table: string,
  text: string,
): Promise<{ id: string } | { error: Reason }> {
  // Which role a name means depends on the organization, so `admin/records/given_roles.ts` resolves it when
  // the record is written.
  if (table === "roles" || table === "app_roles") return { id: text };
  const named = namedIn(table);
  if (named === undefined) return isUuid(text) ? { id: text } : { error: reason("not_uuid") };
  const { resource, field } = named;
  const { noun: record } = resource;
  if (isUuid(text) && fieldsOf(resource.table)[field]?.immutable !== true) return { id: text };
  const alike = (await listed(admin, resource, { [field]: text })).found;
  const exact = alike.filter(({ key }) => nameForm(field, key) === nameForm(field, text));
  const [first, ...namesakes] = exact;
  if (namesakes.length > 0) {
    const names = exact.slice(0, mostNamed).map(({ id }) => id);
    return { error: reason("several_of_name", { record, field: "id", names }) };
  }
  if (first !== undefined) return { id: first.id };
  if (isUuid(text)) return { id: text };
  const { found: similar, more } = await listed(admin, resource, { q: text, limit: String(mostCompared) });
  const found = [...alike, ...similar.filter(({ id }) => !alike.some((each) => each.id === id))];
  const called = found.filter(({ name }) => asCompared(name) === asCompared(text));
  const [only] = called;
  // If there are more records than were compared, another one may have the same name.
  if (only !== undefined && called.length === 1 && !more) return { id: only.id };
  const names = (called.length === 0 ? found : called)
    .slice(0, mostNamed)
    .map(({ key, name }) => (called.length > 0 || name === key ? key : `${name} (${key})`));
  if (called.length > 0) return { error: reason("several_of_name", { record, field, names }) };
  if (names.length > 0) return { error: reason("no_record_but", { record, field, names }) };
  return { error: reason("no_record_of_name", { record, field }) };
}

/** Returns the natural key of the record with this ID, or the ID if the key does not lead to the record. */
export async function nameOrId(admin: AdminContext, table: string, id: string): Promise<string> {
  const [found] = (await candidatesFor(admin, table, id, 1)).found;
  if (found === undefined) return id;
  const meant = await idMeant(admin, table, found.key);
  return "id" in meant && meant.id === found.id ? found.key : id;
}

async function orNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
}
