import type { FastifyReply } from "fastify";
import type { Html } from "../web/html/html.ts";
import { contentSecurityPolicy, formAction, postsTo, staysHere } from "./security_headers.ts";

interface PageOptions {
  readonly status?: number;
  /** URLs outside this server to which a form of an account or console page may redirect. */
  readonly leads_to?: readonly (string | undefined)[];
  /** `script` is the hash of the script that posts the form as soon as the page is loaded. */
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

const callsBack = (page: string): boolean => page.includes(' data-suggestions="');

/** The language differs from the user's if the page does not exist in the user's language. */
function languageIn(page: string): string {
  return /<html lang="([\w-]+)"/.exec(page)?.[1] ?? "en";
}
