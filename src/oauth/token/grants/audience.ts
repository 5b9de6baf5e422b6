import type { Params } from "../../params.ts";
import { refuse } from "../../refusals/refuse.ts";

/**
 * At the token endpoint `resource` may ask for fewer resources than were authorized, never for others (RFC
 * 8707 2.2).
 */
export function narrowAudience(params: Params, authorized: readonly string[]): readonly string[] {
  const asked = [...new Set(params.all("resource"))];
  if (asked.some((uri) => !authorized.includes(uri))) {
    throw refuse("resource_beyond_grant", { requested: asked, allowed: authorized });
  }
  return asked.length > 0 ? asked : authorized;
}
