/**
 * What is sensitive waits for a proof of the last minutes (SU-6): a page asks for it, and its form carries
 * the fields of the first one on.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "../../../http/context.ts";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import { originOf } from "../../../http/request_origin.ts";
import { targetOf } from "../../../http/target.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import { type EnrolledMethods, highestAcr, passwordAcr } from "../../../records/names/sign_in_methods.ts";
import type { KeptForm } from "../../core/kept_forms.ts";
import { addMethods, type Spend } from "../../core/sessions.ts";
import { type Attempt, countAttempt, countCode } from "../../core/throttle.ts";
import { carriedIn, proofIn } from "./carried_form.http.ts";
import type { SudoFault } from "./sudo.page.ts";
import type { MissingProofs } from "./sudo.ts";
import { findMissing, sendSudoPage } from "./sudo_question.http.ts";
import type { SudoProved, SudoWay } from "./sudo_way.http.ts";
import { allSudoWays } from "./sudo_ways.http.ts";

/** Which posts of a route are sensitive; `true` is all of them. */
export type SudoMark = true | SensitivePosts;

interface SensitivePosts {
  /** Whether these fields ask for something sensitive; always, when absent. */
  readonly when?: (fields: Params, signedIn: SignedIn) => boolean;
  /** What answers asks for the password itself: the proof of an account that has nothing above it. */
  readonly asks_password?: true;
  /** It takes two factors that are left without the passkeys of the account (MF-15). */
  readonly passkeys_lost?: true;
  /** Where the browser may be sent in the end, beside pages of this server. */
  readonly leads_to?: string;
}

export interface SudoPost {
  readonly signedIn: SignedIn;
  /** The form, which is one of ours. */
  readonly params: Params;
  readonly csrf_token: string;
  readonly mark: SudoMark;
  /** The page to go back to instead. */
  readonly return_to: string | undefined;
}

/** The person may go on, with the fields of the form that they sent first. */
export interface SudoPassed {
  readonly signedIn: SignedIn;
  readonly params: Params;
}

/**
 * Whether a sensitive post may go on. A right proof is added to the session, whose cookie is another one
 * from then on (SU-5). Without one the page that asks for it is the reply, and the answer is undefined.
 * Throws `foreign_form`, and an `OverloadedError` when too many hashes are waiting.
 */
