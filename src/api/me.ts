import { permissionsIn } from "../admin/access/access.ts";
import { type Actor, type AdminContext, permissionsOfActor } from "../admin/access/actor.ts";
import { type Permission, selfPermissions } from "../records/definition/permissions.ts";

/**
 * The response to `GET /api/v1/me`. A user's token without a management scope shows only the user's
 * identifier and what its OpenID scopes add (S-10).
 */
interface CallerView {
  readonly actor: { readonly kind: Actor["kind"]; readonly id: string; readonly name: string };
  /** Scopes of the credential; null for a browser session, which has none. */
  readonly scopes: readonly string[] | null;
  readonly is_platform_admin: boolean;
  /**
   * Permissions for every record if `is_platform_admin` is true; otherwise only for the records of the
   * calling user. `organizations` contains the permissions for records of organizations.
   */
  readonly permissions: readonly Permission[];
  readonly organizations: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: string;
    readonly permissions: readonly Permission[];
  }[];
}

export async function describeCaller(caller: AdminContext): Promise<CallerView> {
  const actorPermissions = await permissionsOfActor(caller);
  const { user_id, allowed } = actorPermissions;
  const { actor } = caller;
  const scopes = "scopes" in actor ? actor.scopes : undefined;
  const manages = actor.kind !== "user" || scopes === undefined || allowed.size > 0;
  const platform = actorPermissions.platform && manages;
  const own = user_id === null ? [] : selfPermissions.filter((permission) => allowed.has(permission));
  const organizations = await Promise.all(
    (manages ? [...actorPermissions.organizations] : []).map(async ([id, { role }]) => {
      const found = await caller.store.find("organizations", { id });
      const permissions = [...permissionsIn(actorPermissions, id)].sort();
      return found && { id, slug: found.slug, name: found.name, role, permissions };
    }),
  );
  const { id, name } = recordOf(actor);
  const isNamed = manages || scopes?.includes("profile");
  return {
    actor: { kind: actor.kind, id, name: isNamed ? name : id },
    scopes: scopes ?? null,
    is_platform_admin: platform,
    permissions: [...(platform ? allowed : own)].sort(),
    organizations: manages ? organizations.filter((found) => found !== undefined) : ofToken(actor),
  };
}

function ofToken(actor: Actor): CallerView["organizations"] {
  if (actor.kind !== "user" || actor.member === undefined) return [];
  const { member, scopes = [] } = actor;
  if (!scopes.includes("organization") || !scopes.includes("roles")) return [];
  const { id, slug, name } = member.organization;
  return [{ id, slug, name, role: member.membership.role, permissions: [] }];
}

function recordOf(actor: Actor): { readonly id: string; readonly name: string } {
  switch (actor.kind) {
    case "system":
      return { id: actor.label, name: actor.label };
    case "user":
      return actor.user;
    case "organization":
      return actor.organization;
    case "service_account":
      return actor.account;
    case "client":
      return actor.app;
    default:
      return actor satisfies never;
  }
}
