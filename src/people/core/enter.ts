/**
 * The single entry point: a person who gave a first factor gets a session, or the second-factor page first.
 */
import type { Session, User } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import {
  authenticationClaims,
  hasSecondFactor,
  mfaAcr,
  reachesAcr,
  type SignInMethod,
} from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "./context/context.ts";
import { beginHalfSignIn } from "./half_sign_in.ts";
import { mailboxProved, owesMailbox, provesMailbox } from "./owed_mailbox.ts";
import { useRememberedDevice } from "./remembered_devices.ts";
import { openSession, startSession } from "./sessions.ts";

/** A user who has just authenticated. */
export interface Entrance {
  readonly user: User;
  /** The proofs that they just gave. */
  readonly methods: readonly SignInMethod[];
  readonly origin: RequestOrigin;
  /**
   * The cookie of a remembered browser (`remembered_devices.ts`), if it may replace the second factor here.
   */
  readonly device?: string | undefined;
  /** The form cookie of their browser, created if missing. */
  readonly browser: () => string;
  /** The address to continue at, path and query. */
  readonly request: string;
  /** The user of the earlier session in this browser. */
  readonly previous?: SignedIn | undefined;
  /** The hash of the pending request that this sign-in satisfies (design 6.2). */
  readonly satisfied_request?: Buffer | undefined;
  /** The user chose "Keep me signed in" (OR-16). */
  readonly keep?: boolean | undefined;
}

export type Entered =
  | { readonly type: "signed_in"; readonly cookie: string; readonly session: Session; readonly user: User }
  | { readonly type: "second_factor" }
  /** The user may no longer sign in, or removed the credential meanwhile. */
  | { readonly type: "refused" };

/**
 * Whether these proofs still need a second factor: the account has one, and none was given. If an
 * administrator removed them, a code by mail replaces them once. `remembered` if this browser may skip it for
 * some days.
 */
export async function secondStepOf(
  { user, methods, device }: Pick<Entrance, "user" | "methods" | "device">,
  context: Pick<IdentityContext, "store" | "now" | "settings" | "sends_mail">,
): Promise<"none" | "asked" | "remembered"> {
  const { store } = context;
  if (owesMailbox(user, context) && !provesMailbox(methods)) return "asked";
  if (reachesAcr(authenticationClaims(methods)?.acr, mfaAcr)) return "none";
  if (!hasSecondFactor({ ...(await store.secondFactorsOf(user.id)), ...none })) return "none";
  return (await useRememberedDevice(user, { cookie: device, methods }, context)) ? "remembered" : "asked";
}

const none = { password: false, recovery_codes: 0, providers: [] };

/**
 * Signs a person in by any method but a password, which `signIn` has handled before (`goOn`): records the
 * sign-in and begins the session, or requires the second factor.
 */
export async function enter(entrance: Entrance, context: IdentityContext): Promise<Entered> {
  const { device: _, browser: __, request: ___, ...begun } = entrance;
  const { user, methods, origin } = begun;
  const second = await secondStepOf(entrance, context);
  if (second === "asked") return goOn({ ...entrance, second_factor: true }, context);
  const changes = { last_login_at: context.now(), ...mailboxProved(user, methods) };
  const opened = await openSession(begun, { changes }, context);
  const method = methods.at(-1)?.kind ?? "password";
  const event = { type: "sign_in", actor: { kind: "user", id: user.id }, origin } as const;
  if (opened.type !== "opened") {
    context.report({ ...event, outcome: "failure", details: { reason: opened.type, method } });
    return { type: "refused" };
  }
  const details = { method, ...(second === "remembered" && { remembered_device: true }) };
  context.report({ ...event, outcome: "success", details });
  return { ...opened, type: "signed_in" };
}

/** Begins the session, or the half sign-in where a second factor is still to be given. */
export async function goOn(
  entrance: Entrance & { readonly second_factor: boolean },
  context: IdentityContext,
): Promise<Exclude<Entered, { type: "refused" }>> {
  const { user, methods, device: _, browser, request, second_factor, ...sign_in } = entrance;
  if (second_factor) {
    await beginHalfSignIn({ user, methods, browser: browser(), request, keep: sign_in.keep }, context);
    return { type: "second_factor" };
  }
  const { cookie, session } = await startSession({ user, methods, ...sign_in }, context);
  return { type: "signed_in", cookie, session, user };
}
