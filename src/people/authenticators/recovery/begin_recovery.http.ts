/** Starts a recovery of lost factors (MF-10) or lost passkeys (MF-15). */
import type { FastifyRequest } from "fastify";
import { languageOf, localeOf } from "../../../http/language.ts";
import { originOf } from "../../../http/request_origin.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import { codeOf } from "../../../web/words/language.ts";
import { beginRecovery, type Lost, type Recovery } from "../../core/delayed_recovery.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { flushOutbox } from "../../core/notices/account_notices.http.ts";
import { postCode } from "../../core/notices/post_code.http.ts";
import { challengeRecoveryMailbox, proveRecoveryMailbox } from "./recovery_mailbox.ts";
import { enqueueRecoveryNotice } from "./recovery_notices.http.ts";

type Requested = HalfSignIn | SignedIn;

/** Emails a code to the user; false after too many requests. */
export async function requestRecovery(
  lost: Lost,
  requested: Requested,
  request: FastifyRequest,
  context: HttpContext,
): Promise<boolean> {
  const { user } = requested;
  const code = await challengeRecoveryMailbox(requested, originOf(request), context.identity);
  if (code === undefined) return false;
  postCode(lost === "passkeys" ? "removal" : "recovery", { user, code, locale: localeOf(request) }, context);
  return true;
}

type Begun =
  | { readonly type: "begun"; readonly cookie: string }
  | { readonly type: "wrong" | "expired" | "waits" };

/** Checks the mailed code, starts the waiting time and notifies the user. */
export async function beginToRecover(
  lost: Lost,
  requested: Requested & { readonly code: string },
  request: FastifyRequest,
  context: HttpContext,
): Promise<Begun> {
  const { identity } = context;
  const { user, code } = requested;
  const proved = await proveRecoveryMailbox(requested, code, identity);
  if (proved !== "right") return { type: proved };
  const input = {
    lost,
    origin: originOf(request),
    language: codeOf(languageOf(request)),
    keep: (tx: Parameters<typeof enqueueRecoveryNotice>[0], recovery: Recovery) =>
      enqueueRecoveryNotice(tx, { stage: "started", recovery, user, request }, context),
  };
  const begun = await beginRecovery(user, input, identity);
  flushOutbox(context);
  return begun === undefined ? { type: "waits" } : { type: "begun", cookie: begun.cookie };
}
