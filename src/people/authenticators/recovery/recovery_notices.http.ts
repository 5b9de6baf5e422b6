import type { FastifyRequest } from "fastify";
import { storedLanguage } from "../../../http/language.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { NoticeKind } from "../../../records/names/notices.ts";
import { momentText } from "../../../web/moment.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import { type Language, languageTag } from "../../../web/words/language.ts";
import { type Lost, lostIn, newCancelToken, type Recovery } from "../../core/delayed_recovery.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { enqueueNotice, flushOutbox } from "../../core/notices/account_notices.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { dueRecoveryMails } from "./due_recoveries.ts";
import { removeLostPasskeys } from "./remove_lost_passkeys.ts";

export const cancelRecoveryPath = "/cancel-recovery";

type Parts = Pick<HttpContext, "mail" | "server" | "identity" | "languages">;

const noticesOf = { factors: "recovery", passkeys: "removal" } as const satisfies Readonly<
  Record<Lost, string>
>;

/** Returns the kind of the notice for this loss and stage. */
export const recoveryNotice = <S extends Stage | "cancelled" | "finished">(lost: Lost, stage: S) =>
  `${noticesOf[lost]}_${stage}` as const satisfies NoticeKind;

type Stage = "started" | "halfway" | "ready";

/**
 * Queues an email about a recovery. `tx` must be the transaction that counts it in `recoveries.mails`.
 * `request` is set only for the first email, because the server itself causes the others.
 */
export async function enqueueRecoveryNotice(
  tx: Parameters<typeof enqueueNotice>[0],
  {
    stage,
    recovery,
    user,
    request,
  }: {
    readonly stage: Stage;
    readonly recovery: Recovery;
    readonly user: User;
    readonly request?: FastifyRequest;
  },
  parts: Parts,
): Promise<void> {
  const language = storedLanguage(recovery, parts);
  const token = await newCancelToken(recovery, parts.identity, tx);
  const notice = {
    kind: recoveryNotice(lostIn(recovery), stage),
    user,
    request,
    language,
    more: (words: PersonWords) => [untilText(stage, recovery, words, language)],
    not_me_href: `${parts.server.issuer}${cancelRecoveryPath}?token=${token}`,
    minutes: purposes.recovery_cancel.minutes,
  };
  await enqueueNotice(tx, notice, parts);
}

function untilText(
  stage: Stage,
  { passkeys_only, due_at, expires_at }: Recovery,
  { recovery: words, lostPasskey }: PersonWords,
  language: Language,
): string {
  const until = stage === "ready" && !passkeys_only ? expires_at : due_at;
  const when = momentText(until, "minute", language);
  return passkeys_only ? lostPasskey.mailUntil(when) : words.mails[`recovery_${stage}` as const](when);
}

/** Minutes for which the delivery of the email about removed passkeys is retried. */
const week = 7 * 24 * 60;

/**
 * Removes lost passkeys and then sends the emails that are due. In this order, a call after a clock jump does
 * not remove passkeys right after the user's last email.
 */
export async function followRecoveries(parts: Parts, at: Date): Promise<void> {
  try {
    await removeLostPasskeys({ ...parts.identity, now: () => at }, (tx, { user, recovery, names }) => {
      const language = storedLanguage(recovery, parts);
      const name = new Intl.ListFormat(languageTag(language)).format(names);
      const kind = recoveryNotice("passkeys", "finished");
      return enqueueNotice(tx, { kind, user, name, language, minutes: week }, parts);
    });
    await dueRecoveryMails(parts.identity, (tx, due) => enqueueRecoveryNotice(tx, due, parts));
  } finally {
    flushOutbox(parts);
  }
}
