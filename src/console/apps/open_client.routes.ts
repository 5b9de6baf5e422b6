import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requirePlatform } from "../../admin/access/access.ts";
import { actOnRecord, requireWritable } from "../../admin/manage/manage.ts";
import { findOpenClients, removeOpenClients, showOpenClients } from "../../admin/reports/open_clients.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { placedErrors } from "../forms/record_form.http.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { type ConsolePerson, consolePages } from "../frame/viewer.http.ts";
import {
  openClientsConfirmation,
  openClientsPage,
  type RegisterClientPage,
  registerClientPage,
} from "./open_clients.page.ts";

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
    // Called only to check the permission. Unused clients are looked up after the user has confirmed the
    // deletion.
    if (isUnused) await findOpenClients(admin, []);
    return sendPage(reply, openClientsConfirmation({ ...page, csrf_token, chosen }));
  });

  const register = async (person: ConsolePerson, request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, csrf_token, params } = person;
    await requirePlatform(admin);
    const apps = resourceOf("apps");
    const record = await requireWritable(admin, apps, person.id);
    const { id, view } = record;
    const href = `${resourceTypeHref("apps")}/${id}`;
    if (view.provenance !== "metadata_document") return reply.redirect(href, 303);
    const show = (faulty: Partial<RegisterClientPage>, status: number) => {
      const client = { id, client_id: String(view.client_id), name: String(view.name) };
      const shown = registerClientPage({ ...page, csrf_token, client, name: "", errors: [], ...faulty });
      return sendPage(reply, shown, { status });
    };
    if (request.method !== "POST") return show({}, 200);
    const name = params.get("name") ?? "";
    try {
      await actOnRecord(admin, apps, "register", record, { name });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const { at, rest } = placedErrors(error, [{ name: "name" }]);
      return show({ name, error: at.name?.[0], errors: rest }, error.status);
    }
    return reply.redirect(`${href}?done=changed`, 303);
  };
  pages.get(`${path}/:id/register`, register);
  pages.post(`${path}/:id/register`, register);
}
