/**
 * `/console/users/:id/reset-factors` removes all second factors of a user, and
 * `/console/users/:id/factors/:factor_id/remove` removes one. Both require a reason (MF-10).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requirePlatform } from "../../admin/access/access.ts";
import { actOnRecord, readOfRecord, requireWritable } from "../../admin/manage/manage.ts";
import type { SignInMethods } from "../../admin/records/sign_in_methods.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { placedErrors } from "../forms/record_form.http.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { type ConsolePerson, consolePages } from "../frame/viewer.http.ts";
import { type TakeFactorsPage, takeFactorsPage } from "./take_factors.page.ts";

export function takeFactorsRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const answer = async (person: ConsolePerson, request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, csrf_token, params } = person;
    await requirePlatform(admin);
    const users = resourceOf("users");
    const record = await requireWritable(admin, users, person.id);
    const { id, view } = record;
    const { factor_id } = request.params as { readonly factor_id?: string };
    const factor = factor_id === undefined ? undefined : await factorOf(person, id, factor_id);
    const show = (faulty: Partial<TakeFactorsPage>, status: number) => {
      const user = { id, name: String(view.name) };
      const shown = takeFactorsPage({ ...page, csrf_token, user, factor, reason: "", errors: [], ...faulty });
      return sendPage(reply, shown, { status });
    };
    if (request.method !== "POST") return show({}, 200);
    const reason = params.get("reason") ?? "";
    try {
      if (factor === undefined) await actOnRecord(admin, users, "reset_factors", record, { reason });
      else await actOnRecord(admin, users, "remove_factor", record, { factor_id: factor.id, reason });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const { at, rest } = placedErrors(error, [{ name: "reason" }]);
      return show({ reason, error: at.reason?.[0], errors: rest }, error.status);
    }
    return reply.redirect(`${resourceTypeHref("users")}/${id}?done=changed`, 303);
  };
  const path = `${resourceTypeHref("users")}/:id`;
  for (const each of [`${path}/reset-factors`, `${path}/factors/:factor_id/remove`]) {
    pages.get(each, answer);
    pages.post(each, answer, { sudo: true });
  }
}

async function factorOf({ admin }: ConsolePerson, id: string, factor_id: string) {
  const methods = await readOfRecord(admin, resourceOf("users"), "sign_in_methods", id);
  const { passkeys, authenticator_apps } = methods as SignInMethods;
  const found = [...passkeys, ...authenticator_apps].find((each) => each.id === factor_id);
  if (found === undefined) throw new Problem("not_found", detail("not_id_of_record", { record: "user" }));
  return { id: found.id, name: found.name };
}
