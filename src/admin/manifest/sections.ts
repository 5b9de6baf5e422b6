import type { ManifestRules } from "../manage/manifest_rules.ts";
import type { Resource } from "../manage/resource.ts";
import { resources } from "../resources/resources.ts";

export type Section = Resource & { readonly manifest: ManifestRules };

/** The sections in writing order. A record refers only to earlier ones. */
export const sections: readonly Section[] = resources.filter(
  (resource): resource is Section => resource.manifest !== undefined,
);
