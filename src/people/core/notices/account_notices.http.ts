/** Notifies users of account events by email (SS-8). */
import type { FastifyRequest } from "fastify";
import { languageOf, storedLanguage } from "../../../http/language.ts";
import { originOf } from "../../../http/request_origin.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { NoticeKind } from "../../../records/names/notices.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import type { Language } from "../../../web/words/language.ts";
import { wordsOf } from "../../../web/words/words.ts";
import { formerEmails } from "../former_emails.ts";
import type { HttpContext } from "../http_context.http.ts";
import type { MailText } from "../mail_text.view.ts";
import { enqueueMail, sendOutbox } from "../outbox.ts";
import { type NoticeMail, noticeMail } from "./notice.mail.ts";

export const secureAccountPath = "/secure-account";

interface PostedNotice {
  readonly kind: NoticeKind;
  readonly user: Pick<User, "id"> & {
    readonly email?: string | undefined;
    readonly language?: string | null;
  };
  /**
   * Supplies the device, IP address and language. Absent if an administrator or the server made the change.
   */
  readonly request?: FastifyRequest | undefined;
  readonly language?: Language | undefined;
  readonly name?: string | undefined;
  readonly codes_left?: number | undefined;
  /** Returns whether to suppress the email after all; called after the response. */
  readonly unless?: (() => Promise<boolean>) | undefined;
  readonly more?: ((words: PersonWords) => readonly string[]) | undefined;
  /**
   * The link "It was not me"; if undefined, the email links to the advice page. A function is called after
   * the response.
   */
  readonly not_me_href?: string | (() => Promise<string>) | undefined;
}

/** Emails one notice in the background, without storing it, also to the addresses of `formerMailboxes`. */
export function postNotice(
  { mail, server, languages }: Pick<HttpContext, "mail" | "server" | "languages">,
  { user, request, language: input, unless, not_me_href: made, ...notice }: PostedNotice,
): void {
  if (mail === undefined) return;
  const at = server.now();
  const spoken = request === undefined ? input : languageOf(request);
  const origin = request && originOf(request);
  mail.post(async () => {
    const stored =
      user.email === undefined || spoken === undefined
        ? await server.store.find("users", { id: user.id })
        : undefined;
    const to = user.email ?? stored?.email;
    if (to === undefined || (await unless?.())) return undefined;
    const language = spoken ?? storedLanguage(stored ?? user, { languages });
    const not_me_href = typeof made === "function" ? await made() : made;
    const text = textOf({ ...notice, not_me_href, language, origin, at }, server);
    for (const former of await formerMailboxes(notice.kind, user, server)) {
      if (former !== to) mail.post(async () => ({ to: former, ...text }));
    }
    return { to, ...text };
  });
}

/** The user can restore these former addresses, so they get the notice too (SS-7). */
async function formerMailboxes(
  kind: NoticeKind,
  user: Pick<User, "id">,
  server: HttpContext["server"],
  reads?: Parameters<typeof formerEmails>[2],
): Promise<readonly string[]> {
  if (kind === "email" || kind === "email_here" || kind === "deleted") return [];
  return formerEmails(user, server, reads);
}

/**
 * A notice that is stored in the transaction of its change, for example because it contains the only undo
 * link.
 */
interface QueuedNotice extends Pick<PostedNotice, "kind" | "name" | "more" | "request" | "language"> {
  readonly not_me_href?: string | undefined;
  readonly user: Pick<User, "id" | "email" | "language">;
  readonly minutes: number;
}

/**
 * Stores a notice in the transaction of the change. Throws an `OverloadedError` if too many emails are
 * waiting for this user.
 */
export async function enqueueNotice(
  tx: Parameters<typeof enqueueMail>[0],
  { user, request, language: input, minutes, ...notice }: QueuedNotice,
  { mail, server, identity, languages }: Pick<HttpContext, "mail" | "server" | "identity" | "languages">,
): Promise<void> {
  if (mail === undefined) return;
  const language =
    request === undefined ? (input ?? storedLanguage(user, { languages })) : languageOf(request);
  const facts = { language, origin: request && originOf(request), at: server.now() };
  const text = textOf({ ...notice, ...facts }, server);
  const former = await formerMailboxes(notice.kind, user, server, tx);
  for (const to of new Set([user.email, ...former])) {
    await enqueueMail(tx, user, { to, ...text }, minutes, identity);
  }
}

export function flushOutbox({ mail, identity }: Pick<HttpContext, "mail" | "identity">): void {
  void mail?.flushOutbox((send) => sendOutbox(identity, send));
}

type NoticeFacts = Pick<PostedNotice, "kind" | "name" | "codes_left" | "more"> &
  Pick<QueuedNotice, "not_me_href"> &
  Pick<NoticeMail, "language" | "origin" | "at">;

function textOf(
  { not_me_href, more, ...notice }: NoticeFacts,
  { issuer }: Pick<HttpContext["server"], "issuer">,
): MailText {
  const words = wordsOf(notice.language);
  const { notMe: lead, notMeLink: label } = words.notices;
  const href = not_me_href ?? `${issuer}${secureAccountPath}`;
  const not_me = notice.kind === "deleted" || notice.kind === "secured" ? undefined : { lead, href, label };
  const server_name = new URL(issuer).host;
  return noticeMail({ ...notice, more: more?.(words), words, server_name, not_me });
}
