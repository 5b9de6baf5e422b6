/**
 * The records of every family: listed, shown, made, changed, ended. Nothing here is about one family; what pages show
 * and ask of each stands in `presentation.ts`, and what there is to do in `admin/resources.ts`.
 */
import type { FastifyInstance } from "fastify";
import { resources } from "../../admin/resources.ts";
import type { HttpContext } from "../context.ts";
import { endingRoutes } from "./ending_routes.ts";
import { formRoutes } from "./form_routes.ts";
import { listRoutes } from "./list_routes.ts";
import { presentations } from "./presentations.ts";
import { shownFamilies } from "./record_labels.ts";
import { showRoutes } from "./show_routes.ts";

export function recordRoutes(app: FastifyInstance, context: HttpContext): void {
  for (const resource of resources) {
    const { family } = resource;
    if (!shownFamilies.includes(family)) continue;
    listRoutes(app, resource, context);
    if (presentations[family].addressed_by === undefined) showRoutes(app, resource, context);
    formRoutes(app, resource, context);
    endingRoutes(app, resource, context);
  }
}
