import type { FastifyRequest } from "fastify";
import { originOf } from "../../http/request_origin.ts";
import type { MethodKind } from "../../records/names/sign_in_methods.ts";
import type { HttpContext } from "../core/http_context.http.ts";

export function reportUnproved(
  method: Extract<MethodKind, "passkey" | "provider">,
  request: FastifyRequest,
  { identity }: HttpContext,
): void {
  identity.report({
    type: "sign_in",
    outcome: "failure",
    actor: { kind: "anonymous" },
    origin: originOf(request),
    details: { reason: "unproved", method },
  });
}