export async function requireSudo(
  { signedIn, params: posted, csrf_token, mark, return_to }: SudoPost,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<SudoPassed | undefined> {
  const { identity } = context;
  const place = { signedIn, url: targetOf(request).url };
  const params = carriedIn(posted, place, identity);
  if (mark !== true && mark.when?.(params, signedIn) === false) return { signedIn, params };
  const enrolled = await identity.store.enrolledMethods(signedIn.user);
  if (mark !== true && mark.asks_password && highestAcr(enrolled) === passwordAcr)
    return { signedIn, params };
  const browser = readCookie(request, "form", context.secure);
  const passkeys_lost = mark === true ? undefined : mark.passkeys_lost;
  const asked = { signedIn, enrolled, passkeys_lost };
  const missing = await findMissing(asked, browser, context);
  if (missing.length === 0) return { signedIn, params };

  const form: KeptForm = {
    url: place.url,
    fields: params.pairs,
    cancel_href: return_to ?? `/${place.url.split(/[/?]/)[1]}`,
    leads_to: (mark === true ? undefined : mark.leads_to) ?? null,
    ...(passkeys_lost && { passkeys_lost }),
  };
  const ask = async (still: MissingProofs, fault?: SudoFault, retry_after?: number) => {
    const question = { ...asked, missing: still, form, csrf_token, fault, retry_after };
    await sendSudoPage(question, request, reply, context);
    return undefined;
  };

  const trying = { ...asked, missing, posted, request };
  if (await leftForProof(trying, form, reply, context)) return undefined;
  const tried = await tryProofs(trying, context);
  if (tried.type === "absent") return ask(missing);
  if (tried.type === "throttled") return ask(missing, "throttled", tried.retry_after);
  if (tried.type === "wrong") return ask(missing, tried.way.kinds[0]);
  const { proofs } = tried;
  const methods = proofs.map(({ method }) => method);
  const added = await addMethods(signedIn, methods, identity, spendOf(proofs));
  // Another window gave its proof at the same moment: its cookie is the one that counts.
  if (added === undefined) return ask(missing, "changed_meanwhile");
  for (const { told } of proofs) told?.();
  setCookie(reply, "session", context.secure, added.cookie);
  const still = await findMissing({ ...asked, signedIn: added.signedIn }, browser, context);
  if (still.length > 0) return ask(still);
  await tried.forgive();
  return { signedIn: added.signedIn, params };
}

/** Uses up all that the proofs were given with, or nothing; undefined where there is nothing to use up. */
function spendOf(proofs: readonly SudoProved[]): Spend | undefined {
  const spends = proofs.flatMap(({ spend }) => spend ?? []);
  if (spends.length === 0) return undefined;
  return async (tx) => {
    for (const spend of spends) if (!(await spend(tx))) return false;
    return true;
  };
}

/** The proofs that came and are still wanted, each by its way. */
function givenProofs({ missing, posted }: Pick<Trying, "missing" | "posted">) {
  const wanted = missing.flat();
  return allSudoWays
    .filter(({ kinds }) => kinds.some((kind) => wanted.includes(kind)))
    .map((way) => ({ way, proof: proofIn(posted, way.fields) }))
    .filter(({ proof }) => proof.pairs.length > 0);
}

/** Whether the person went elsewhere to prove who they are; whatever else came is not looked at. */
async function leftForProof(
  trying: Trying,
  form: KeptForm,
  reply: FastifyReply,
  context: HttpContext,
): Promise<boolean> {
  for (const { way, proof } of givenProofs(trying)) {
    if (way.leave && (await way.leave({ ...trying, proof }, form, reply, context))) return true;
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
  | { readonly type: "wrong"; readonly way: SudoWay }
  | { readonly type: "right"; readonly proofs: readonly SudoProved[]; forgive(): Promise<void> };

/** Tries every proof that came; one that can be guessed is counted before it is looked at (L-10, MF-4). */
async function tryProofs(
  { signedIn, enrolled, missing, posted, request }: Trying,
  context: HttpContext,
): Promise<Tried> {
  const { identity } = context;
  const given = givenProofs({ missing, posted });
  if (given.length === 0) return { type: "absent" };
  const origin = originOf(request);
  const { user } = signedIn;
  const actor = { kind: "user", id: user.id } as const;
  const noted = (outcome: "success" | "failure", reason?: string) =>
    identity.report({ type: "step_up", outcome, actor, origin, ...(reason && { details: { reason } }) });
  // Without the marks of the browser: who holds a session guesses no more than anybody at its password.
  const guess = { account: user, client_ip: origin.client_ip };
  const counted: Attempt[] = [];
  if (given.some(({ way }) => way.guessable)) counted.push(await countAttempt(guess, identity));
  if (given.some(({ way }) => isCode(way))) counted.push(await countCode(user.id, identity));
  const waits = counted.flatMap(({ retry_after }) => (retry_after === undefined ? [] : [retry_after]));
  if (waits.length > 0) {
    noted("failure", "throttled");
    return { type: "throttled", retry_after: Math.max(...waits) };
  }
  const proofs: SudoProved[] = [];
  try {
    for (const { way, proof } of given) {
      const proved = await way.prove({ signedIn, enrolled, proof, request }, context);
      if (proved === "asked") {
        await withdraw();
        return { type: "absent" };
      }
      if (proved === "wrong") {
        noted("failure", `wrong_${way.kinds[0]}`);
        return { type: "wrong", way };
      }
      proofs.push(proved);
    }
  } catch (error) {
    await withdraw();
    throw error;
  }
  noted("success");
  return { type: "right", proofs, forgive };

  async function withdraw(): Promise<void> {
    for (const each of counted) await each.withdraw();
  }

  async function forgive(): Promise<void> {
    for (const each of counted) await each.forgive();
  }
}

/** Codes of a second factor have a budget of their own beside the account's (MF-4). */
function isCode({ kinds }: SudoWay): boolean {
  return kinds.includes("totp") || kinds.includes("recovery_code");
}
