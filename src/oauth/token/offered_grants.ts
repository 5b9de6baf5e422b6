import type { AuthorizationServer, Grant } from "../server.ts";

/**
 * The grants that this server offers: the specification's, and those beyond it that are switched on (design
 * 6.14).
 */
export function offeredGrants({ grants, settings }: AuthorizationServer): readonly Grant[] {
  return grants.filter(
    ({ extra, grant_type }) => extra !== true || settings.extra_grants?.includes(grant_type),
  );
}
