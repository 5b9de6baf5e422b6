/** Sessions: a user's sign-in in one browser, found by a cookie. Only the cookie's signature is stored. */

import { credentialPrefix, findSignature, newCredential } from "../../crypto/credentials.ts";
import { sha256 } from "../../crypto/digest.ts";
import type { Session, User } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import {
  allowRemembering,
  narrowestLimits,
  type SessionLimits,
  usualLimits,
} from "../../records/formats/session_limits.ts";
import { hasPassed, isActiveSession, isAhead, madeAt } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import {
  authenticationClaims,
  methodsOf,
  passwordAcr,
  type SignInMethod,
  withMethods,
} from "../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../storage/database/database.ts";
import { cancelByUse } from "./cancel_by_use.ts";
import type { IdentityContext } from "./context/context.ts";
import { areHeld } from "./held_credentials.ts";

/** How far `last_seen_at` may lag, in milliseconds. The lag avoids a write for every page. */
const seenPrecision = 60_000;

interface NewSession {
  readonly user: User;
  readonly methods: readonly SignInMethod[];
  readonly origin: RequestOrigin;
  readonly previous?: SignedIn | undefined;
  /** The hash of the pending authorization request that this sign-in satisfies (design 6.2). */
  readonly satisfied_request?: Buffer | undefined;
  readonly keep?: boolean | undefined;
}

/**
 * Starts a session and returns its cookie, which changes at every sign-in (L-6). A repeated sign-in of the
 * same user keeps the session's ID, which tokens contain.
 */
export async function startSession(
  begun: NewSession,
  context: IdentityContext,
): Promise<{ cookie: string; session: Session }> {
  const limits = await limitsFor(begun, context);
  const started = await context.store.transaction(async (tx) => {
    await tx.lock(userLock(begun.user.id));
    return writeSession(tx, begun, context, limits);
  });
  await followStart(begun, context);
  return started;
}

/** Starts the session of a user who has just signed in, in one transaction with the changes to the user. */
export async function openSession(
  begun: NewSession,
  {
    changes,
    commitProof,
  }: { readonly changes: Partial<User>; readonly commitProof?: CommitProof | undefined },
  context: IdentityContext,
): Promise<OpenedSession | { readonly type: "inactive_user" | "changed_meanwhile" }> {
  const { id } = begun.user;
  const { last_login_at: _, ...others } = changes;
  const limits = await limitsFor(begun, context);
  const opened = await context.store.transaction(
    async (tx) => {
      await tx.lock(userLock(id));
      if (!(await areHeld(id, begun.methods, tx))) return { type: "changed_meanwhile" } as const;
      if ((await commitProof?.(tx)) === false) return { type: "changed_meanwhile" } as const;
      const written = await tx.update("users", { id, active: true }, changes);
      if (written === 0) return { type: "inactive_user" } as const;
      const user = { ...begun.user, ...changes };
      return { type: "opened", user, ...(await writeSession(tx, begun, context, limits)) } as const;
    },
    // If only the time of the sign-in changes, sends no change notice (`quiet`), because no in-memory state
    // depends on it.
    { quiet: Object.keys(others).length === 0 },
  );
  if (opened.type === "opened") await followStart(begun, context);
  return opened;
}

async function limitsFor(
  { user, keep = false }: Pick<NewSession, "user" | "keep">,
  { store, settings }: Pick<IdentityContext, "store" | "settings">,
): Promise<LimitsOfSession> {
  const { session_max_age: max_age = usualLimits.max_age, session_idle: idle = usualLimits.idle } =
    settings ?? {};
  const kept = keep && !user.is_platform_admin ? (settings?.session_remember_days ?? 0) * 86_400 : 0;
  const organizations = await store.sessionPoliciesOf(user.id);
  if (kept === 0 || !allowRemembering(organizations))
    return { ...narrowestLimits({ max_age, idle }, organizations), remembered: false };
  const longest = Math.max(max_age, kept);
  return { ...narrowestLimits({ max_age: longest, idle: longest }, organizations), remembered: true };
}

interface LimitsOfSession extends SessionLimits {
  readonly remembered: boolean;
}

/** A session must not outlive the provider's session that its sign-in relies on. */
function lastEnd(end: Date, methods: readonly SignInMethod[]): Date {
  return new Date(
    Math.min(end.getTime(), ...methods.map(({ ends_at = Number.POSITIVE_INFINITY }) => ends_at)),
  );
}

