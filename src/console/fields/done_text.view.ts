import type { ResourceType } from "../../records/definition/permissions.ts";
import type { ManagementWords } from "../../web/words/en/management.ts";
import type { Done } from "../../web/words/en/records.ts";

/** Returns the message that confirms a completed action; undefined if there was none. */
export function doneText(
  { records, resourceTypes }: Pick<ManagementWords, "records" | "resourceTypes">,
  resourceType: ResourceType,
  done: Done | undefined,
): string | undefined {
  if (done === undefined) return undefined;
  const said = records.done[done];
  return typeof said === "string" ? said : said(resourceTypes[resourceType].one);
}
