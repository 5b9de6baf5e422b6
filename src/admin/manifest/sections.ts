import type { ManifestRules } from "../manage/manifest_rules.ts";
import type { WritingRules } from "../manage/planned_record.ts";
import type { Resource } from "../manage/resource.ts";
import { resources } from "../resources/resources.ts";

export type Section = Resource & { readonly manifest: ManifestRules };

/** The sections of a manifest in writing order: records refer only to records of earlier sections. */
export const sections: readonly Section[] = resources.filter(
  (resource): resource is Section => resource.manifest !== undefined,
);

export const rulesOfRows: ReadonlyMap<string, WritingRules> = new Map(
  sections.flatMap(({ table, manifest }): [string, WritingRules][] => [
    [table, manifest],
    ...(manifest.members ?? []).flatMap(({ part }): [string, WritingRules][] =>
      part === undefined ? [] : [[part.table, part]],
    ),
  ]),
);
