import { credentialPrefix, findSignature, newCredential } from "../../crypto/credentials.ts";
import { detail } from "../../errors/details.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import type { Invitation, Organization } from "../../records/definition/definition.ts";
import type { Role } from "../../records/definition/permissions.ts";
import { checkNew, isUuid } from "../../records/formats/check.ts";
import { emailKey, isEmail, isSameMailbox, trimEmail } from "../../records/names/email.ts";
import { hasPassed } from "../../records/names/liveness.ts";
import { invitationsLock } from "../../records/names/lock_names.ts";
import { type RoleList, roleLists, roles } from "../../records/names/names.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { NamedRole } from "../../storage/people/given_roles.ts";
import { permissionsIn, requirePermission } from "../access/access.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { isText, notFound } from "../access/errors.ts";
import { isAbove } from "../access/grantable.ts";
import { type AdminEvent, logEvent, recordEvent } from "../changes/audit.ts";
import { type Transaction, writeNew } from "../changes/changes.ts";
import { calledOf, isInviterActive, mayInviteAs } from "../changes/inviters.ts";
import { forbidden } from "../guards/rules.ts";
import { rolesMeant } from "../records/given_roles.ts";
import { findUser } from "../records/users.ts";
import { countInvitation } from "./count_invitation.ts";

export const invitationDays = 7;

export const mostOpenInvitations = 100;
const mostOffered = 50;
const hour = 3_600_000;

interface OpenInvitations {
  readonly organization: Organization;
  readonly roles: readonly Role[];
  /**
   * Additional roles that an invitation can give: the first 50 roles and the first 50 app roles, sorted by
   * name.
   */
  readonly further: readonly (NamedRole & { readonly list: RoleList })[];
  readonly open: readonly {
    readonly invitation: Invitation;
    readonly inviter_name: string | undefined;
    readonly further_roles: readonly string[];
  }[];
}

interface InvitationInput {
  readonly email: string;
  readonly role: string;
  readonly role_ids?: unknown;
  readonly app_role_ids?: unknown;
}

export type InvitationError =
  | "email"
  | "member"
  | "role"
  /**
   * The invitation would give a role above the actor's own role, or permissions that the actor does not have.
   */
  | "role_above"
  /** An open invitation to this email address offers a role above the actor's own role. */
  | "invited_above"
  /** An open invitation goes to a different mailbox whose address looks the same. */
  | "look_alike"
  | "too_many_open"
  | "throttled"
  | "inactive";

export type InvitationOutcome =
  | {
      readonly type: "invited";
      readonly invitation: Invitation;
      readonly organization: Organization;
      readonly token: string;
    }
  /**
   * `retry_after` is the number of seconds until the limit allows another invitation. `fields` are errors of
   * the additional roles.
   */
  | {
      readonly type: "refused";
      readonly error: InvitationError;
      readonly retry_after?: number;
      readonly fields?: readonly FieldError[];
    };

async function organizationToJoin(context: AdminContext, id: string): Promise<Organization> {
  await requirePermission(context, "memberships:write", "organizations", id);
  const organization = await context.store.find("organizations", { id: id.toLowerCase() });
  if (organization === undefined) throw notFound("organizations", id);
  return organization;
}

/** Returns the organization's open invitations and the roles that the actor may offer. */
export async function listInvitations(
  context: AdminContext,
  organization_id: string,
): Promise<OpenInvitations> {
  const { store, now } = context;
  const organization = await organizationToJoin(context, organization_id);
  const actorPermissions = await permissionsOfActor(context);
  const where = { organization_id: organization.id };
  const rows = await store.list("invitations", where, { descending: true, limit: mostOpenInvitations });
  const open = rows.filter(({ expires_at }) => !hasPassed(expires_at, now()));
  const names = new Map<string, string | undefined>();
  for (const { invited_by } of open) {
    if (!names.has(invited_by)) names.set(invited_by, (await store.findUser(invited_by))?.name);
  }
  const offered = await Promise.all(
    roleLists.map(async (list) => {
      const found = await store.assignableRoles(list, organization.id, mostOffered);
      return found.map((role) => ({ ...role, list }));
    }),
  );
  const called = await calledOf(store, open);
  return {
    organization,
    further: offered.flat(),
    roles: roles.filter((role) => mayInviteAs(actorPermissions, organization.id, role)),
    open: open.map((invitation) => ({
      invitation,
      inviter_name: names.get(invitation.invited_by),
      further_roles: called(invitation),
    })),
  };
}

/**
 * Invites an email address to an organization, and replaces an earlier invitation to the same address. The
 * outcome does not reveal whether the address has an account, unless it belongs to a member whom the actor
 * can see.
 */
