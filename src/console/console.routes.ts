import type { FastifyInstance } from "fastify";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { appPageRoutes } from "./apps/app_page.routes.ts";
import { openClientRoutes } from "./apps/open_client.routes.ts";
import { tokenPreviewRoutes } from "./apps/token_preview.routes.ts";
import { dashboardRoutes } from "./dashboard.routes.ts";
import { takeFactorsRoutes } from "./endings/take_factors.routes.ts";
import { viewChoiceRoutes } from "./frame/view_choices.http.ts";
import { missingRoutes } from "./frame/viewer.http.ts";
import { importPageRoutes } from "./import.routes.ts";
import { invitationRoutes } from "./invitation.routes.ts";
import { searchRoutes } from "./lists/search.routes.ts";
import { suggestionRoutes } from "./lists/suggestion.routes.ts";
import { organizationRoutes } from "./organization.routes.ts";
import { endpointRoutes } from "./records/endpoint.routes.ts";
import { noticeButtonRoutes } from "./records/notice_buttons.routes.ts";
import { providerCheckRoutes } from "./records/provider_check.routes.ts";
import { recordRoutes } from "./records/record.routes.ts";
import { userHelpRoutes } from "./records/user_help.routes.ts";
import { refusalRoutes } from "./refusal.routes.ts";

/** `/console`: the pages for administrators of the platform or an organization. */
export function consoleRoutes(app: FastifyInstance, context: HttpContext): void {
  viewChoiceRoutes(app, context);
  organizationRoutes(app, context);
  dashboardRoutes(app, context);
  appPageRoutes(app, context);
  tokenPreviewRoutes(app, context);
  refusalRoutes(app, context);
  invitationRoutes(app, context);
  importPageRoutes(app, context);
  openClientRoutes(app, context);
  providerCheckRoutes(app, context);
  takeFactorsRoutes(app, context);
  userHelpRoutes(app, context);
  noticeButtonRoutes(app, context);
  endpointRoutes(app, context);
  searchRoutes(app, context);
  suggestionRoutes(app, context);
  recordRoutes(app, context);
  missingRoutes(app, context);
}
