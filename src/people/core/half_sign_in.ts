/**
 * A half sign-in: the user gave a first factor and still needs a second one (MF-5). Every route except
 * `/sign-in/second-factor` and `/sign-in/lost-factors` treats the user as signed out.
 */
import type { Session, User } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "./context/context.ts";
import { mailboxProved } from "./owed_mailbox.ts";
import {
  changeProof,
  dropProof,
  makeProof,
  type OpenProof,
  openProof,
  redeemProof,
} from "./proofs/proofs.ts";
import { type CommitProof, openSession } from "./sessions.ts";
import { notePersonThere } from "./shared_address.ts";
import { forgiveAttempts, withdrawAttempt } from "./throttle.ts";

/** Number of wrong second factors that ends a half sign-in (MF-4). */
const mostWrong = 5;

export interface HalfSignIn {
  readonly user: User;
  readonly methods: readonly SignInMethod[];
  readonly request: string;
  readonly keep: boolean;
  readonly proof: OpenProof<"half_sign_in">;
}

/** Stores the first factor for this browser, which its form cookie identifies. */
export async function beginHalfSignIn(
  input: {
    readonly user: User;
    readonly methods: readonly SignInMethod[];
    readonly browser: string;
    readonly request: string;
    readonly keep?: boolean | undefined;
  },
  context: IdentityContext,
): Promise<void> {
  const { user, methods, browser, request, keep = false } = input;
  await makeProof(
    "half_sign_in",
    { place: browser, user, bonds: { browser }, data: { methods, request, wrong: 0, ...(keep && { keep }) } },
    context,
  );
}

/** Returns the half sign-in of this browser while it is valid and its user may sign in. */
export async function findHalfSignIn(
  browser: string | undefined,
  context: IdentityContext,
): Promise<HalfSignIn | undefined> {
  if (browser === undefined) return undefined;
  const proof = await openProof("half_sign_in", browser, { browser }, context);
  if (proof?.user === undefined) return undefined;
  const { methods, request, keep = false } = proof.data;
  return { user: proof.user, methods, request, keep, proof };
}

/** Returns the subject (`about`) of a half sign-in's form. */
export function halfSignInForm({ user, request }: Pick<HalfSignIn, "user" | "request">): string {
  return `the sign-in of ${user.id} for ${request}`;
}

/**
 * Counts a wrong second factor; `ended` after the last one allowed, or if another attempt was counted at the
 * same time.
 */
export async function countWrongFactor(
  { proof }: HalfSignIn,
  context: IdentityContext,
): Promise<"again" | "ended"> {
  const wrong = proof.data.wrong + 1;
  if (wrong < mostWrong && (await changeProof(proof, { ...proof.data, wrong }, context))) return "again";
  await dropHalfSignIn(proof.sealed.bonds.browser, context);
  return "ended";
}

export async function dropHalfSignIn(browser: string, context: IdentityContext): Promise<void> {
  await dropProof("half_sign_in", browser, context);
}

/**
 * Signs the user in after the second factor is verified; undefined if the half sign-in or a proof is no
 * longer valid.
 */
export async function finishHalfSignIn(
  half: HalfSignIn,
  input: {
    readonly method: SignInMethod;
    readonly commitProof?: CommitProof | undefined;
    readonly origin: RequestOrigin;
    readonly previous?: SignedIn | undefined;
    readonly satisfied_request?: Buffer | undefined;
  },
  context: IdentityContext,
): Promise<{ cookie: string; session: Session; user: User } | undefined> {
  const { now, report } = context;
  const { method, commitProof, ...sign_in } = input;
  const { id } = half.user;
  const changes = { last_login_at: now(), ...mailboxProved(half.user, [method]) };
  const begun = { user: half.user, methods: [...half.methods, method], ...sign_in, keep: half.keep };
  const both: CommitProof = async (tx) =>
    (await redeemProof(tx, half.proof)) && (await commitProof?.(tx)) !== false;
  const opened = await openSession(begun, { changes, commitProof: both }, context);
  if (opened.type !== "opened") return undefined;
  const guess = { account: half.user, client_ip: input.origin.client_ip };
  // The password attempt is removed from its counters only now, because the sign-in needed the second factor
  // too.
  if (half.methods.some(({ kind }) => kind === "password")) {
    await withdrawAttempt(guess, context);
    await notePersonThere(half.user.email_key, guess.client_ip, context);
  }
  await forgiveAttempts(guess, context);
  report({
    type: "sign_in",
    outcome: "success",
    actor: { kind: "user", id },
    origin: input.origin,
    details: { method: method.kind },
  });
  return opened;
}
