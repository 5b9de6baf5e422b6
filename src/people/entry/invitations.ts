/**
 * Accepts invitations to an organization (docs/decisions/registration-and-invitations.md). Only the signature
 * of a link is stored.
 */

import { credentialPrefix, findSignature } from "../../crypto/credentials.ts";
import { orTaken } from "../../errors/violations.ts";
import type { Invitation, Organization, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { newUser } from "../../records/formats/new_user.ts";
import { isSameMailbox } from "../../records/names/email.ts";
import { isActive, stateOfInvitation } from "../../records/names/liveness.ts";
import { invitationsLock } from "../../records/names/lock_names.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import {
  type CredentialError,
  type FirstCredential,
  type MadeCredential,
  proveCredential,
  weaknessOf,
} from "../authenticators/passkeys/first_credential.ts";
import { auditOwnAct } from "../core/audit_own_act.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { findAccount } from "../core/find_account.ts";
import type { IsInviterActive } from "../core/is_invited.ts";
import { joinAsInvited } from "../core/join_organization.ts";

type Reads = Pick<Verbs, "find" | "list">;

interface ActiveInvitation {
  readonly invitation: Invitation;
  readonly organization: Organization;
  readonly inviter: User;
  readonly account: User | undefined;
  readonly is_taken: boolean;
}

type NewAccountError = "name" | CredentialError;

export interface Joined {
  readonly type: "joined";
  readonly user: User;
  readonly organization: Organization;
  readonly invitation: Invitation;
  readonly was_member: boolean;
}

interface DeadLink {
  readonly type: "dead_link";
}

export type AcceptOutcome = Joined | DeadLink;

type NewUserOutcome =
  | (Joined & { readonly credential: MadeCredential })
  | DeadLink
  | { readonly type: "account_exists" }
  | { readonly type: "refused"; readonly errors: readonly NewAccountError[] };

/** Returns the invitation of a link, without consuming it, so that mail scanners do no harm. */
export async function findInvitation(
  token: string,
  isInviterActive: IsInviterActive,
  { store, now }: IdentityContext,
): Promise<ActiveInvitation | undefined> {
  return readInvitation(store, token, isInviterActive, now());
}

async function readInvitation(
  reads: Reads,
  token: string,
  isInviterActive: IsInviterActive,
  at: Date,
): Promise<ActiveInvitation | undefined> {
  const token_signature = findSignature(credentialPrefix.one_time, token);
  if (token_signature === undefined) return undefined;
  const invitation = await reads.find("invitations", { token_signature });
  if (invitation === undefined) return undefined;
  const organization = await reads.find("organizations", { id: invitation.organization_id });
  const inviter = await reads.find("users", { id: invitation.invited_by });
  if (organization === undefined || inviter === undefined) return undefined;
  if (stateOfInvitation(invitation, organization, at) !== "active") return undefined;
  if (!(await isInviterActive(reads, invitation))) return undefined;
  const found = await findAccount(reads, invitation.email);
  const account = found && isSameMailbox(found.email, invitation.email) ? found : undefined;
  return {
    invitation,
    organization,
    inviter,
    account,
    is_taken: found !== undefined && account === undefined,
  };
}

interface Acceptance {
  readonly token: string;
  readonly origin: RequestOrigin;
}

/**
 * Makes the signed-in user a member; returns `someone_else` if the invitation is for another email address.
 */
export async function acceptInvitation(
  { token, user, origin }: Acceptance & { readonly user: User },
  isInviterActive: IsInviterActive,
  context: IdentityContext,
): Promise<AcceptOutcome | { readonly type: "someone_else" }> {
  return redeemInvitation(token, isInviterActive, context, async (tx, found, at) => {
    const { account } = found;
    if (account?.id !== user.id || !isActive(account)) return { type: "someone_else" };
    return join(tx, found, account, origin, at, context);
  });
}

/**
 * Creates the account and the membership, or neither. The link stays valid after a rejected name or
 * credential. Throws an `OverloadedError` if too many hashes are waiting.
 */
export async function acceptAsNewUser(
  input: Acceptance & { readonly name: string } & FirstCredential,
  isInviterActive: IsInviterActive,
  context: IdentityContext,
): Promise<NewUserOutcome> {
  const { store } = context;
  const { token, name, origin } = input;
  const seen = await findInvitation(token, isInviterActive, context);
  if (seen === undefined) return { type: "dead_link" };
  if (seen.account !== undefined || seen.is_taken) return { type: "account_exists" };
  const { email, mailed } = seen.invitation;
  const made_at = context.now();
  const columns = {
    id: store.newId(made_at),
    at: made_at,
    last_login_at: made_at,
    email_verified_at: mailed ? made_at : null,
  };
  const checked = newUser({ name: name.trim(), email }, columns);
  const weakness = weaknessOf(input, context);
  const errors: NewAccountError[] = [
    ...(checked.errors.some(({ path }) => path === "/name") ? (["name"] as const) : []),
    ...(weakness === undefined ? [] : [weakness]),
  ];
  if (errors.length > 0) return { type: "refused", errors };
  // The rules for email addresses may have changed since the invitation.
  if (checked.errors.length > 0) return { type: "dead_link" };
  const credential = await proveCredential(input, token, context);
  if (typeof credential === "string") return { type: "refused", errors: [credential] };

  return redeemInvitation<NewUserOutcome>(token, isInviterActive, context, async (tx, found, at) => {
    if (found.account !== undefined || found.is_taken) return { type: "account_exists" };
    if (await credential.isTaken(tx)) return { type: "refused", errors: ["passkey_taken"] };
    await tx.insert("users", { ...checked.record, ...credential.columns });
    const user = await tx.find("users", { id: columns.id });
    if (user === undefined) throw new Error("the user that was just created is missing");
    const details = { invitation_id: found.invitation.id };
    await auditOwnAct(
      tx,
      context,
      { user, origin, at },
      { type: "user.created", target_table: "users", target_id: user.id, details },
    );
    const made = await credential.store(tx, user, origin);
    return { ...(await join(tx, found, user, origin, at, context)), credential: made };
  });
}

async function redeemInvitation<Outcome>(
  token: string,
  isInviterActive: IsInviterActive,
  context: IdentityContext,
  work: (tx: Transaction, found: ActiveInvitation, at: Date) => Promise<Outcome>,
): Promise<Outcome | DeadLink> {
  const { store } = context;
  const at = context.now();
  const seen = await readInvitation(store, token, isInviterActive, at);
  if (seen === undefined) return { type: "dead_link" };
  const once = () =>
    store.transaction(async (tx): Promise<Outcome | DeadLink> => {
      await tx.lock(invitationsLock(seen.invitation.organization_id));
      const found = await readInvitation(tx, token, isInviterActive, at);
      return found === undefined ? { type: "dead_link" } : work(tx, found, at);
    });
  // If the same user or membership was created concurrently, the second attempt finds it.
  return orTaken(once(), once);
}

async function join(
  tx: Transaction,
  { invitation, organization }: ActiveInvitation,
  user: User,
  origin: RequestOrigin,
  at: Date,
  context: IdentityContext,
): Promise<Joined> {
  const { id, email, mailed } = invitation;
  await tx.remove("invitations", { id });
  // The link was mailed to exactly this email address, so using the link verifies the address (SS-5).
  if (mailed && user.email === email) {
    await tx.update("users", { id: user.id, email }, { email_verified_at: at });
  }
  const was_member = await joinAsInvited(invitation, { user, origin, at }, tx, context);
  return { type: "joined", user, organization, invitation, was_member };
}
