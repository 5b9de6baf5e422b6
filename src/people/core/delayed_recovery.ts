/**
 * Delayed recovery of lost second factors (MF-10) and lost passkeys (MF-15), see
 * docs/decisions/account-recovery.md.
 */
import { credentialPrefix, equalBytes, findSignature, newCredential } from "../../crypto/credentials.ts";
import type { Row, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { hasPassed, madeAt } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import { isRecoveryWaiting } from "../../records/rules/waiting_recovery.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { auditOwnAct } from "./audit_own_act.ts";
import type { IdentityContext } from "./context/context.ts";
import { owesMailbox } from "./owed_mailbox.ts";
import { makeProof, newProofToken, openProof } from "./proofs/proofs.ts";

export type Recovery = Row<"recoveries">;

/** The reported loss: every second factor, or the passkeys that sign in on their own. */
export type Lost = "factors" | "passkeys";

export const lostIn = ({ passkeys_only }: Pick<Recovery, "passkeys_only">): Lost =>
  passkeys_only ? "passkeys" : "factors";

const hour = 3_600_000;
/** Days after the waiting time during which the user can finish the recovery. */
export const openDays = 7;
/**
 * Number of emails about a recovery: at the start, middle and end of its waiting time. For lost passkeys, the
 * last one is sent shortly before the end.
 */
export const allMails = 3;

type Reads = Pick<IdentityContext, "store" | "now" | "settings" | "sends_mail">;

/** Returns the waiting time of a recovery in hours; 0 if recovery is off or the server cannot send email. */
export function recoveryDelay({ settings, sends_mail }: Omit<Reads, "store" | "now">): number {
  return sends_mail === true ? (settings?.recovery_delay_hours ?? 0) : 0;
}

/** Returns whether recovery is enabled in the settings. */
export function hasRecovery({ settings }: Pick<Reads, "settings">): boolean {
  return (settings?.recovery_delay_hours ?? 0) > 0;
}

/**
 * Returns whether a half sign-in of this user may start or finish a recovery. A mailbox code in place of a
 * first factor is not sufficient.
 */
export function offersRecovery(
  { user, methods }: { readonly user: User; readonly methods: readonly SignInMethod[] },
  context: Reads,
): boolean {
  if (recoveryDelay(context) === 0 || owesMailbox(user, context)) return false;
  const primary = user.password_hash === null ? "provider" : "password";
  return methods.some(({ kind }) => kind === primary);
}

/** Returns whether this recovery is still pending. */
export function isWaiting(recovery: Recovery, user: User, context: Reads): boolean {
  return recoveryDelay(context) > 0 && isRecoveryWaiting(recovery, user, context.now());
}

/**
 * Returns whether the waiting time is over and every email was sent, so that users are warned even after a
 * clock jump.
 */
export function isOver({ due_at, mails }: Recovery, { now }: Pick<Reads, "now">): boolean {
  return hasPassed(due_at, now()) && mails === allMails;
}

export async function waitingRecovery(
  user: User,
  context: Reads,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<Recovery | undefined> {
  if (recoveryDelay(context) === 0) return undefined;
  const found = await reads.find("recoveries", { user_id: user.id });
  return found !== undefined && isWaiting(found, user, context) ? found : undefined;
}

type RecoveryState =
  /** Another administrator has to remove the factors (docs/decisions/account-recovery.md). */
  | { readonly type: "administrator" }
  | { readonly type: "none" }
  | { readonly type: "elsewhere"; readonly recovery: Recovery }
  | { readonly type: "waiting"; readonly recovery: Recovery }
  | { readonly type: "ready"; readonly recovery: Recovery };

/** Returns the state of the user's recovery of second factors; `elsewhere` if another browser started it. */
export async function recoveryState(
  user: User,
  cookie: string | undefined,
  context: Reads,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<RecoveryState> {
  if (user.is_platform_admin) return { type: "administrator" };
  const recovery = await waitingRecovery(user, context, reads);
  if (recovery === undefined || recovery.passkeys_only) return { type: "none" };
  const signature = cookie === undefined ? undefined : findSignature(credentialPrefix.recovery, cookie);
  if (signature === undefined || !equalBytes(signature, recovery.token_signature)) {
    return { type: "elsewhere", recovery };
  }
  return { type: isOver(recovery, context) ? "ready" : "waiting", recovery };
}

interface NewRecovery {
  readonly lost: Lost;
  readonly origin: RequestOrigin;
  readonly language: string;
  readonly keep: EnqueueRecoveryMail;
}

type EnqueueRecoveryMail = (tx: Transaction, recovery: Recovery) => Promise<void>;

/**
 * Starts the waiting time of a user who proved the remaining factors and the mailbox. `cookie` lets the
 * browser finish a recovery of all factors. Returns undefined if no recovery may start.
 */
export async function beginRecovery(
  user: User,
  { lost, origin, language, keep }: NewRecovery,
  context: Reads,
): Promise<{ readonly cookie: string; readonly recovery: Recovery } | undefined> {
  const { store, now } = context;
  const at = now();
  const delay = recoveryDelay(context) * hour;
  const cookie = newCredential(credentialPrefix.recovery, at);
  const token_signature = findSignature(credentialPrefix.recovery, cookie);
  if (token_signature === undefined) throw new TypeError("a new token has the shape of a credential");
  return store.transaction(
    async (tx) => {
      await tx.lock(userLock(user.id));
      const current = await tx.find("users", { id: user.id });
      if (current === undefined || current.is_platform_admin || delay === 0) return undefined;
      const before = await waitingRecovery(current, context, tx);
      if (before !== undefined && (lost === "passkeys" || !before.passkeys_only)) return undefined;
      // A user has only one row in `recoveries`; an ended recovery, or one for passkeys only, is replaced.
      await tx.remove("recoveries", { user_id: user.id });
      const due_at = new Date(at.getTime() + delay);
      const recovery: Recovery = {
        id: store.newId(at),
        user_id: user.id,
        passkeys_only: lost === "passkeys",
        token_signature,
        email_key: current.email_key,
        language,
        mails: 1,
        halfway_at: new Date(at.getTime() + delay / 2),
        due_at,
        expires_at: new Date(due_at.getTime() + openDays * 24 * hour),
        client_ip: origin.client_ip,
        user_agent: origin.user_agent,
        created_at: madeAt(at, [current.tokens_not_before]),
      };
      await tx.insert("recoveries", recovery);
      await keep(tx, recovery);
      const details = { due_at: due_at.toISOString(), ...detailsOf(recovery) };
      await auditRecovery(tx, { type: "recovery.created", user, origin, details }, context);
      return { cookie, recovery };
    },
    { quiet: true },
  );
}

const detailsOf = (recovery: Recovery) => (recovery.passkeys_only ? { lost: lostIn(recovery) } : {});

/** Adds an audit event in the transaction that changes the recovery. */
export async function auditRecovery(
  tx: Transaction,
  {
    type,
    user,
    origin,
    details,
  }: {
    readonly type: "recovery.created" | "recovery.deleted" | "recovery.finished";
    readonly user: Pick<User, "id">;
    readonly origin: RequestOrigin;
    readonly details: Readonly<Record<string, string | number>> | null;
  },
  context: Pick<IdentityContext, "store" | "now">,
): Promise<void> {
  const event = { type, target_table: "users", target_id: user.id, details };
  await auditOwnAct(tx, context, { user, origin, at: context.now() }, event);
}

type CancelledBy = "sign_in" | "session" | "link";

/** Cancels the recovery of a user and returns it; undefined if there is none. */
export async function cancelRecovery(
  user: Pick<User, "id">,
  { by, origin, id }: { readonly by: CancelledBy; readonly origin: RequestOrigin; readonly id?: string },
  context: Pick<IdentityContext, "store" | "now">,
): Promise<Recovery | undefined> {
  const { store } = context;
  const which = { user_id: user.id, ...(id !== undefined && { id }) };
  const recovery = await store.find("recoveries", which);
  if (recovery === undefined) return undefined;
  return store.transaction(
    async (tx) => {
      await tx.lock(userLock(user.id));
      return (await endRecovery(tx, recovery, { by, origin }, context)) ? recovery : undefined;
    },
    { quiet: true },
  );
}

/** Ends a recovery; false if it has already ended. The caller holds the lock of its user. */
export async function endRecovery(
  tx: Transaction,
  recovery: Recovery,
  { by, origin }: { readonly by: CancelledBy; readonly origin: RequestOrigin },
  context: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  if ((await tx.remove("recoveries", { id: recovery.id })) === 0) return false;
  const details = { by, ...detailsOf(recovery) };
  const user = { id: recovery.user_id };
  await auditRecovery(tx, { type: "recovery.deleted", user, origin, details }, context);
  return true;
}

/**
 * Returns a token for the mailed link that cancels a recovery. The link stays valid after other changes to
 * the account.
 */
export async function newCancelToken(
  { id: recovery_id }: Pick<Recovery, "id">,
  context: IdentityContext,
  tx?: Transaction,
): Promise<string> {
  const token = newProofToken(context);
  await makeProof("recovery_cancel", { place: token, bonds: {}, data: { recovery_id } }, context, tx);
  return token;
}

/** Returns the recovery that a mailed link cancels, without consuming the link. */
export async function recoveryOfLink(token: string, context: IdentityContext): Promise<Recovery | undefined> {
  const proof = await openProof("recovery_cancel", token, {}, context);
  return proof && context.store.find("recoveries", { id: proof.data.recovery_id });
}
