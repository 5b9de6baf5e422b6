/** The mails about second factors that are to be recovered, each with a link that cancels it (MF-10). */
import type { FastifyRequest } from "fastify";
import type { IdentityContext } from "../../identity/context.ts";
import { dueRecoveryMails, newCancelToken, type Recovery } from "../../identity/recovery/delayed_recovery.ts";
import type { User } from "../../records/definition.ts";
import { momentText } from "../../web/moment.ts";
import { isLanguage, type Language } from "../../web/words/language.ts";
import type { HttpContext } from "../context.ts";
import { postNotice } from "./account_notices.ts";

/** Where the link of these mails leads. */
export const cancelRecoveryPath = "/cancel-recovery";

type Parts = Pick<HttpContext, "mail" | "server"> & { readonly identity: IdentityContext };

/** Tells of one recovery: of its start within the request of the person, later without one. */
export async function postRecoveryNotice(
  {
    kind,
    recovery,
    user,
    request,
  }: {
    readonly kind: "recovery_started" | "recovery_halfway" | "recovery_ready";
    readonly recovery: Recovery;
    readonly user: User;
    readonly request?: FastifyRequest;
  },
  { mail, server, identity }: Parts,
): Promise<void> {
  const language: Language = isLanguage(recovery.language) ? recovery.language : "en";
  const token = await newCancelToken(recovery, identity);
  const until = kind === "recovery_ready" ? recovery.expires_at : recovery.due_at;
  postNotice(
    { mail, server },
    {
      kind,
      user,
      request,
      language,
      more: ({ recovery: words }) => [words.mails[kind](momentText(until, "minute", language))],
      not_me_href: `${server.issuer}${cancelRecoveryPath}?token=${token}`,
    },
  );
}

/** Posts the mails that are due now, each once over all processes. */
export async function tellOfRecoveries(parts: Parts): Promise<void> {
  for (const due of await dueRecoveryMails(parts.identity)) await postRecoveryNotice(due, parts);
}
