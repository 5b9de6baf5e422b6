/**
 * Registers the pages of all resource types. `presentations.http.ts` describes their pages, and
 * `admin/resources/resources.ts` their operations.
 */
import type { FastifyInstance } from "fastify";
import { resources } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { confirmationRoutes } from "../endings/confirmation.routes.ts";
import { switchOnRoutes } from "../endings/switch_on.routes.ts";
import { exportRoutes } from "../lists/export.routes.ts";
import { listRoutes } from "../lists/list.routes.ts";
import { selectionRoutes } from "../lists/selection.routes.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { shownResourceTypes } from "../presentations/record_labels.http.ts";
import { formRoutes } from "./form.routes.ts";
import { showRoutes } from "./show.routes.ts";

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
