/**
 * The users that a provider may sign in (docs/decisions/providers.md), and the rules for the users that it
 * creates.
 */
import type { Membership, Provider, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { administersBeyond, isOfOrganization, signsIn } from "../../records/rules/provider_reach.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { auditOwnAct } from "../core/audit_own_act.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { isInvited } from "../core/is_invited.ts";

type Reads = Pick<Verbs, "find" | "list">;
type Owned = Pick<Provider, "organization_id">;

/**
 * Returns whether the provider may sign this user in. An organization's provider never signs in users who
 * administer anything outside the organization (`administersBeyond`).
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
  return isInvited(user.email, provider.organization_id, reads, now);
}

/**
 * Adds a user who was just created through an organization's provider to the organization. An invited user
 * joins by accepting the invitation instead, with the invited role.
 */
export async function joinOrganization(
  { organization_id, slug }: Pick<Provider, "organization_id" | "slug">,
  user: User,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
  tx: Transaction,
  context: IdentityContext,
): Promise<void> {
  if (organization_id == null) return;
  if (await isInvited(user.email, organization_id, tx, at)) return;
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
