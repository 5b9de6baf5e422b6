import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie } from "../../../http/cookies.ts";
import { originOf } from "../../../http/request_origin.ts";
import { targetOf } from "../../../http/target.ts";
import { type Params, paramsOf } from "../../../oauth/core/params.ts";
import { refuse } from "../../../oauth/refusals/refuse.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import {
  type EnrolledMethods,
  highestAcr,
  type MethodKind,
  passwordAcr,
} from "../../../records/names/sign_in_methods.ts";
import { type CarriedPlace, openFields } from "../carried_fields.ts";
import type { IdentityContext } from "../context/context.ts";
import type { FactorProof } from "../factor_proof.ts";
import type { Authenticator, HttpContext } from "../http_context.http.ts";
import { postNotice } from "../notices/account_notices.http.ts";
import type { SavedForm } from "../saved_forms.ts";
import { setSessionCookie } from "../session_cookie.http.ts";
import { addMethods, type CommitProof } from "../sessions.ts";
import { countProof } from "../throttle.ts";
import type { SudoError } from "./sudo.page.ts";
import type { MissingProofs } from "./sudo.ts";
import { findMissing, sendSudoPage, sudoRequest } from "./sudo_question.http.ts";

export type SudoRequirement = true | SensitivePosts;

interface SensitivePosts {
  readonly when?: (fields: Params, signedIn: SignedIn) => boolean;
  /** For an account whose required proof is the password, the handler itself checks the password. */
  readonly asks_password?: true;
  /** Two factors other than passkeys are required (MF-15). */
  readonly passkeys_lost?: true;
  readonly leads_to?: string;
}

interface SudoPost {
  readonly signedIn: SignedIn;
  readonly params: Params;
  readonly csrf_token: string;
  readonly requirement: SudoRequirement;
  readonly return_to: string | undefined;
}

interface SudoPassed {
  readonly signedIn: SignedIn;
  readonly params: Params;
}

/**
 * Returns the session and the form fields, or sends the page that requests a proof and returns undefined
 * (SU-5). Throws `foreign_form` if the encrypted fields belong to another session or URL. Throws an
 * `OverloadedError` if too many hashes are waiting.
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
  // Usually, another window submitted its proof at the same moment, and the cookie that it received is the
  // valid one.
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

function commitOf(proofs: readonly Proved[]): CommitProof | undefined {
  const commits = proofs.flatMap(({ commitProof }) => commitProof ?? []);
  if (commits.length === 0) return undefined;
  return async (tx) => {
    for (const commitProof of commits) if (!(await commitProof(tx))) return false;
    return true;
  };
}

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

/** A proof that can be guessed is counted before it is checked (L-10, MF-4). */
async function tryProofs(trying: Trying, context: HttpContext): Promise<Tried> {
  const { identity } = context;
  const all = givenProofs(trying, context);
  if (all.length === 0) return { type: "absent" };
  const origin = originOf(trying.request);
  const { user } = trying.signedIn;
  const actor = { kind: "user", id: user.id } as const;
  const noted = (outcome: "success" | "failure", reason?: string) =>
    identity.report({ type: "step_up", outcome, actor, origin, ...(reason && { details: { reason } }) });
  // The browser's marks are omitted, so the holder of a session gets no extra guesses at the account's
  // password.
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

/** Codes of second factors have a limit of their own (MF-4). */
const isCodeOfFactor: Readonly<Record<Authenticator["kind"], boolean>> = {
  password: false,
  passkey: false,
  totp: true,
  recovery_code: true,
  provider: false,
  mail_code: false,
};

const carriedField = "sudo_form";

const isOwn = (name: string) => name === "csrf_token" || name.startsWith("sudo_");

function carriedIn(posted: Params, place: CarriedPlace, identity: IdentityContext): Params {
  const sealed = posted.get(carriedField);
  if (sealed === undefined) return paramsOf(posted.pairs.filter(([name]) => !isOwn(name)));
  const fields = openFields(sealed, place, identity);
  if (fields === undefined) throw refuse("foreign_form");
  return paramsOf(fields);
}
