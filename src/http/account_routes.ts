/** `/account`: what is a person's own. */
import type { FastifyInstance } from "fastify";
import { changePasswordRoutes } from "./account/change_password_routes.ts";
import { connectedAppRoutes } from "./account/connected_app_routes.ts";
import { linkedAccountRoutes } from "./account/linked_account_routes.ts";
import { ownApiKeyRoutes } from "./account/own_api_key_routes.ts";
import { ownOrganizationRoutes } from "./account/own_organization_routes.ts";
import { profileRoutes } from "./account/profile_routes.ts";
import { sessionRoutes } from "./account/session_routes.ts";
import type { HttpContext } from "./context.ts";

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  profileRoutes(app, context);
  changePasswordRoutes(app, context);
  sessionRoutes(app, context);
  connectedAppRoutes(app, context);
  linkedAccountRoutes(app, context);
  ownApiKeyRoutes(app, context);
  ownOrganizationRoutes(app, context);
}
