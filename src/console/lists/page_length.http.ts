/** How many records a page of a list has: chosen by a link, and remembered by this browser. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Params } from "../../oauth/core/params.ts";

/** The usual one first. */
export const pageLengths = [25, 50, 100, 200] as const;
export type PageLength = (typeof pageLengths)[number];

/** No secret, as that of the language. */
const cookieName = "postern_page_length";

/** A year, in seconds. */
const cookieAge = 31_536_000;

/** What the address asks for as `limit`, which is remembered; else what was remembered or is usual. */
export function pageLengthOf(
  request: FastifyRequest,
  reply: FastifyReply,
  params: Params,
  secure: boolean,
): PageLength {
  const known = (text: string | undefined) => pageLengths.find((length) => String(length) === text);
  const asked = known(params.get("limit"));
  const remembered = known(request.cookies[cookieName]);
  if (asked !== undefined && asked !== remembered) {
    const where = { path: "/console", httpOnly: true, secure, sameSite: "lax" } as const;
    reply.setCookie(cookieName, String(asked), { ...where, maxAge: cookieAge });
  }
  return asked ?? remembered ?? pageLengths[0];
}
