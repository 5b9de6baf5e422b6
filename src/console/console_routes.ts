import type { FastifyInstance } from "fastify";
import type { HttpContext } from "../http/context.ts";
import { appPageRoutes } from "./apps/app_page_routes.ts";
import { openClientRoutes } from "./apps/open_client_routes.ts";
import { dashboardRoutes } from "./dashboard_routes.ts";
import { takeFactorsRoutes } from "./endings/take_factors_routes.ts";
import { invitationRoutes } from "./invitation_routes.ts";
import { searchRoutes } from "./lists/search_routes.ts";
import { suggestionRoutes } from "./lists/suggestion_routes.ts";
import { organizationRoutes } from "./organization_routes.ts";
import { providerCheckRoutes } from "./provider_check_routes.ts";
import { recordRoutes } from "./records/record_routes.ts";
import { viewChoiceRoutes } from "./records/view_choices.ts";
import { refusalRoutes } from "./refusal_routes.ts";
import { userHelpRoutes } from "./user_help_routes.ts";
import { missingRoutes } from "./viewer.ts";

/** `/console`: the pages of those who administer the platform or an organization. */
export function consoleRoutes(app: FastifyInstance, context: HttpContext): void {
  viewChoiceRoutes(app, context);
  organizationRoutes(app, context);
  dashboardRoutes(app, context);
  appPageRoutes(app, context);
  refusalRoutes(app, context);
  invitationRoutes(app, context);
  openClientRoutes(app, context);
  providerCheckRoutes(app, context);
  takeFactorsRoutes(app, context);
  userHelpRoutes(app, context);
  searchRoutes(app, context);
  suggestionRoutes(app, context);
  recordRoutes(app, context);
  missingRoutes(app, context);
}