/** Returns the value that identifies the provider's session in `upstream_session`. */
export const upstreamSessionKey = (upstream_sid: string): Buffer => sha256(upstream_sid);

function upstreamSessionOf(input: readonly SignInMethod[]): Pick<Partial<Session>, "upstream_session"> {
  const upstream_sid = input.findLast((method) => method.upstream_sid !== undefined)?.upstream_sid;
  return upstream_sid === undefined ? {} : { upstream_session: upstreamSessionKey(upstream_sid) };
}

function usedAt(
  now: Date,
  { last_seen_at, idle_ends_at }: Pick<Session, "last_seen_at" | "idle_ends_at">,
): Partial<Session> {
  if (idle_ends_at === null) return { last_seen_at: now };
  const idle = idle_ends_at.getTime() - last_seen_at.getTime();
  return { last_seen_at: now, idle_ends_at: new Date(now.getTime() + idle) };
}

interface OpenedSession {
  readonly type: "opened";
  readonly cookie: string;
  readonly session: Session;
  readonly user: User;
}

async function followStart(
  { user, methods, origin, previous }: NewSession,
  context: IdentityContext,
): Promise<void> {
  if (previous !== undefined && previous.user.id !== user.id) await endSession(previous, origin, context);
  // The use of a second factor shows that it is not lost (MF-10).
  await cancelByUse(user, methods, origin, context);
}

/**
 * Updates the session, and so locks its row; undefined if the session has ended. Call this under the user's
 * lock, under which removed credentials are also deleted from sessions. An operation that ends a session
 * without that lock waits until this transaction releases the row.
 */
async function holdSession(
  session: Session,
  now: Date,
  tx: Pick<Transaction, "change">,
): Promise<Session | undefined> {
  const { id, id_signature } = session;
  const [held] = await tx.change("sessions", { id, id_signature, ended_at: null }, usedAt(now, session));
  return held;
}

export async function writeSession(
  tx: Pick<Transaction, "change" | "insert" | "update">,
  { user, methods: input, origin, previous, satisfied_request }: NewSession,
  context: Pick<IdentityContext, "store" | "now">,
  { max_age, idle, remembered }: LimitsOfSession = { ...usualLimits, remembered: false },
): Promise<{ cookie: string; session: Session }> {
  const { store } = context;
  const now = context.now();
  const cookie = newCredential(credentialPrefix.session, now);
  const renewed = previous?.user.id === user.id ? await holdSession(previous.session, now, tx) : undefined;
  // The session's earlier proofs that have not ended still count, so a repeated sign-in does not lower its
  // level (SU-3).
  const before = renewed === undefined ? [] : methodsOf(renewed);
  const isOver = ({ ends_at }: SignInMethod) => ends_at !== undefined && hasPassed(new Date(ends_at), now);
  const methods = withMethods(
    before.filter((method) => !isOver(method)),
    input,
  );
  const proof = {
    id_signature: signatureOfCookie(cookie),
    authenticated_at: madeAt(now, [user.tokens_not_before]),
    acr: authenticationClaims(methods)?.acr ?? passwordAcr,
    methods,
    satisfied_request: satisfied_request ?? null,
    last_seen_at: now,
    expires_at: lastEnd(new Date(now.getTime() + max_age * 1000), methods),
    idle_ends_at: idle === usualLimits.idle ? null : new Date(now.getTime() + idle * 1000),
    remembered,
    ...upstreamSessionOf(input),
    client_ip: origin.client_ip,
    user_agent: origin.user_agent,
  };
  if (renewed !== undefined) {
    await tx.update("sessions", { id: renewed.id }, proof);
    return { cookie, session: { ...renewed, ...proof } };
  }
  const session: Session = {
    id: store.newId(now),
    user_id: user.id,
    upstream_session: null,
    ...proof,
    ended_at: null,
    created_at: now,
  };
  await tx.insert("sessions", session);
  return { cookie, session };
}

/** Consumes a proof in the transaction that uses it; false if it was already used. */
export type CommitProof = (tx: Transaction) => Promise<boolean>;

/** Thrown to roll back the transaction, so that nothing is consumed. */
const notAdded = new Error("the session, a credential or the proof ended in the meantime");

function unlessNotAdded(error: unknown): undefined {
  if (error === notAdded) return undefined;
  throw error;
}

/**
 * Adds new proofs to a session and consumes them; undefined if the session, a credential or a proof has
 * ended. The session gets a new cookie, and the previous one immediately becomes invalid in every process
 * (SU-5).
 */
