import type { FastifyReply } from "fastify";
import type { Html } from "../web/html.ts";
import { contentSecurityPolicy, formAction } from "./security_headers.ts";

export interface PageOptions {
  readonly status?: number;
  /** Where the browser may go when a form of the page is sent; undefined when it stays here. */
  readonly leads_to?: string | undefined | readonly (string | undefined)[];
}

export function sendPage(
  reply: FastifyReply,
  page: Html,
  { status = 200, leads_to }: PageOptions = {},
): FastifyReply {
  const text = String(page);
  return reply
    .code(status)
    .header(
      "content-security-policy",
      contentSecurityPolicy(formAction(leads_to), reply.server.picture_sources, asksBack(text)),
    )
    .header("content-language", languageIn(text))
    .header("vary", "Accept-Language, Cookie")
    .type("text/html; charset=utf-8")
    .send(text);
}

/** Whether a script of the page asks this server while somebody types. */
const asksBack = (page: string): boolean => page.includes(' data-suggestions="');

/** The language that the page itself declares: it differs from the reader's where a page lacks theirs. */
function languageIn(page: string): string {
  return /<html lang="([\w-]+)"/.exec(page)?.[1] ?? "en";
}
