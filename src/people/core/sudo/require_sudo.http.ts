/**
 * Sensitive actions need a proof of the last minutes (SU-6): a page requests it, and its form carries the
 * fields of the first one.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie } from "../../../http/cookies.ts";
import { originOf } from "../../../http/request_origin.ts";
import { targetOf } from "../../../http/target.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import {
  type EnrolledMethods,
  highestAcr,
  type MethodKind,
  passwordAcr,
} from "../../../records/names/sign_in_methods.ts";
import type { FactorProof } from "../factor_proof.ts";
import type { Authenticator, HttpContext } from "../http_context.http.ts";
import { postNotice } from "../notices/account_notices.http.ts";
import type { SavedForm } from "../saved_forms.ts";
import { setSessionCookie } from "../session_cookie.http.ts";
import { addMethods, type CommitProof } from "../sessions.ts";
import { countProof } from "../throttle.ts";
import { carriedIn } from "./carried_form.http.ts";
import type { SudoError } from "./sudo.page.ts";
import type { MissingProofs } from "./sudo.ts";
import { findMissing, sendSudoPage, sudoRequest } from "./sudo_question.http.ts";

/** Which posts of a route are sensitive; `true` is all of them. */
export type SudoRequirement = true | SensitivePosts;

interface SensitivePosts {
  /** Whether these fields make the request sensitive; always, if omitted. */
  readonly when?: (fields: Params, signedIn: SignedIn) => boolean;
  /** The handler requests the password itself: the proof of an account without stronger factors. */
  readonly asks_password?: true;
  /** It requires two remaining factors, without the account's passkeys (MF-15). */
  readonly passkeys_lost?: true;
  /** Allowed final redirect targets, in addition to pages of this server. */
  readonly leads_to?: string;
}

export interface SudoPost {
  readonly signedIn: SignedIn;
  /** The form, verified as our own. */
  readonly params: Params;
  readonly csrf_token: string;
  readonly requirement: SudoRequirement;
  /** The page to go back to instead. */
  readonly return_to: string | undefined;
}

/** The person may continue, with the fields of their first form. */
export interface SudoPassed {
  readonly signedIn: SignedIn;
  readonly params: Params;
}

/**
 * Whether a sensitive post may continue. A correct proof is added to the session, which gets a new cookie
 * (SU-5). Without one the reply is the page that requests it, and the result is undefined. Throws
 * `foreign_form`, and an `OverloadedError` when too many hashes are waiting.
 */
