import type { FastifyInstance } from "fastify";
import { requireScope } from "../admin/access/access.ts";
import { permissionsOfActor } from "../admin/access/actor.ts";
import { invalidRecord } from "../admin/access/errors.ts";
import { inspectToken } from "../admin/reports/inspect_token.ts";
import { detail } from "../errors/details.ts";
import { type FieldError, fieldError, unknownField } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { apiBase } from "../http/route_methods.ts";
import type { ApiContext } from "./api_context.ts";
import { jsonBodyOf, jsonTypes } from "./json.ts";
import { declarations } from "./route_parts.ts";

/** Maximum length of a token in characters, far above the longest access token of this server. */
export const longestInspected = 16_384;

export function introspectionRoutes(app: FastifyInstance, context: ApiContext): void {
  const { readable } = declarations("tokens");
  const path = `${apiBase}/introspect`;
  app.post(path, readable, async (request, reply) => {
    const caller = await context.callerOf(request);
    requireScope(await permissionsOfActor(caller), "tokens:read");
    const body = jsonBodyOf(request, jsonTypes);
    if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
    const { token, ...unknown } = body.value;
    const errors: FieldError[] = Object.keys(unknown).map((name) => unknownField(name));
    if (typeof token !== "string" || token === "") errors.push(fieldError("/token", "required_text"));
    else if (token.length > longestInspected)
      errors.push(fieldError("/token", "too_long", { characters: longestInspected }));
    if (errors.length > 0 || typeof token !== "string") throw invalidRecord("oauth_tokens", errors);
    reply.header("cache-control", "no-store");
    return inspectToken(caller, token);
  });
}