export async function inviteMember(
  context: AdminContext,
  organization_id: string,
  input: InvitationInput,
): Promise<InvitationOutcome> {
  const { store, actor } = context;
  const organization = await organizationToJoin(context, organization_id);
  if (actor.kind !== "user") throw forbidden(detail("person_invites"));
  const actorPermissions = await permissionsOfActor(context);
  const email = trimEmail(input.email);
  const error = await errorOf(context, actorPermissions, organization, { ...input, email });
  if (error !== undefined) return { type: "refused", error };
  const further = await furtherRoles(store, organization, input);
  if (further.errors.length > 0) return { type: "refused", error: "role", fields: further.errors };
  const now = context.now();
  const token = newCredential(credentialPrefix.one_time, now);
  const token_signature = findSignature(credentialPrefix.one_time, token);
  if (token_signature === undefined)
    throw new TypeError("an invitation's token has the shape of a credential");
  const invitation: Invitation = {
    id: store.newId(now),
    organization_id: organization.id,
    email,
    role: input.role,
    ...further.lists,
    invited_by: actor.user.id,
    token_signature,
    expires_at: new Date(now.getTime() + invitationDays * 24 * hour),
    created_at: now,
    email_key: emailKey(email),
    mailed: context.onInvitation !== undefined,
  };
  const known = await olderOrError(store, actorPermissions, invitation);
  if (typeof known === "string") return { type: "refused", error: known };
  const counted = { inviter_id: actor.user.id, organization_id: organization.id, email };
  const retry_after = await countInvitation(context, counted);
  if (retry_after !== undefined) {
    context.onMailRefused?.("invitation");
    return { type: "refused", error: "throttled", retry_after };
  }
  const written = await store.transaction((tx) =>
    replaceInvitation(tx, context, actorPermissions, invitation),
  );
  if (typeof written === "string") return { type: "refused", error: written };
  logEvent(context, written);
  const further_roles = (await calledOf(store, [invitation]))(invitation);
  context.onInvitation?.({ invitation, organization, inviter: actor.user, token, further_roles });
  return { type: "invited", invitation, organization, token };
}

async function furtherRoles(
  reads: Pick<Verbs, "find">,
  { id: organization_id }: Organization,
  { role_ids = [], app_role_ids = [] }: InvitationInput,
): Promise<{ readonly errors: readonly FieldError[]; readonly lists: Pick<Invitation, RoleList> }> {
  const { input, errors } = await rolesMeant(reads, { role_ids, app_role_ids }, { organization_id });
  const { errors: all, record } = checkNew("invitations", input, {});
  const ofLists = all.filter(({ path }) => roleLists.some((list) => path.startsWith(`/${list}`)));
  const { role_ids: ids = [], app_role_ids: app_ids = [] } = record;
  return { errors: [...errors, ...ofLists], lists: { role_ids: ids, app_role_ids: app_ids } };
}

async function errorOf(
  context: AdminContext,
  actorPermissions: EffectivePermissions,
  { id, active }: Organization,
  { email, role }: InvitationInput,
): Promise<InvitationError | undefined> {
  if (!active) return "inactive";
  if (!isText(email) || !isEmail(email)) return "email";
  if (!roles.some((each) => each === role)) return "role";
  if (!mayInviteAs(actorPermissions, id, role)) return "role_above";
  if (!permissionsIn(actorPermissions, id).has("users:read")) return undefined;
  const user = await findUser(context, email);
  if (user === undefined) return undefined;
  const membership = await context.store.find("memberships", { user_id: user.id, organization_id: id });
  return membership === undefined ? undefined : "member";
}

async function replaceInvitation(
  tx: Transaction,
  context: AdminContext,
  actorPermissions: EffectivePermissions,
  invitation: Invitation,
): Promise<AdminEvent | InvitationError> {
  await tx.lock(invitationsLock(invitation.organization_id));
  const found = await olderOrError(tx, actorPermissions, invitation);
  if (typeof found === "string") return found;
  if (found.older !== undefined) await tx.remove("invitations", { id: found.older.id });
  return (await writeNew(tx, context, "invitations", invitation)).event;
}

async function olderOrError(
  reads: Pick<Verbs, "find" | "list">,
  actorPermissions: EffectivePermissions,
  invitation: Invitation,
): Promise<InvitationError | { readonly older: Invitation | undefined }> {
  const { organization_id, email_key, created_at } = invitation;
  const rows = await reads.list("invitations", { organization_id });
  const older = rows.find((row) => row.email_key === email_key);
  // The actor may have lost the permission to invite after the first check.
  if (!(await isInviterActive(reads, invitation))) return "role_above";
  const isOpen = older !== undefined && !hasPassed(older.expires_at, created_at);
  if (isOpen && isAbove(older.role, actorPermissions, organization_id)) return "invited_above";
  if (isOpen && !isSameMailbox(older.email, invitation.email)) return "look_alike";
  const open = rows.filter((row) => row !== older && !hasPassed(row.expires_at, created_at));
  return open.length >= mostOpenInvitations ? "too_many_open" : { older };
}

/** Deletes an open invitation, so that its link stops working. */
export async function withdrawInvitation(
  context: AdminContext,
  organization_id: string,
  id: string,
): Promise<void> {
  const organization = await organizationToJoin(context, organization_id);
  const actorPermissions = await permissionsOfActor(context);
  if (!isUuid(id)) throw notFound("invitations", id);
  const where = { id: id.toLowerCase(), organization_id: organization.id };
  const event = await context.store.transaction(async (tx): Promise<AdminEvent> => {
    await tx.lock(invitationsLock(organization.id));
    const invitation = await tx.find("invitations", where);
    if (invitation === undefined) throw notFound("invitations", id);
    const { email, role } = invitation;
    if (isAbove(role, actorPermissions, organization.id)) {
      throw forbidden(detail("invitation_above", { role }));
    }
    await tx.remove("invitations", where);
    const withdrawn: AdminEvent = {
      type: "invitation.withdrawn",
      target_table: "invitations",
      target_id: where.id,
      organization_id: organization.id,
      details: { email, role },
    };
    await recordEvent(context, withdrawn, tx);
    return withdrawn;
  });
  logEvent(context, event);
}
