import type { ResourceType } from "../../records/definition/permissions.ts";
import type { ManagementWords } from "../../web/words/en/management.ts";
import type { Done } from "../../web/words/en/records.ts";

/**
 * Returns the confirmation of a completed action on a record, with the kind of record if the sentence names
 * it. Undefined if no action was completed.
 */
export function doneText(
  { records, resourceTypes }: Pick<ManagementWords, "records" | "resourceTypes">,
  resourceType: ResourceType,
  done: Done | undefined,
): string | undefined {
  if (done === undefined) return undefined;
  const said = records.done[done];
  return typeof said === "string" ? said : said(resourceTypes[resourceType].one);
}
