/**
 * What people call a record when they are asked for one: an e-mail, a short name, a client_id – in the place
 * of its id.
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import { getRecord, listRecords } from "../../admin/manage.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/check.ts";
import type { ResourceType } from "../../records/permissions.ts";

interface Way {
  readonly resourceType: ResourceType;
  /** The filter that finds it, which is its field, too. */
  readonly field: string;
  readonly called: string;
}

const ways: Readonly<Record<string, Way>> = {
  users: { resourceType: "users", field: "email", called: "e-mail" },
  organizations: { resourceType: "organizations", field: "slug", called: "slug" },
  oauth_apps: { resourceType: "apps", field: "client_id", called: "client_id" },
  service_accounts: { resourceType: "service_accounts", field: "email", called: "e-mail" },
};

/**
 * The id of the record that is meant, among those that the actor may see: what somebody else's is called is
 * not told from what nothing is called. An id is taken at its word. Else the sentence that says that there is
 * none.
 */
export async function idMeant(
  admin: AdminContext,
  table: string,
  text: string,
): Promise<{ id: string } | { fault: string }> {
  if (isUuid(text)) return { id: text };
  const way = ways[table];
  if (way === undefined) return { fault: "must be a UUID" };
  const { noun } = resourceOf(way.resourceType);
  const [found] = await orNothing(async () => {
    const page = await listRecords(admin, resourceOf(way.resourceType), { [way.field]: text, limit: "1" });
    return page.data;
  }, []);
  return found === undefined
    ? { fault: `there is no ${noun} of this ${way.called} or id` }
    : { id: String(found.id) };
}

/** What people call the record of this id; the id itself where the actor may not see it. */
export async function naturalName(admin: AdminContext, table: string, id: string): Promise<string> {
  const way = ways[table];
  if (way === undefined || !isUuid(id)) return id;
  return orNothing(
    async () => String((await getRecord(admin, resourceOf(way.resourceType), id))[way.field] ?? id),
    id,
  );
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
