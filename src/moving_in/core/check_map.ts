import { isUuid } from "../../records/names/ids.ts";
import type { Target } from "./apply_export.ts";
import type { Records } from "./collecting.ts";
import type { ImportMap } from "./moved.ts";
import type { Source } from "./source.ts";

/** The import's map does not fit the source or this server. */
export class WrongMap extends Error {}

/**
 * Returns the ID of the organization that the map names; undefined if it names none, or if the import will
 * create it. Throws `WrongMap` if the map names an unknown organization or user attribute, or has columns
 * that the source does not use.
 */
export async function checkMap(
  target: Pick<Target, "findOrganization" | "userAttributes">,
  source: Source,
  { organizations }: Pick<Records, "organizations">,
  { columns, organization }: ImportMap,
): Promise<string | undefined> {
  const wanted = Object.values(columns);
  if (wanted.length > 0) {
    if (source.columns === undefined)
      throw new WrongMap(`leave out columns: imports from ${source.name} do not use them`);
    const known = [...source.columns, ...(await target.userAttributes())];
    const unknown = wanted.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new WrongMap(
        `columns: ${unknown} is not a user attribute here: define it first, or use one of ${known.join(", ")}`,
      );
  }
  if (organization === undefined) return undefined;
  const id = await target.findOrganization(organization);
  if (id === undefined && isUuid(organization))
    throw new WrongMap(`there is no organization with the ID ${organization}`);
  if (id === undefined && !organizations.some(({ slug }) => slug === organization))
    throw new WrongMap(
      `there is no organization with the slug ${organization}, here or in the files: create it first`,
    );
  return id;
}
