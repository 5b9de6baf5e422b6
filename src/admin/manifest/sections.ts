import type { ManifestRules } from "../manage/manifest_rules.ts";
import type { WritingRules } from "../manage/planned_record.ts";
import type { Resource } from "../manage/resource.ts";
import { resources } from "../resources/resources.ts";

export type Section = Resource & { readonly manifest: ManifestRules };

/** The sections in writing order. A record refers only to earlier ones. */
export const sections: readonly Section[] = resources.filter(
  (resource): resource is Section => resource.manifest !== undefined,
);

/** The rules for writing the rows of each table, including rows that are nested within a record. */
export const rulesOfRows: ReadonlyMap<string, WritingRules> = new Map(
  sections.flatMap(({ table, manifest }): [string, WritingRules][] => [
    [table, manifest],
    ...(manifest.members ?? []).flatMap(({ part }): [string, WritingRules][] =>
      part === undefined ? [] : [[part.table, part]],
    ),
  ]),
);
