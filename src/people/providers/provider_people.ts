/**
 * The users that a provider may sign in (docs/decisions/providers.md), and the rules for the users that it
 * creates.
 */
import type { Invitation, Provider, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { isOfDomain } from "../../records/formats/sign_up.ts";
import { administersBeyond, isOfOrganization, signsIn } from "../../records/rules/provider_reach.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { findOpenInvitation, type IsInviterActive, isInvited } from "../core/is_invited.ts";
import { insertOwnMembership, joinAsInvited } from "../core/join_organization.ts";
import type { ReturnedAccount } from "../core/proofs/provider_account.ts";

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

/** The provider's record decides who may sign up (EP-10). */
export async function maySignUp(
  email: string,
  { sign_up, email_domains, organization_id }: Provider,
  reads: Reads,
  now: Date,
): Promise<boolean> {
  switch (sign_up) {
    case "anyone":
      return true;
    case "domains":
      return isOfDomain(email, email_domains);
    case "invited":
      return isInvited(email, organization_id, reads, now);
    default:
      return false;
  }
}

/** What a new account of an organization's provider becomes in the organization. */
export type Joining =
  | { readonly type: "member" }
  | { readonly type: "as_invited"; readonly invitation: Invitation }
  /** The user joins later, by the link in the invitation email. */
  | { readonly type: "by_link" };

/**
 * Returns how the user of this account joins the provider's organization; undefined without one. An open
 * invitation is accepted with the account only if the address is proved as well as by its link (P-1).
 */
export async function joiningOf(
  { organization_id }: Owned,
  account: Pick<ReturnedAccount, "proved_email" | "verdict"> & { readonly email: string },
  isInviterActive: IsInviterActive,
  reads: Reads,
  now: Date,
): Promise<Joining | undefined> {
  if (organization_id == null) return undefined;
  const { email, proved_email, verdict } = account;
  const invitation = await findOpenInvitation(email, organization_id, reads, now);
  if (invitation === undefined) return { type: "member" };
  // An address that is only *verified* may have belonged to the user once (EP-8).
  const isProved = proved_email !== undefined || verdict === "authoritative";
  const isAccepted = isProved && (await isInviterActive(reads, invitation));
  return isAccepted ? { type: "as_invited", invitation } : { type: "by_link" };
}

/**
 * Removes the invitation that the new account accepts. Returns false if another request has just removed it,
 * which only the row can tell: `provideAttributes` later takes locks below `invitationsLock`.
 */
export async function consumeInvitation(joining: Joining | undefined, tx: Transaction): Promise<boolean> {
  if (joining?.type !== "as_invited") return true;
  return (await tx.remove("invitations", { id: joining.invitation.id })) === 1;
}

/** Adds a user who was just created through an organization's provider to the organization. */
export async function joinOrganization(
  { organization_id, slug }: Pick<Provider, "organization_id" | "slug">,
  joining: Joining | undefined,
  act: { readonly user: User; readonly origin: RequestOrigin; readonly at: Date },
  tx: Transaction,
  context: IdentityContext,
): Promise<void> {
  if (joining?.type === "as_invited") await joinAsInvited(joining.invitation, act, tx, context);
  if (joining?.type !== "member" || organization_id == null) return;
  await insertOwnMembership({ organization_id, role: "member" }, act, { provider: slug }, tx, context);
}
