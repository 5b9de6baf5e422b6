/** The clients that nobody registered: looked through and deleted by platform administrators. */
import type { FastifyInstance } from "fastify";
import { findOpenClients, removeOpenClients, showOpenClients } from "../../admin/reports/open_clients.ts";
import { openClientsConfirmation, openClientsPage } from "../../web/console/open_clients_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { consolePages } from "./viewer.ts";

const path = "/console/open-clients";

export function openClientRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);

  pages.get(path, async ({ admin, page, csrf_token, params }, _request, reply) => {
    const shown = await showOpenClients(admin, params.get("before"));
    const removed = /^\d{1,6}$/.exec(params.get("removed") ?? "")?.[0];
    const done = removed === undefined ? undefined : Number(removed);
    return sendPage(reply, openClientsPage({ ...page, ...shown, csrf_token, removed: done }));
  });

  pages.post(path, async ({ admin, page, csrf_token, params }, _request, reply) => {
    const isUnused = params.get("which") === "never_used";
    const ids = params.all("id");
    if (params.get("confirmed") === "yes") {
      const removed = await removeOpenClients(admin, isUnused ? "never_used" : ids);
      return reply.redirect(`${path}?removed=${removed}`, 303);
    }
    const chosen = isUnused ? ("never_used" as const) : await findOpenClients(admin, ids);
    if (chosen !== "never_used" && chosen.length === 0) {
      const shown = await showOpenClients(admin);
      const again = openClientsPage({ ...page, ...shown, csrf_token, nothing_chosen: true });
      return sendPage(reply, again, { status: 422 });
    }
    // The answer to the first button asks; nothing is deleted before the second.
    if (isUnused) await findOpenClients(admin, []);
    return sendPage(reply, openClientsConfirmation({ ...page, csrf_token, chosen }));
  });
}
