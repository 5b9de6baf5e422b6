/** The last sign-in method in this browser (SS-14): a cookie that names the kind, and no person. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import { isValueOf } from "../../../records/formats/check.ts";
import type { HttpContext } from "../http_context.http.ts";

export type LastMethod =
  | { readonly kind: "password" | "passkey" }
  | { readonly kind: "provider"; readonly slug: string };

/** Days for which a browser remembers it. */
const days = 365;

/** Remembers it. The password comes first anyway: it needs no cookie until another method has one. */
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

/** Undefined if there was none, or the cookie is not our own. */
export function lastMethod(request: FastifyRequest, { secure }: HttpContext): LastMethod | undefined {
  const [, kind, slug = ""] =
    /^(password|passkey|provider)(?::(.+))?$/.exec(readCookie(request, "last", secure) ?? "") ?? [];
  if (kind === "provider") return isValueOf("providers", "slug", slug) ? { kind, slug } : undefined;
  return kind === "password" || kind === "passkey" ? { kind } : undefined;
}
