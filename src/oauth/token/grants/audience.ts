import { OAuthError } from "../../../errors.ts";
import { evidence } from "../../evidence.ts";
import type { Params } from "../../params.ts";

/**
 * At the token endpoint `resource` may ask for fewer resources than were authorized, never for others (RFC
 * 8707 2.2).
 */
export function narrowAudience(params: Params, authorized: readonly string[]): readonly string[] {
  const asked = [...new Set(params.all("resource"))];
  if (asked.some((uri) => !authorized.includes(uri))) {
    throw new OAuthError("invalid_target", "a resource was not part of the authorization", {
      evidence: evidence("resource", "resource", asked, authorized),
    });
  }
  return asked.length > 0 ? asked : authorized;
}
