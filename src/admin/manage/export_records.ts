/**
 * Exports a list as a file. The list is read page by page, and each page checks the actor's permission again.
 */
import { belongsToOrganizations } from "../../records/definition/ownership.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { stillReading } from "../access/still_reading.ts";
import { logEvent, recordEvent } from "../changes/audit.ts";
import { listRecords } from "./list_records.ts";
import type { Resource } from "./resource.ts";

export const mostExported = 100_000;

const atOnce = 200;

/** `csv` (RFC 4180), or `jsonl` with one JSON value on each line. */
export const exportFormats = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Returns the records that match `query` (parameters as in `listRecords`) page by page, at most
 * `mostExported` in total. Throws the errors of `listRecords`, also for later pages.
 */
export async function exportRecords(
  context: AdminContext,
  resource: Resource,
  query: Readonly<Record<string, string>>,
  format: ExportFormat,
  scope: { readonly within?: string | undefined } = {},
): Promise<AsyncIterable<readonly PublicView[]>> {
  const limit = String(atOnce);
  const first = await listRecords(context, resource, { ...query, limit }, scope);
  const within = belongsToOrganizations(resource.table) ? scope.within : undefined;
  const organization_id = await organizationOf(context, query.organization_id ?? within);
  const event = {
    type: "records_exported",
    target_table: resource.table,
    ...(organization_id !== undefined && { organization_id }),
    details: { format, query: withoutValue(query) },
  } as const;
  await recordEvent(context, event);
  logEvent(context, event);
  return (async function* () {
    let page = first;
    let left = mostExported;
    while (true) {
      yield page.data.slice(0, left);
      left -= page.data.length;
      if (page.next_cursor === null || left <= 0) return;
      const { next_cursor: cursor } = page;
      const later = await stillReading(context, resource.resourceType);
      page = await listRecords(later, resource, { ...query, limit, cursor }, scope);
    }
  })();
}

/**
 * Leaves out the value of a filter by attribute, because the audit trail must not contain values of
 * attributes (OC-7).
 */
function withoutValue(query: Readonly<Record<string, string>>): Record<string, string> {
  const { attribute, ...others } = query;
  return { ...others, ...(attribute !== undefined && { attribute: attribute.split(":", 1)[0] ?? "" }) };
}

async function organizationOf(context: AdminContext, named: string | undefined): Promise<string | undefined> {
  const id = named?.toLowerCase();
  const { platform, organizations } = await permissionsOfActor(context);
  return id !== undefined && (platform || organizations.has(id)) ? id : undefined;
}
