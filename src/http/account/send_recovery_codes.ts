import type { FastifyReply } from "fastify";
import { recoveryCodesPage } from "../../web/account/recovery_codes_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import type { AccountPerson } from "./account_person.ts";
import { wayOn } from "./way_on.ts";

/** Shows a new set of recovery codes; undefined where it was shown and not confirmed (MF-7). */
export async function sendRecoveryCodes(
  codes: readonly string[] | undefined,
  { page, csrf_token, params }: AccountPerson,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  const { fields } = wayOn(params, context);
  const answer = recoveryCodesPage({
    ...page,
    // Another language would be another page, without the codes.
    return_to: undefined,
    codes,
    fields: { csrf_token, ...fields },
  });
  return sendPage(reply, answer, { status: codes === undefined ? 422 : 200 });
}
