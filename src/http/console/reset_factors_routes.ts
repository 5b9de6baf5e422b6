/** `/console/users/:id/reset-factors`: takes the second factors of a user, with a reason (MF-10). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { actOnRecord, requireWritable } from "../../admin/manage.ts";
import { requirePlatform } from "../../admin/reports/housekeeping.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { resourceTypeHref } from "../../web/console/console_frame.ts";
import { type ResetFactorsPage, resetFactorsPage } from "../../web/console/reset_factors_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { placedErrors } from "./record_form.ts";
import { type ConsolePerson, consolePages } from "./viewer.ts";

export function resetFactorsRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const answer = async (person: ConsolePerson, request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, csrf_token, params } = person;
    await requirePlatform(admin);
    const users = resourceOf("users");
    const record = await requireWritable(admin, users, person.id);
    const { id, view } = record;
    const show = (faulty: Partial<ResetFactorsPage>, status: number) => {
      const user = { id, name: String(view.name) };
      const shown = resetFactorsPage({ ...page, csrf_token, user, reason: "", errors: [], ...faulty });
      return sendPage(reply, shown, { status });
    };
    if (request.method !== "POST") return show({}, 200);
    const reason = params.get("reason") ?? "";
    try {
      await actOnRecord(admin, users, "reset_factors", record, { reason });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const { at, rest } = placedErrors(error, [{ name: "reason" }]);
      return show({ reason, fault: at.reason, errors: rest }, error.status);
    }
    return reply.redirect(`${resourceTypeHref("users")}/${id}?done=changed`, 303);
  };
  const path = `${resourceTypeHref("users")}/:id/reset-factors`;
  pages.get(path, answer);
  pages.post(path, answer, { sudo: true });
}
