/** Whom a provider signs in (docs/decisions/0078), and what becomes of those whom it makes. */
import type { Invitation, Membership, Provider, User } from "../../records/definition.ts";
import { emailKeys } from "../../records/email.ts";
import { hasPassed } from "../../records/liveness.ts";
import { administersBeyond, isOfOrganization, signsIn } from "../../records/provider_reach.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { Transaction } from "../../storage/database.ts";
import type { Verbs } from "../../storage/verbs.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";

type Reads = Pick<Verbs, "list">;
type Owned = Pick<Provider, "organization_id">;

/**
 * Whether the provider signs this user in: an organization's own one its members and those whom it invited,
 * and nobody who administers beyond it.
 */
export async function isWithinReach(
  provider: Owned,
  user: Pick<User, "id" | "email" | "is_platform_admin">,
  reads: Reads,
  now: Date,
): Promise<boolean> {
  if (!isOfOrganization(provider)) return true;
  const memberships = await reads.list("memberships", { user_id: user.id });
  if (signsIn(provider, user, memberships)) return true;
  if (administersBeyond(provider, user, memberships)) return false;
  return (await openInvitations(provider, user.email, reads, now)).length > 0;
}

/** Invitations of an address that wait: to the provider's organization, or to any where it has none. */
export async function openInvitations(
  provider: Owned,
  email: string,
  reads: Reads,
  now: Date,
): Promise<readonly Invitation[]> {
  const { organization_id } = provider;
  const whose = isOfOrganization(provider) ? { organization_id: organization_id as string } : {};
  const found = await Promise.all(
    emailKeys(email).map((email_key) => reads.list("invitations", { email_key, ...whose })),
  );
  return found.flat().filter(({ expires_at }) => !hasPassed(expires_at, now));
}

/**
 * Makes the user a member whom an organization's provider just made. Who has an invitation becomes one by
 * accepting that, with its role.
 */
export async function joinOrganization(
  { organization_id, slug }: Pick<Provider, "organization_id" | "slug">,
  user: User,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
  tx: Transaction,
  context: IdentityContext,
): Promise<void> {
  if (organization_id == null) return;
  if ((await openInvitations({ organization_id }, user.email, tx, at)).length > 0) return;
  const id = context.store.newId(at);
  const membership = { user_id: user.id, organization_id, role: "member" } satisfies Partial<Membership>;
  await tx.insert("memberships", { id, ...membership, created_at: at, updated_at: at });
  await auditOwnAct(
    tx,
    context,
    { user, origin, at },
    {
      type: "membership.created",
      target_table: "memberships",
      target_id: id,
      organization_id,
      details: { after: membership, provider: slug },
    },
  );
}