export async function addMethods(
  { session, user }: SignedIn,
  input: readonly SignInMethod[],
  context: IdentityContext,
  commitProof?: CommitProof,
): Promise<{ cookie: string; signedIn: SignedIn } | undefined> {
  const { store } = context;
  const now = context.now();
  const cookie = newCredential(credentialPrefix.session, now);
  const added = await store
    .transaction(async (tx) => {
      await tx.lock(userLock(user.id));
      // Locks credentials before sessions, in the same order as the removal of a credential; otherwise the
      // two would deadlock.
      if (!(await areHeld(user.id, input, tx))) throw notAdded;
      const held = await holdSession(session, now, tx);
      if (held === undefined) throw notAdded;
      if ((await commitProof?.(tx)) === false) throw notAdded;
      const methods = withMethods(methodsOf(held), input);
      const acr = authenticationClaims(methods)?.acr ?? held.acr;
      const expires_at = lastEnd(held.expires_at, methods);
      const upstream = upstreamSessionOf(input);
      const changes = { id_signature: signatureOfCookie(cookie), methods, acr, expires_at, ...upstream };
      await tx.update("sessions", { id: held.id }, changes);
      return { ...held, ...changes };
    })
    .catch(unlessNotAdded);
  if (added === undefined) return undefined;
  const { client_ip, user_agent, id: request_id } = added;
  await cancelByUse(user, input, { client_ip, user_agent, request_id }, context);
  return { cookie, signedIn: { user, session: added } };
}

/** Returns the active session with this cookie, if its user may still sign in. */
export async function findSession(cookie: string, context: IdentityContext): Promise<SignedIn | undefined> {
  const { store } = context;
  const id_signature = findSignature(credentialPrefix.session, cookie);
  if (id_signature === undefined) return undefined;
  const session = await store.find("sessions", { id_signature });
  if (session === undefined) return undefined;
  const now = context.now();
  const user = await store.findUser(session.user_id);
  if (user === undefined || !isActiveSession(session, user, now)) return undefined;
  const { last_seen_at: seen } = session;
  const isSeen = now.getTime() - seen.getTime() < seenPrecision && !isAhead(seen, now);
  if (isSeen) return { session, user };
  const used = usedAt(now, session);
  await store.update("sessions", { id: session.id, ended_at: null }, used);
  return { session: { ...session, ...used }, user };
}

/** Rows per read. Expired sessions are skipped, so a page may need several reads. */
const batch = 100;
const mostBatches = 20;

/** Returns a user's active sessions, newest first. `next` is the value of `before` for the next page. */
export async function activeSessions(
  user: User,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
  { store, now }: IdentityContext,
): Promise<{ sessions: Session[]; next?: string }> {
  const sessions: Session[] = [];
  let after = before;
  for (let batches = 0; batches < mostBatches; batches++) {
    const rows = await store.list(
      "sessions",
      { user_id: user.id, ended_at: null },
      { order_by: "id", descending: true, limit: batch, ...(after !== undefined && { after }) },
    );
    for (const session of rows) {
      if (!isActiveSession(session, user, now())) continue;
      if (sessions.length === limit) return { sessions, ...nextAfter(sessions.at(-1)) };
      sessions.push(session);
    }
    if (rows.length < batch) return { sessions };
    after = rows.at(-1)?.id;
  }
  return { sessions, ...(after !== undefined && { next: after }) };
}

const nextAfter = (last: Session | undefined) => (last === undefined ? {} : { next: last.id });

export async function rememberChoice(
  { session }: SignedIn,
  satisfied_request: Buffer,
  { store }: IdentityContext,
): Promise<void> {
  await store.update("sessions", { id: session.id, ended_at: null }, { satisfied_request });
}

/** Ends the session immediately, with its tokens except those with `offline_access` (design 6.8). */
export async function endSession(
  { session, user }: SignedIn,
  origin: RequestOrigin,
  { store, now, report }: IdentityContext,
): Promise<void> {
  await store.endSession(session.id, now());
  report({
    type: "sign_out",
    outcome: "success",
    actor: { kind: "user", id: user.id },
    target: { table: "sessions", id: session.id },
    origin,
  });
}

function signatureOfCookie(cookie: string): Buffer {
  const signature = findSignature(credentialPrefix.session, cookie);
  if (signature === undefined) throw new TypeError("a session cookie has the shape of a credential");
  return signature;
}
