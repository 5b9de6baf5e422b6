/** Notifies people by mail of changes to their sign-in methods (SS-8), if mail can be sent. */
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

/** The page that explains how to secure an account: the link of every notice. */
export const secureAccountPath = "/secure-account";

export interface PostedNotice {
  readonly kind: NoticeKind;
  /**
   * The user concerned. Without an address the mail goes to the stored one; an address is passed if it has
   * just changed.
   */
  readonly user: Pick<User, "id"> & {
    readonly email?: string | undefined;
    readonly language?: string | null;
  };
  /**
   * The request of the user, or of an impostor: it supplies device, address and language. Absent if an
   * administrator or the server acted; the mail then uses the language of the user's last sign-in, unless
   * `language` is set.
   */
  readonly request?: FastifyRequest | undefined;
  /** The language of a mail without a request. */
  readonly language?: Language | undefined;
  /** The name of the created or removed item, such as a passkey or a provider. */
  readonly name?: string | undefined;
  /** Recovery codes that are left. */
  readonly codes_left?: number | undefined;
  /** Whether no mail is to be sent after all; evaluated after the answer. */
  readonly unless?: (() => Promise<boolean>) | undefined;
  /** Sentences that belong to this notice alone. */
  readonly more?: ((words: PersonWords) => readonly string[]) | undefined;
  /**
   * The target of "It was not me", if there is a better one than the advice page. A link that needs a new
   * token is created after the answer.
   */
  readonly not_me_href?: string | (() => Promise<string>) | undefined;
}

/** Posts one notice. Nothing is written here, and the request does not wait for the mail. */
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

/**
 * The former mailboxes that are notified as well, since they can restore their address (SS-7). Notices of
 * address changes name their recipients themselves.
 */
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
 * A notice that is kept with its change, such as one whose link exists in it alone; it is tried for so many
 * minutes.
 */
export interface QueuedNotice extends Pick<PostedNotice, "kind" | "name" | "more" | "request" | "language"> {
  readonly not_me_href?: string | undefined;
  readonly user: Pick<User, "id" | "email" | "language">;
  readonly minutes: number;
}

/**
 * Keeps a notice in the transaction of the change; `flushOutbox` sends it after the commit. Throws an
 * `OverloadedError` if too many wait for this person.
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

/** Sends queued mails, after the answer. */
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
