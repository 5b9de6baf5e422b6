import type { FieldError } from "../../errors/field_errors.ts";
import type { Organization } from "../definition/definition.ts";
import { resourceError } from "./metadata.ts";

/** Returns `settings.audience`, which a platform administrator sets; undefined if it is not set. */
export function givenAudience(settings: Organization["settings"] | undefined): string | undefined {
  const audience = settings?.audience;
  return typeof audience === "string" ? audience : undefined;
}

/**
 * Returns the audience of the tokens that an organization's apps request without the parameter `resource`
 * (docs/decisions/resources-and-scopes.md).
 */
export function organizationAudience({ id, settings }: Pick<Organization, "id" | "settings">): string {
  return givenAudience(settings) ?? `urn:postern:organization:${id}`;
}

/** Returns the errors of `settings.audience`, which must be an absolute URI without a fragment. */
export function audienceErrors(settings: Readonly<Record<string, unknown>>): FieldError[] {
  if (settings.audience === undefined) return [];
  const { audience } = settings;
  const why = resourceError(typeof audience === "string" ? audience : "");
  return why === undefined ? [] : [{ path: "/settings/audience", ...why }];
}
