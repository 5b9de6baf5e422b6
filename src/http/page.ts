import type { FastifyReply } from "fastify";
import type { Html } from "../web/html.ts";
import { contentSecurityPolicy, formAction } from "./security_headers.ts";

export interface PageOptions {
  readonly status?: number;
  /** Where the browser goes in the end when a form of the page is sent; undefined when it stays here. */
  readonly leads_to?: string | undefined;
}

export function sendPage(
  reply: FastifyReply,
  page: Html,
  { status = 200, leads_to }: PageOptions = {},
): FastifyReply {
  return reply
    .code(status)
    .header("content-security-policy", contentSecurityPolicy(formAction(leads_to)))
    .type("text/html; charset=utf-8")
    .send(String(page));
}
