import type { FastifyReply } from "fastify";
import type { Html } from "../web/html.ts";
import { type Language, languageTag } from "../web/words/language.ts";
import { languageOf } from "./language.ts";
import { contentSecurityPolicy, formAction } from "./security_headers.ts";

export interface PageOptions {
  readonly status?: number;
  /** Where the browser may go when a form of the page is sent; undefined when it stays here. */
  readonly leads_to?: string | undefined | readonly (string | undefined)[];
  /** The language of the page, where it differs from the reader's. */
  readonly language?: Language | undefined;
}

export function sendPage(
  reply: FastifyReply,
  page: Html,
  { status = 200, leads_to, language = languageOf(reply.request) }: PageOptions = {},
): FastifyReply {
  return reply
    .code(status)
    .header(
      "content-security-policy",
      contentSecurityPolicy(formAction(leads_to), reply.server.picture_sources),
    )
    .header("content-language", languageTag(language))
    .header("vary", "Accept-Language, Cookie")
    .type("text/html; charset=utf-8")
    .send(String(page));
}
