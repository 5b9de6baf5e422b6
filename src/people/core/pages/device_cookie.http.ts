import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import type { LocalRedirect } from "../../../http/same_origin.ts";
import type { HttpContext } from "../http_context.http.ts";

export function deviceCookie(request: FastifyRequest, { secure }: HttpContext): string | undefined {
  return readCookie(request, "device", secure);
}

/**
 * Returns the cookie of a remembered browser; undefined if the sign-in continues under `/sign-in/`. There, a
 * provider account waits to be linked, and a remembered browser must not replace the second factor (EP-11).
 */
export function deviceFor(
  { url }: LocalRedirect,
  request: FastifyRequest,
  context: HttpContext,
): string | undefined {
  return url.startsWith("/sign-in/") ? undefined : deviceCookie(request, context);
}

export function setDeviceCookie(
  reply: FastifyReply,
  cookie: string,
  days: number,
  { secure }: HttpContext,
): void {
  setCookie(reply, "device", secure, cookie, days);
}
