/** One organization at a glance, for its own administrators: members, invitations, roles, sign-in, activity. */
import type { Invitation, Organization } from "../../records/definition/definition.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { permissionsIn, requirePermission } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { listInvitations } from "../invitations/invitations.ts";
import { listRecords } from "../manage/list_records.ts";
import { resourceOf } from "./resources.ts";

/** Members of the page; their list has the others. */
const mostMembers = 50;
const mostRecords = 50;
const mostEvents = 10;

type SecondFactorKind = "passkey" | "security_key" | "totp";

interface ProfileMember {
  /** Of the membership. */
  readonly id: string;
  readonly role: string;
  /** The names of custom roles. */
  readonly roles: readonly string[];
  readonly name: string;
  readonly email: string;
  readonly last_login_at: Date | null;
  readonly factors: readonly SecondFactorKind[];
}

/** Parts that the actor may not read are absent. */
interface OrganizationProfile {
  readonly organization: Pick<Organization, "id" | "name" | "slug" | "logo_url">;
  readonly may_edit: boolean;
  readonly members?: readonly ProfileMember[];
  readonly invitations?: readonly Pick<Invitation, "email" | "role" | "expires_at">[];
  readonly roles?: readonly PublicView[];
  readonly may_add_roles: boolean;
  readonly providers?: readonly PublicView[];
  readonly may_add_providers: boolean;
  readonly events?: readonly PublicView[];
}

/** Throws 403 `forbidden`, and 404 `not_found` for an organization that the actor may not read. */
export async function organizationProfile(context: AdminContext, id: string): Promise<OrganizationProfile> {
  await requirePermission(context, "organizations:read", "organizations", id);
  const organization = await context.store.find("organizations", { id: id.toLowerCase() });
  if (organization === undefined) throw notFound("organizations", id);
  const held = permissionsIn(await permissionsOfActor(context), organization.id);
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
  const namesOfRoles = new Map((roles?.data ?? []).map(({ id, name }) => [id, String(name)]));
  const members = await Promise.all(
    (memberships?.data ?? []).map((row) => memberOf(context, row, namesOfRoles)),
  );
  return {
    organization,
    may_edit: may("organizations:write"),
    ...(memberships && { members: members.flat() }),
    ...(invited && { invitations: invited.open.map(({ invitation }) => invitation) }),
    ...(roles && { roles: roles.data }),
    may_add_roles: may("roles:write"),
    ...(providers && { providers: providers.data }),
    may_add_providers: may("providers:write"),
    ...(events && { events: events.data }),
  };
}

/** None for an account that was deleted at this moment. */
async function memberOf(
  { store }: AdminContext,
  { id, user_id, role, role_ids }: PublicView,
  namesOfRoles: ReadonlyMap<unknown, string>,
): Promise<ProfileMember[]> {
  const user = await store.findUser(String(user_id));
  if (user === undefined) return [];
  const ids: readonly unknown[] = Array.isArray(role_ids) ? role_ids : [];
  const roles = ids.flatMap((each) => namesOfRoles.get(each) ?? []);
  const { passkeys, security_keys, totp } = await store.secondFactorsOf(user.id);
  const kinds = { passkey: passkeys, security_key: security_keys, totp };
  const factors = (["passkey", "security_key", "totp"] as const).filter((kind) => kinds[kind].length > 0);
  const { name, email, last_login_at } = user;
  return [{ id: String(id), role: String(role), roles, name, email, last_login_at, factors }];
}
