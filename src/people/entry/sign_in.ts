import { setTimeout as wait } from "node:timers/promises";
import { findForeignHash, isCutShort, isFromWeak } from "../../crypto/foreign_hashes/foreign_hashes.ts";
import { composedPassword } from "../../crypto/hashing/composed_password.ts";
import { isCommonPassword } from "../../crypto/password_rules.ts";
import { isArgon2id } from "../../crypto/passwords.ts";
import { OverloadedError } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { type RequestOrigin, sourceOf } from "../../records/definition/request_origin.ts";
import { trimEmail } from "../../records/names/email.ts";
import { isForeignOver } from "../../records/names/foreign_marker.ts";
import { isActive } from "../../records/names/liveness.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { secondStepOf } from "../core/enter.ts";
import { findAccount } from "../core/find_account.ts";
import { notePersonThere } from "../core/shared_address.ts";
import { countAttempt } from "../core/throttle.ts";
import { isPendingDeletion } from "../core/undo_deletion.ts";

interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
  readonly browser_marks?: string | undefined;
  readonly device?: string | undefined;
}

type SignInOutcome =
  | SignedInWithPassword<"signed_in">
  | SignedInWithPassword<"second_factor">
  /** The password is correct, but no session starts (SS-12). */
  | { readonly type: "deletion_pending"; readonly user: User & { readonly deletion_at: Date } }
  /** `reason` must not be shown to the user. */
  | { readonly type: "refused"; readonly reason: SignInError }
  /** The password is correct but no longer accepted; a reset link is mailed to the user (MG-4). */
  | { readonly type: "refused"; readonly reason: "foreign_password_over"; readonly mail_to: User }
  /** `retry_after` in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number };

interface SignedInWithPassword<T extends string> {
  readonly type: T;
  readonly user: User;
  readonly methods: readonly SignInMethod[];
  /** Why the user should choose another password, if another program hashed this one. */
  readonly weakness?: ForeignWeakness | undefined;
}

/** The password is common (MG-4), or the hash scheme truncates it (MG-5). */
type ForeignWeakness = "common" | "cut_short";

type SignInError = "unknown_user" | "inactive_user" | "wrong_password" | "changed_meanwhile";

/**
 * Checks an email address and a password; the caller starts the session. All refusals look the same and take
 * the same time (L-9, MG-9). A pending deletion is revealed only with the right password (SS-12). Throws an
 * `OverloadedError` if too many hashes are waiting.
 */
export async function signIn(input: SignInInput, context: IdentityContext): Promise<SignInOutcome> {
  const answer_time = context.account_lookup?.answerTime();
  if (answer_time === undefined) return signInBy(input, context);
  const ends_at = performance.now() + answer_time;
  const outcome = await signInBy(input, context, ends_at);
  if (outcome.type === "refused") await wait(Math.max(0, Math.ceil(ends_at - performance.now())));
  return outcome;
}

/**
 * `ends_at` is the deadline for the legacy system's answer, as a `performance.now()` value; without it, the
 * system is not queried.
 */
