import type { FastifyInstance } from "fastify";
import { appState } from "../../admin/reports/app_state.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { consolePages } from "../frame/viewer.http.ts";
import { appHead, checksOf } from "./app_checks.http.ts";
import { appQuickstart } from "./app_quickstart.http.ts";
import { checksPage } from "./checks.page.ts";
import { playgroundRoutes } from "./playground.routes.ts";

export function appPageRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { server } = context;

  pages.get("/console/apps/:id/use", async ({ admin, page, id, params }, _request, reply) => {
    const created = params.get("done") === "created" ? {} : undefined;
    return sendPage(reply, await appQuickstart({ admin, page }, id, server, created));
  });

  pages.get("/console/apps/:id/checks", async ({ admin, page, id }, _request, reply) => {
    const state = await appState(admin, id, "apps:read");
    return sendPage(reply, checksPage({ ...page, app: appHead(state, server), ...checksOf(state, server) }));
  });

  playgroundRoutes(app, context);
}
