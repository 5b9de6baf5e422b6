import type { Organization } from "./definition.ts";

/** `settings.audience`, which a platform administrator sets; undefined when it is not given. */
export function givenAudience(settings: Organization["settings"] | undefined): string | undefined {
  const audience = settings?.audience;
  return typeof audience === "string" ? audience : undefined;
}

/**
 * Whom tokens of an organization's apps are for where they name no resource: an absolute URI (RFC 8707 2),
 * the same for as long as the organization lives (docs/decisions/0024).
 */
export function organizationAudience({ id, settings }: Pick<Organization, "id" | "settings">): string {
  return givenAudience(settings) ?? `urn:postern:organization:${id}`;
}
