/**
 * The records of every resource type: listed, shown, made, changed, ended. Nothing here is about one resource
 * type: `presentations.ts` says what pages show and ask of each, `admin/resources/resources.ts` what can be
 * done with it.
 */
import type { FastifyInstance } from "fastify";
import { resources } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../http/context.ts";
import { confirmationRoutes } from "../endings/confirmation_routes.ts";
import { switchOnRoutes } from "../endings/switch_on_routes.ts";
import { exportRoutes } from "../lists/export_routes.ts";
import { listRoutes } from "../lists/list_routes.ts";
import { selectionRoutes } from "../lists/selection_routes.ts";
import { formRoutes } from "./form_routes.ts";
import { presentations } from "./presentations.ts";
import { shownResourceTypes } from "./record_labels.ts";
import { showRoutes } from "./show_routes.ts";

export function recordRoutes(app: FastifyInstance, context: HttpContext): void {
  for (const resource of resources) {
    const { resourceType } = resource;
    confirmationRoutes(app, resource, context);
    if (!shownResourceTypes.includes(resourceType)) continue;
    listRoutes(app, resource, context);
    exportRoutes(app, resource, context);
    selectionRoutes(app, resource, context);
    if (presentations[resourceType].addressed_by === undefined) showRoutes(app, resource, context);
    formRoutes(app, resource, context);
    switchOnRoutes(app, resource, context);
  }
}
