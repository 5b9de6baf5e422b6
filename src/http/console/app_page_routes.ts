/** What an app's developer needs beside its record: snippets, a playground, risky settings. */

import type { FastifyInstance } from "fastify";
import { risksOf } from "../../admin/app_risks.ts";
import { profileMisfits } from "../../admin/profile_misfits.ts";
import { appState } from "../../admin/reports/app_state.ts";
import { demandsMade, demandsOn } from "../../records/profiles.ts";
import { checksPage } from "../../web/console/checks_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { appQuickstart } from "./app_quickstart.ts";
import { playgroundRoutes } from "./playground_routes.ts";
import { consolePages } from "./viewer.ts";

export function appPageRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { server } = context;
  const { issuer } = server;

  pages.get("/console/apps/:id/use", async ({ admin, page, id, params }, _request, reply) => {
    const created = params.get("done") === "created" ? {} : undefined;
    return sendPage(reply, await appQuickstart({ admin, page }, id, server, created));
  });

  pages.get("/console/apps/:id/checks", async ({ admin, page, id }, _request, reply) => {
    const { app: record, secrets, ...around } = await appState(admin, id, "apps:read");
    const { settings: switches } = server;
    const risks = risksOf(record, secrets, { ...around, issuer, now: server.now(), switches });
    const demands = demandsMade(demandsOn(record, switches));
    const misfits = profileMisfits(record, switches);
    const secrets_seen = secrets !== undefined;
    return sendPage(reply, checksPage({ ...page, app: record, risks, secrets_seen, demands, misfits }));
  });

  playgroundRoutes(app, context);
}
