/**
 * A person who lost every second factor waits for some days before new ones may be set up (MF-10,
 * docs/decisions/0070). A factor that turns up, and the mailbox, can cancel that meanwhile.
 */
import { credentialPrefix, equalBytes, findSignature, newCredential } from "../../crypto/credentials.ts";
import type { Row, User } from "../../records/definition.ts";
import { hasPassed, madeAt } from "../../records/liveness.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { SignInMethod } from "../../records/sign_in_methods.ts";
import { isRecoveryWaiting } from "../../records/waiting_recovery.ts";
import type { Verbs } from "../../storage/verbs.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";
import { makeProof, newProofToken, openProof } from "../proofs/proofs.ts";
import { owesMailbox } from "./owed_mailbox.ts";

export type Recovery = Row<"recoveries">;

const hour = 3_600_000;
/** How long the new factors may be set up once the wait is over, days. */
export const openDays = 7;
/** The mails of a recovery: at its start, its middle and its end. */
export const allMails = 3;

type Reads = Pick<IdentityContext, "store" | "now" | "settings" | "sends_mail">;

/** Hours that a recovery waits; 0 where there is none. */
export function recoveryDelay({ settings, sends_mail }: Omit<Reads, "store" | "now">): number {
  return sends_mail === true ? (settings?.recovery_delay_hours ?? 0) : 0;
}

/** Whether the server has it at all. */
export function hasRecovery({ settings }: Pick<Reads, "settings">): boolean {
  return (settings?.recovery_delay_hours ?? 0) > 0;
}

/**
 * Whether the page of the second factor leads to it: after the password, where the account has one, else
 * after a provider. The mailbox alone, which may stand in for a first factor, recovers nothing.
 */
export function offersRecovery(
  { user, methods }: { readonly user: User; readonly methods: readonly SignInMethod[] },
  context: Reads,
): boolean {
  if (recoveryDelay(context) === 0 || owesMailbox(user, context)) return false;
  const primary = user.password_hash === null ? "provider" : "password";
  return methods.some(({ kind }) => kind === primary);
}

/** Whether a row still waits, on a server that has recoveries. */
export function isWaiting(recovery: Recovery, user: User, context: Reads): boolean {
  return recoveryDelay(context) > 0 && isRecoveryWaiting(recovery, user, context.now());
}

/** The recovery of a user that waits. */
export async function waitingRecovery(
  user: User,
  context: Reads,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<Recovery | undefined> {
  if (recoveryDelay(context) === 0) return undefined;
  const found = await reads.find("recoveries", { user_id: user.id });
  return found !== undefined && isWaiting(found, user, context) ? found : undefined;
}

/** Where a person stands who lost every second factor. */
export type RecoveryState =
  /** Another administrator takes the factors (decision 68). */
  | { readonly type: "administrator" }
  | { readonly type: "none" }
  /** It was asked for in another browser. */
  | { readonly type: "elsewhere"; readonly recovery: Recovery }
  | { readonly type: "waiting"; readonly recovery: Recovery }
  | { readonly type: "ready"; readonly recovery: Recovery };

/** The state in the browser with this cookie. */
export async function recoveryState(
  user: User,
  cookie: string | undefined,
  context: Reads,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<RecoveryState> {
  if (user.is_platform_admin) return { type: "administrator" };
  const recovery = await waitingRecovery(user, context, reads);
  if (recovery === undefined) return { type: "none" };
  const signature = cookie === undefined ? undefined : findSignature(credentialPrefix.recovery, cookie);
  if (signature === undefined || !equalBytes(signature, recovery.token_signature)) {
    return { type: "elsewhere", recovery };
  }
  // Not before each mail has gone out: of a clock that is set ahead the user hears first.
  const ready = hasPassed(recovery.due_at, context.now()) && recovery.mails === allMails;
  return { type: ready ? "ready" : "waiting", recovery };
}

/**
 * Begins to wait, for a user who gave the first factor and has just proved the mailbox; answers the cookie of
 * this browser. Undefined where one waits already, which goes on as it is, or for an administrator.
 */
export async function beginRecovery(
  user: User,
  { origin, language }: { readonly origin: RequestOrigin; readonly language: string },
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
      if (current === undefined || (await recoveryState(current, undefined, context, tx)).type !== "none") {
        return undefined;
      }
      // What is left of one that has ended.
      await tx.remove("recoveries", { user_id: user.id });
      const due_at = new Date(at.getTime() + delay);
      const recovery: Recovery = {
        id: store.newId(at),
        user_id: user.id,
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
      const target = { target_table: "users", target_id: user.id };
      const event = { type: "recovery.created", ...target, details: { due_at: due_at.toISOString() } };
      await auditOwnAct(tx, context, { user, origin, at }, event);
      return { cookie, recovery };
    },
    { quiet: true },
  );
}

/** What ended a recovery before its time. */
export type CancelledBy = "sign_in" | "session" | "link";

/** Cancels the recovery of a user; false where there is none, or not the one of this `id` any more. */
export async function cancelRecovery(
  user: Pick<User, "id">,
  { by, origin, id }: { readonly by: CancelledBy; readonly origin: RequestOrigin; readonly id?: string },
  context: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  const { store, now } = context;
  const at = now();
  const which = { user_id: user.id, ...(id !== undefined && { id }) };
  if ((await store.find("recoveries", which)) === undefined) return false;
  return store.transaction(
    async (tx) => {
      await tx.lock(userLock(user.id));
      if ((await tx.remove("recoveries", which)) === 0) return false;
      const target = { target_table: "users", target_id: user.id };
      await auditOwnAct(
        tx,
        context,
        { user, origin, at },
        { type: "recovery.deleted", ...target, details: { by } },
      );
      return true;
    },
    { quiet: true },
  );
}

/** A token for the link of a mail that cancels a recovery; it outlives other changes of the account. */
export async function newCancelToken(
  { id: recovery_id }: Pick<Recovery, "id">,
  context: IdentityContext,
): Promise<string> {
  const token = newProofToken(context);
  await makeProof("recovery_cancel", { place: token, bonds: {}, data: { recovery_id } }, context);
  return token;
}

/** The recovery that a mailed link cancels, while it waits. Looking uses nothing up. */
export async function recoveryOfLink(token: string, context: IdentityContext): Promise<Recovery | undefined> {
  const proof = await openProof("recovery_cancel", token, {}, context);
  return proof && context.store.find("recoveries", { id: proof.data.recovery_id });
}

/** Recoveries that are looked through in one go. */
const mostAtOnce = 500;

/**
 * The recoveries of which the next mail is due; each is answered once, to one process. `halfway` is left out
 * where the end has come already.
 */
export async function dueRecoveryMails(
  context: IdentityContext,
): Promise<
  { readonly kind: "recovery_halfway" | "recovery_ready"; readonly recovery: Recovery; readonly user: User }[]
> {
  if (recoveryDelay(context) === 0) return [];
  const { store, now } = context;
  const due = [];
  for (const recovery of await store.list("recoveries", {}, { order_by: "id", limit: mostAtOnce })) {
    const { id, mails, due_at, halfway_at } = recovery;
    const at_end = hasPassed(due_at, now());
    const next = at_end ? allMails : hasPassed(halfway_at, now()) ? 2 : 1;
    if (mails >= next) continue;
    const user = await store.find("users", { id: recovery.user_id });
    if (user === undefined || !isWaiting(recovery, user, context)) continue;
    if ((await store.update("recoveries", { id, mails }, { mails: next })) !== 1) continue;
    due.push({ kind: at_end ? "recovery_ready" : "recovery_halfway", recovery, user } as const);
  }
  return due;
}
