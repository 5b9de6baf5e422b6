import type { FastifyInstance } from "fastify";
import { resourceOf } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { unknownParameter } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { apiBase } from "../http/route_methods.ts";
import { tokenPreview } from "../http/token_preview.ts";
import type { ApiContext } from "./api_context.ts";
import { declarations, filtersOf, idOf } from "./route_parts.ts";

/** `resource` names APIs, separated by spaces. */
export const previewParameters = ["user", "organization", "scope", "resource"] as const;

export function previewRoutes(app: FastifyInstance, context: ApiContext): void {
  const { readable } = declarations("apps");
  getAndHead(app, `${apiBase}/apps/:id/token-preview`, readable, async (request, reply) => {
    const caller = await context.callerOf(request);
    const { user, organization, scope, resource, ...unknown } = filtersOf(request);
    const errors = Object.keys(unknown).map((name) => unknownParameter(name));
    if (errors.length > 0) throw new Problem("invalid_filter", detail("wrong_parameter"), errors);
    reply.header("cache-control", "no-store");
    const resources = resource?.split(" ").filter((name) => name !== "") ?? [];
    return tokenPreview(
      caller,
      idOf(request, resourceOf("apps")),
      { user, organization, scope, resources },
      context.server,
    );
  });
}
