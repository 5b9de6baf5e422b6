import type { Invitation, Organization } from "../../records/definition/definition.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { SecondFactorKind } from "../../records/names/sign_in_methods.ts";
import { permissionsIn, requirePermission } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { isAbove } from "../access/grantable.ts";
import { seenRows } from "../access/seen_rows.ts";
import { listInvitations } from "../invitations/invitations.ts";
import { listRecords } from "../manage/list_records.ts";
import { memberValues, namedRoles } from "./member_values.ts";
import { resourceOf } from "./resources.ts";

const mostMembers = 50;
const mostRecords = 50;
const mostEvents = 10;

interface ProfileRole {
  readonly id: string;
  readonly name: string;
  /**
   * Number of members who have the role, directly or from a group; may be too low with very many memberships.
   * Absent if the actor may not read memberships.
   */
  readonly holders?: number;
}

interface ProfileMember {
  readonly id: string;
  /** The member's `role`, then the names of custom and app roles assigned directly. */
  readonly roles: readonly string[];
  /** The names of roles that the member has only from groups. */
  readonly group_roles: readonly string[];
  readonly name: string;
  readonly email: string;
  readonly last_login_at: Date | null;
  readonly factors: readonly SecondFactorKind[];
  readonly may_assign: boolean;
}

interface ProfileInvitation extends Pick<Invitation, "email" | "role" | "expires_at"> {
  readonly further_roles: readonly string[];
}

/** A field is absent if the actor may not read its records. */
interface OrganizationProfile {
  readonly organization: Pick<Organization, "id" | "name" | "slug" | "logo_url">;
  readonly may_edit: boolean;
  readonly members?: readonly ProfileMember[];
  readonly invitations?: readonly ProfileInvitation[];
  readonly roles?: readonly ProfileRole[];
  readonly may_write_roles: boolean;
  readonly providers?: readonly PublicView[];
  readonly may_add_providers: boolean;
  readonly events?: readonly PublicView[];
}

/** Returns the overview of an organization. */
export async function organizationProfile(context: AdminContext, id: string): Promise<OrganizationProfile> {
  await requirePermission(context, "organizations:read", "organizations", id);
  const organization = await context.store.find("organizations", { id: id.toLowerCase() });
  if (organization === undefined) throw notFound("organizations", id);
  const actorPermissions = await permissionsOfActor(context);
  const held = permissionsIn(actorPermissions, organization.id);
  const may = (permission: Permission) => held.has(permission);
  const listed = (resourceType: "memberships" | "roles" | "providers" | "audit_events", limit: number) =>
    listRecords(context, resourceOf(resourceType), {
      organization_id: organization.id,
      limit: String(limit),
    });
  const [memberships, roles, providers, events, invited] = await Promise.all([
    may("memberships:read") && may("users:read") ? listed("memberships", mostMembers) : undefined,
    may("roles:read") ? listed("roles", mostRecords) : undefined,
    may("providers:read") ? listed("providers", mostRecords) : undefined,
    may("audit_events:read") ? listed("audit_events", mostEvents) : undefined,
    may("memberships:write") ? listInvitations(context, organization.id) : undefined,
  ]);
  const mayAssign = (role: string) =>
    may("memberships:write") && !isAbove(role, actorPermissions, organization.id);
  const [members, ownRoles] = await Promise.all([
    membersOf(context, memberships?.data ?? [], mayAssign),
    rolesOf(context, organization.id, roles?.data ?? [], may("memberships:read")),
  ]);
  return {
    organization,
    may_edit: may("organizations:write"),
    ...(memberships && { members }),
    ...(invited && {
      invitations: invited.open.map(({ invitation, further_roles }) => ({ ...invitation, further_roles })),
    }),
    ...(roles && { roles: ownRoles }),
    may_write_roles: may("roles:write"),
    ...(providers && { providers: providers.data }),
    may_add_providers: may("providers:write"),
    ...(events && { events: events.data }),
  };
}

async function rolesOf(
  { store }: AdminContext,
  organization_id: string,
  views: readonly PublicView[],
  counts_holders: boolean,
): Promise<ProfileRole[]> {
  const shown = views.map(({ id, name }) => ({ id: String(id), name: String(name) }));
  if (!counts_holders || shown.length === 0) return shown;
  const ids = shown.map(({ id }) => id);
  const holders = await store.holdersOf("role_ids", organization_id, ids);
  return shown.map((role) => ({ ...role, holders: holders.get(role.id)?.members ?? 0 }));
}

async function membersOf(
  context: AdminContext,
  views: readonly PublicView[],
  mayAssign: (role: string) => boolean,
): Promise<ProfileMember[]> {
  const ids = views.map(({ user_id }) => String(user_id));
  const [users, factors, roles] = await Promise.all([
    seenRows(context, "users", ids),
    memberValues.factors.of(context, views),
    namedRoles(context, views),
  ]);
  const known = new Map(users.map((user) => [user.id, user]));
  return views.flatMap(({ id, user_id, role }) => {
    // The user may have been deleted after the memberships were read.
    const user = known.get(String(user_id));
    if (user === undefined) return [];
    const { name, email, last_login_at } = user;
    const { direct = [], through_groups = [] } = roles.get(id) ?? {};
    return [
      {
        id: String(id),
        roles: [String(role), ...direct],
        group_roles: through_groups,
        name,
        email,
        last_login_at,
        factors: factors.get(id) ?? [],
        may_assign: mayAssign(String(role)),
      },
    ];
  });
}
