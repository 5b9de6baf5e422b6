/** What follows a first factor in every sign-in: the second factor, or the start of the session. */
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

export interface Entrance {
  readonly user: User;
  readonly methods: readonly SignInMethod[];
  readonly origin: RequestOrigin;
  readonly device?: string | undefined;
  readonly browser: () => string;
  readonly request: string;
  readonly previous?: SignedIn | undefined;
  /** The hash of the pending authorization request that this sign-in satisfies (design 6.2). */
  readonly satisfied_request?: Buffer | undefined;
  /** The user chose "Keep me signed in" (OR-16). */
  readonly keep?: boolean | undefined;
}

export type Entered =
  | { readonly type: "signed_in"; readonly cookie: string; readonly session: Session; readonly user: User }
  | { readonly type: "second_factor" }
  | { readonly type: "refused" };

/**
 * Returns `asked` if a second factor or a mailed code is still required. Returns `remembered` if this browser
 * may skip the second factor, and otherwise `none`.
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
 * Signs a user in by any method except the password: requires the second factor, or starts the session and
 * reports the sign-in. After a correct password, `signIn` has already reported the sign-in, so `goOn` is
 * called instead.
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

/** Starts the session, or a half sign-in if a second factor is still required. */
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
