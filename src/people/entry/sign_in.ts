import { OverloadedError } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { type RequestOrigin, sourceOf } from "../../records/definition/request_origin.ts";
import { trimEmail } from "../../records/names/email.ts";
import { isActive } from "../../records/names/liveness.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { secondStepOf } from "../core/enter.ts";
import { findAccount } from "../core/find_account.ts";
import { notePersonThere } from "../core/shared_address.ts";
import { countAttempt } from "../core/throttle.ts";
import { isPendingDeletion } from "../core/undo_deletion.ts";

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
  /** The browser's marks of earlier sign-ins (`browser_marks.ts`). */
  readonly browser_marks?: string | undefined;
  /** The cookie of a remembered browser (`core/remembered_devices.ts`). */
  readonly device?: string | undefined;
}

export type SignInOutcome =
  | { readonly type: "signed_in"; readonly user: User; readonly methods: readonly SignInMethod[] }
  /** The password is right, and the account asks for a second factor. */
  | { readonly type: "second_factor"; readonly user: User; readonly methods: readonly SignInMethod[] }
  /** The password is right, and the account waits to be deleted: nobody is signed in (SS-12). */
  | { readonly type: "deletion_pending"; readonly user: User & { readonly deletion_at: Date } }
  /** `reason` is for administrators alone. */
  | { readonly type: "refused"; readonly reason: SignInError }
  /** `retry_after` in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number };

type SignInError = "unknown_user" | "inactive_user" | "wrong_password" | "changed_meanwhile";

/**
 * Whether this e-mail and password belong to a user who may sign in. An unknown user, one without a password,
 * an inactive one and a wrong password cost the same and look the same (L-9). Attempts are counted before the
 * password is verified (L-10). Throws an `OverloadedError` when too many hashes are waiting.
 */
export async function signIn(
  { email, password, origin, browser_marks, device }: SignInInput,
  context: IdentityContext,
): Promise<SignInOutcome> {
  const { store, passwords, report } = context;
  const { client_ip } = origin;
  const source = sourceOf(client_ip);
  // Before it is counted: a counter is a row, and there may not be more of them than hashes.
  passwords.admit("sign_in", source);
  const user = await findAccount(store, email);
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
  const phc = user?.password_hash;
  let right: boolean;
  try {
    right = phc
      ? await passwords.verify(phc, password, "sign_in", source)
      : await passwords.verifyAgainstNothing(password, "sign_in", source);
  } catch (error) {
    if (error instanceof OverloadedError) await attempt.withdraw();
    throw error;
  }
  if (user === undefined || !phc || !right || !isActive(user)) {
    const reason = user === undefined ? "unknown_user" : right ? "inactive_user" : "wrong_password";
    failed(reason, user);
    if (right && user !== undefined && isPendingDeletion(user, context.now())) {
      return { type: "deletion_pending", user };
    }
    return { type: "refused", reason };
  }
  const methods: readonly SignInMethod[] = [
    { kind: "password", credential: null, at: context.now().getTime() },
  ];
  const second = await secondStepOf({ user, methods, device }, context);
  // Right passwords alone forgive no guesses at codes: both share one budget (MF-4).
  if (second === "none") await attempt.forgive();
  if (second === "remembered") await attempt.withdraw();
  const rehashed = await strongerHash(phc, password, context);
  if (second === "asked") {
    const { id } = user;
    await store.transaction((tx) => tx.update("users", { id, password_hash: phc }, rehashed), {
      quiet: true,
    });
    return { type: "second_factor", user: { ...user, ...rehashed }, methods };
  }
  const changes = { last_login_at: context.now(), ...rehashed };
  // Quiet, because nothing that is kept in memory depends on them. Only if nothing changed while the hash was
  // computed.
  const written = await store.transaction(
    (tx) => tx.update("users", { id: user.id, password_hash: phc, active: true }, changes),
    { quiet: true },
  );
  if (written === 0) {
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
  return { type: "signed_in", user: { ...user, ...changes }, methods };
}

/** A hash with today's cost in place of a weaker one (L-11); when there is too much to do, next time. */
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
