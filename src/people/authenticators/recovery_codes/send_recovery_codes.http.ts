import type { FastifyReply } from "fastify";
import { sendPage } from "../../../http/page.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import type { AccountPerson } from "../../core/pages/account_person.http.ts";
import { continuationOf } from "../../core/pages/continuation.http.ts";
import { nameOfFactor, waitingFactor } from "./enrol_factor.ts";
import { recoveryCodesPage } from "./recovery_codes.page.ts";
import { recoveryCodesOf } from "./recovery_codes.ts";

/**
 * Sends the page with a new set of recovery codes; `codes` is undefined if the set was already shown (MF-7).
 */
export async function sendRecoveryCodes(
  codes: readonly string[] | undefined,
  { page, csrf_token, params, signedIn }: AccountPerson,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  const { fields } = continuationOf(params, context);
  const { identity } = context;
  const [waiting, set] = await Promise.all([
    waitingFactor(signedIn, identity),
    recoveryCodesOf(signedIn.user, identity),
  ]);
  const answer = recoveryCodesPage({
    ...page,
    // The page has no language menu, because a language change would load another page, without the codes.
    return_to: undefined,
    codes,
    adds: waiting && nameOfFactor(waiting.factor),
    has_set: set !== undefined,
    fields: { csrf_token, ...fields },
  });
  return sendPage(reply, answer, { status: codes === undefined ? 422 : 200 });
}
