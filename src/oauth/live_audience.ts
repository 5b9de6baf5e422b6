/** What is left of an audience: an API may have been switched off, deleted or made anew since. */
import type { ApiResource, Organization } from "../records/definition.ts";
import { organizationAudience } from "../records/organization_audience.ts";
import type { AudienceSource } from "../records/request_data.ts";
import { ownApi } from "./protected_resources.ts";
import type { AuthorizationServer } from "./server.ts";

/** An audience and the APIs in it. */
export interface LiveAudience {
  readonly audience: readonly string[];
  readonly resources: readonly ApiResource[];
}

/** What was authorized, when, and where its audience came from. */
export interface AuthorizedAudience {
  readonly authorized: readonly string[];
  /** Undefined where it has no API in it; also of tokens of before there were records of APIs. */
  readonly source: AudienceSource | undefined;
  readonly created_at: Date;
}

/** Whether a member of an audience is no API: this server, or an organization. */
function isNoResource(
  member: string,
  organizations: readonly (Organization | undefined)[],
  issuer: string,
): boolean {
  return (
    member === issuer ||
    organizations.some((organization) => organization && organizationAudience(organization) === member)
  );
}

/**
 * Of an authorized audience, what may be in a token now: APIs that are active, that were there when it was
 * authorized, and that `isKept`. What is no API stays, and so does what no record is of in an audience from
 * before there were records.
 */
export async function liveAudience(
  { authorized, source, created_at }: AuthorizedAudience,
  organizations: readonly (Organization | undefined)[],
  isKept: (resource: ApiResource) => boolean,
  server: Pick<AuthorizationServer, "store" | "issuer" | "settings">,
): Promise<LiveAudience> {
  const { store, issuer } = server;
  const audience: string[] = [];
  const resources: ApiResource[] = [];
  for (const member of authorized) {
    if (source === undefined && isNoResource(member, organizations, issuer)) {
      audience.push(member);
      continue;
    }
    const found = await store.findResource(member);
    const resource = found?.identifier === member ? found : undefined;
    if (resource === undefined) {
      if (source === undefined || member === issuer) audience.push(member);
      const own = source === "asked" && member === issuer ? ownApi(server) : undefined;
      if (own !== undefined) resources.push(own);
    } else if (resource.active && resource.created_at <= created_at && isKept(resource)) {
      audience.push(member);
      resources.push(resource);
    }
  }
  return { audience, resources };
}
