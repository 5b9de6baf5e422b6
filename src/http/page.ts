import type { FastifyReply } from "fastify";
import type { Html } from "../web/html/html.ts";
import { contentSecurityPolicy, formAction, postsTo, staysHere } from "./security_headers.ts";

export interface PageOptions {
  readonly status?: number;
  /** Addresses beyond this server where a form of a page of the account or console may lead. */
  readonly leads_to?: readonly (string | undefined)[];
  /** The page posts its form to `action` immediately, by the script of this hash, and does nothing else. */
  readonly posting?: { readonly action: string; readonly script: string };
}

export function sendPage(
  reply: FastifyReply,
  page: Html,
  { status = 200, leads_to, posting }: PageOptions = {},
): FastifyReply {
  const text = String(page);
  const usual = staysHere(reply) ? formAction(leads_to) : undefined;
  const form_action = posting === undefined ? usual : postsTo(posting.action);
  return reply
    .code(status)
    .header(
      "content-security-policy",
      contentSecurityPolicy(form_action, reply.server.picture_sources, callsBack(text), posting?.script),
    )
    .header("content-language", languageIn(text))
    .header("vary", "Accept-Language, Cookie")
    .type("text/html; charset=utf-8")
    .send(text);
}

/** Whether a script of the page queries this server while the user types. */
const callsBack = (page: string): boolean => page.includes(' data-suggestions="');

/** The language that the page itself declares: it differs from the reader's where a page lacks theirs. */
function languageIn(page: string): string {
  return /<html lang="([\w-]+)"/.exec(page)?.[1] ?? "en";
}
