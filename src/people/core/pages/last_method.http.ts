/** The last sign-in method used in this browser (SS-14). The cookie does not identify a user. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import { isValueOf } from "../../../records/formats/check.ts";
import type { HttpContext } from "../http_context.http.ts";

type LastMethod =
  | { readonly kind: "password" | "passkey" }
  | { readonly kind: "provider"; readonly slug: string };

const days = 365;

/**
 * Stores the user's sign-in method in the cookie. The login page offers the password first by default, so
 * `password` is recorded only if it replaces another method.
 */
export function rememberMethod(
  method: LastMethod,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): void {
  const { secure } = context;
  if (method.kind === "password" && lastMethod(request, context) === undefined) return;
  const value = method.kind === "provider" ? `provider:${method.slug}` : method.kind;
  setCookie(reply, "last", secure, value, days);
}

/** Returns the last sign-in method; undefined without a valid cookie. */
export function lastMethod(request: FastifyRequest, { secure }: HttpContext): LastMethod | undefined {
  const [, kind, slug = ""] =
    /^(password|passkey|provider)(?::(.+))?$/.exec(readCookie(request, "last", secure) ?? "") ?? [];
  if (kind === "provider") return isValueOf("providers", "slug", slug) ? { kind, slug } : undefined;
  return kind === "password" || kind === "passkey" ? { kind } : undefined;
}