async function signInBy(
  { email, password, origin, browser_marks, device }: SignInInput,
  context: IdentityContext,
  ends_at?: number,
): Promise<SignInOutcome> {
  const { store, passwords, report } = context;
  const { client_ip } = origin;
  const source = sourceOf(client_ip);
  // The hash queue admits the attempt before it is counted, so a rejected attempt adds no counter row.
  passwords.admit("sign_in", source);
  let { user, stored } = await findWithPassword(store, email);
  const account = user ?? trimEmail(email);
  const attempt = await countAttempt({ account, client_ip, browser_marks }, context);
  const failed = (reason: string, user?: User) =>
    report({
      type: "sign_in",
      outcome: "failure",
      actor: user === undefined ? { kind: "anonymous" } : { kind: "user", id: user.id },
      origin,
      details: { reason, method: "password" },
    });
  if (attempt.retry_after !== undefined) {
    failed("throttled");
    return { type: "throttled", retry_after: attempt.retry_after };
  }
  let right = false;
  let hasMoved = false;
  try {
    if (stored === undefined) {
      const within = ends_at === undefined ? 0 : ends_at - performance.now();
      // The query and the hash run concurrently, so an email address known to the legacy system takes no
      // longer than any other.
      const [found] = await Promise.all([
        within > 0 && context.account_lookup?.byPassword({ email, password, user, source, within }),
        passwords.verifyAgainstNothing(password, "sign_in", source),
      ]);
      hasMoved = found === true;
      if (hasMoved) ({ user, stored } = await findWithPassword(store, email));
    }
    if (stored !== undefined) right = await passwords.verify(stored.text, password, "sign_in", source);
  } catch (error) {
    if (error instanceof OverloadedError) await attempt.withdraw();
    throw error;
  }
  if (user === undefined || stored === undefined || !right || !isActive(user)) {
    const reason = user === undefined ? "unknown_user" : right ? "inactive_user" : "wrong_password";
    failed(reason, user);
    if (right && user !== undefined && isPendingDeletion(user, context.now())) {
      return { type: "deletion_pending", user };
    }
    return { type: "refused", reason };
  }
  if (isForeignOver(stored, context.settings, context.now())) {
    const reason = "foreign_password_over";
    failed(reason, user);
    return { type: "refused", reason, mail_to: user };
  }
  const isCommon = hasMoved && isCommonPassword(composedPassword(password));
  const weakness = isCommon ? "common" : foreignWeakness(stored.text, password);
  const methods: readonly SignInMethod[] = [
    { kind: "password", credential: null, at: context.now().getTime() },
  ];
  const second = await secondStepOf({ user, methods, device }, context);
  // If a second factor is still required, a correct password does not forgive wrong codes, because both share
  // one budget (MF-4).
  if (second === "none") await attempt.forgive();
  if (second === "remembered") await attempt.withdraw();
  const rehashed = await strongerHash(stored.text, password, context);
  const isRequested = second === "asked";
  const changes = { ...(!isRequested && { last_login_at: context.now() }), ...rehashed };
  const written = await writeChanges(user, changes, context);
  if (isRequested)
    return { type: "second_factor", user: { ...user, ...rehashed }, methods, ...(weakness && { weakness }) };
  if (!written && !(await isStillRight({ user, password, changes, source }, context))) {
    const reason = "changed_meanwhile";
    failed(reason, user);
    return { type: "refused", reason };
  }
  await notePersonThere(user.email_key, client_ip, context);
  report({
    type: "sign_in",
    outcome: "success",
    actor: { kind: "user", id: user.id },
    origin,
    details: { method: "password", ...(second === "remembered" && { remembered_device: true }) },
  });
  return { type: "signed_in", user: { ...user, ...changes }, methods, ...(weakness && { weakness }) };
}

async function findWithPassword(store: IdentityContext["store"], email: string) {
  const user = await findAccount(store, email);
  const stored = user && (await store.storedPassword(user));
  if (user === undefined || user.password_hash === null || stored !== undefined) return { user, stored };
  // A concurrent sign-in has just replaced another program's hash (MG-4).
  const again = await findAccount(store, email);
  return { user: again, stored: again && (await store.storedPassword(again)) };
}

/**
 * Returns false if the password or the user's status changed in the meantime. Another program's hash is
 * deleted once it is replaced (MG-4).
 */
async function writeChanges(
  { id, password_hash }: User,
  changes: Partial<User>,
  { store }: IdentityContext,
): Promise<boolean> {
  // Sends no change notice (`quiet`), because no in-memory state depends on these columns.
  const written = await store.transaction(
    async (tx) => {
      const rows = await tx.update("users", { id, password_hash, active: true }, changes);
      if (rows > 0 && changes.password_hash !== undefined)
        await store.forgetForeignPassword(tx, password_hash);
      return rows;
    },
    { quiet: true },
  );
  return written > 0;
}

/** Another sign-in with the same password may have replaced its hash at the same moment. */
async function isStillRight(
  input: {
    readonly user: User;
    readonly password: string;
    readonly changes: Partial<User>;
    readonly source: string;
  },
  context: IdentityContext,
): Promise<boolean> {
  const { store, passwords } = context;
  const { user, password, source } = input;
  const found = await store.find("users", { id: user.id });
  if (found === undefined || found.password_hash === user.password_hash) return false;
  const stored = await store.storedPassword(found);
  if (stored === undefined || !(await passwords.verify(stored.text, password, "sign_in", source)))
    return false;
  return writeChanges(found, { last_login_at: context.now() }, context);
}

function foreignWeakness(text: string, password: string): ForeignWeakness | undefined {
  const hash = isArgon2id(text) ? undefined : findForeignHash(text);
  if (hash === undefined) return undefined;
  if (isCutShort(hash, password)) return "cut_short";
  return isFromWeak(hash) && isCommonPassword(composedPassword(password)) ? "common" : undefined;
}

/** Weak hashes are replaced (L-11), at the next sign-in if the hash queue is full. */
async function strongerHash(
  phc: string,
  password: string,
  { passwords }: IdentityContext,
): Promise<{ password_hash?: string }> {
  if (!passwords.needsRehash(phc)) return {};
  try {
    return { password_hash: await passwords.hash(password) };
  } catch (error) {
    if (error instanceof OverloadedError) return {};
    throw error;
  }
}