export async function requireSudo(
  { signedIn, params: posted, csrf_token, requirement, return_to }: SudoPost,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<SudoPassed | undefined> {
  const { identity } = context;
  const place = { signedIn, url: targetOf(request).url };
  const params = carriedIn(posted, place, identity);
  if (requirement !== true && requirement.when?.(params, signedIn) === false) return { signedIn, params };
  const enrolled = await identity.store.enrolledMethods(signedIn.user);
  if (requirement !== true && requirement.asks_password && highestAcr(enrolled) === passwordAcr)
    return { signedIn, params };
  const browser = readCookie(request, "form", context.secure);
  const passkeys_lost = requirement === true ? undefined : requirement.passkeys_lost;
  const requested = { signedIn, enrolled, passkeys_lost };
  const missing = await findMissing(requested, browser, context);
  if (missing.length === 0) return { signedIn, params };

  const form: SavedForm = {
    url: place.url,
    fields: params.pairs,
    cancel_href: return_to ?? `/${place.url.split(/[/?]/)[1]}`,
    leads_to: (requirement === true ? undefined : requirement.leads_to) ?? null,
    ...(passkeys_lost && { passkeys_lost }),
  };
  const ask = async (still: MissingProofs, error?: SudoError, retry_after?: number) => {
    const question = { ...requested, missing: still, form, csrf_token, error, retry_after };
    await sendSudoPage(question, request, reply, context);
    return undefined;
  };

  const trying = { ...requested, missing, posted, request };
  if (await leftForProof(trying, form, reply, context)) return undefined;
  const tried = await tryProofs(trying, context);
  if (tried.type === "absent") return ask(missing);
  if (tried.type === "throttled") return ask(missing, "throttled", tried.retry_after);
  if (tried.type === "wrong") return ask(missing, tried.kind);
  const { proofs } = tried;
  const methods = proofs.map(({ method }) => method);
  const added = await addMethods(signedIn, methods, identity, commitOf(proofs));
  // Another window gave its proof at the same moment: its cookie is the one that counts.
  if (added === undefined) return ask(missing, "changed_meanwhile");
  for (const { codes_left } of proofs) {
    if (codes_left === undefined) continue;
    postNotice(context, { kind: "recovery_code_used", user: signedIn.user, request, codes_left });
  }
  setSessionCookie(reply, added.cookie, added.signedIn.session, context);
  const still = await findMissing({ ...requested, signedIn: added.signedIn }, browser, context);
  if (still.length > 0) return ask(still);
  await tried.forgive();
  return { signedIn: added.signedIn, params };
}

/** Uses up all that the proofs were given with, or nothing; undefined if there is nothing to use up. */
function commitOf(proofs: readonly Proved[]): CommitProof | undefined {
  const commits = proofs.flatMap(({ commitProof }) => commitProof ?? []);
  if (commits.length === 0) return undefined;
  return async (tx) => {
    for (const commitProof of commits) if (!(await commitProof(tx))) return false;
    return true;
  };
}

/** The proofs that came and are still wanted. */
function givenProofs(
  { missing, posted, request, ...person }: Trying,
  { authenticators }: Pick<HttpContext, "authenticators">,
) {
  const wanted = missing.flat();
  const filledIn = (name = "") => posted.get(name) || undefined;
  return authenticators
    .filter(({ kind }) => wanted.includes(kind))
    .map((authenticator) => {
      const { fields, sends } = authenticator;
      const answer = filledIn(fields.sudo);
      const came = answer !== undefined || filledIn(sends) !== undefined;
      return { authenticator, came, input: { ...sudoRequest(person, request), answer } };
    })
    .filter(({ came }) => came);
}

/** Whether the person was sent to a provider to reauthenticate; other fields of the form are then ignored. */
async function leftForProof(
  trying: Trying,
  form: SavedForm,
  reply: FastifyReply,
  context: HttpContext,
): Promise<boolean> {
  for (const { authenticator, input } of givenProofs(trying, context)) {
    if (await authenticator.leave?.(input, form, reply, context)) return true;
  }
  return false;
}

interface Trying {
  readonly signedIn: SignedIn;
  readonly enrolled: EnrolledMethods;
  readonly missing: MissingProofs;
  readonly posted: Params;
  readonly request: FastifyRequest;
}

type Tried =
  | { readonly type: "absent" }
  | { readonly type: "throttled"; readonly retry_after: number }
  | { readonly type: "wrong"; readonly kind: MethodKind }
  | { readonly type: "right"; readonly proofs: readonly Proved[]; forgive(): Promise<void> };

type Proved = Extract<FactorProof, { type: "proved" }>;

/** Tries every proof that came; one that can be guessed is counted before it is looked at (L-10, MF-4). */
async function tryProofs(trying: Trying, context: HttpContext): Promise<Tried> {
  const { identity } = context;
  const all = givenProofs(trying, context);
  if (all.length === 0) return { type: "absent" };
  const origin = originOf(trying.request);
  const { user } = trying.signedIn;
  const actor = { kind: "user", id: user.id } as const;
  const noted = (outcome: "success" | "failure", reason?: string) =>
    identity.report({ type: "step_up", outcome, actor, origin, ...(reason && { details: { reason } }) });
  // Without the marks of the browser: a session holder gets no extra guesses at its password.
  const guess = { client_ip: origin.client_ip };
  const requested = {
    guessable: all.some(({ authenticator }) => authenticator.guessable),
    code: all.some(({ authenticator }) => isCodeOfFactor[authenticator.kind]),
  };
  const { retry_after, forgive, withdraw } = await countProof(user, guess, requested, identity);
  if (retry_after !== undefined) {
    noted("failure", "throttled");
    return { type: "throttled", retry_after };
  }
  const proofs: Proved[] = [];
  try {
    for (const { authenticator, input } of all) {
      const proved = await authenticator.prove(input, context);
      if (proved === "asked") {
        await withdraw();
        return { type: "absent" };
      }
      if (proved.type !== "proved") {
        const { kind } = authenticator;
        noted("failure", `wrong_${kind}`);
        return { type: "wrong", kind };
      }
      proofs.push(proved);
    }
  } catch (error) {
    await withdraw();
    throw error;
  }
  noted("success");
  return { type: "right", proofs, forgive };
}

/** Codes of a second factor have a separate budget from the account's (MF-4). */
const isCodeOfFactor: Readonly<Record<Authenticator["kind"], boolean>> = {
  password: false,
  passkey: false,
  totp: true,
  recovery_code: true,
  provider: false,
  mail_code: false,
};
