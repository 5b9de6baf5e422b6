import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { permissionsOfActor } from "../../admin/access/actor.ts";
import { inState, requireWritable } from "../../admin/manage/manage.ts";
import { impactLimit, impactOf } from "../../admin/reports/impact.ts";
import { labelsOf } from "../../admin/reports/labels.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { readForm } from "../forms/read_form.http.ts";
import { fieldControls, filledFrom, placedErrors, valuesOf } from "../forms/record_form.http.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { type ConsolePerson, consolePages, sudoFor } from "../frame/viewer.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { describerBy, endOfId, referencesIn } from "../presentations/record_labels.http.ts";
import { type Ending, endingsOf } from "./endings.http.ts";
import { type ImpactPage, impactPage } from "./impact.page.ts";

export function confirmationRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  for (const ending of endingsOf(resource)) endingRoute(app, resource, ending, context);
}

function endingRoute(app: FastifyInstance, resource: Resource, ending: Ending, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType } = resource;
  const { path, verb, done, isGone } = ending;
  const route = `${resourceTypeHref(resourceType)}/:id/${path}`;

  const answer = async (person: ConsolePerson, request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, csrf_token, params } = person;
    const record = await requireWritable(admin, resource, person.id);
    const { id, view } = record;
    const list = resourceTypeHref(resourceType);
    const href = presentations[resourceType].own_page ? list : `${list}/${id}`;
    if (!ending.isTheirs(await permissionsOfActor(admin), id)) {
      throw new Problem("forbidden", detail("not_yours_to_do"));
    }
    if (!ending.isOpen(view, admin.now())) return reply.redirect(href, 303);
    const fields = await ending.fields(view, person);
    const labels = await labelsOf(admin, referencesIn(resource, view));
    const describer = describerBy(labels, admin.now(), page);
    const confirm = typedFor(describer.typed(resource, view), id);
    const values = valuesOf(view, fields);
    const stored = { view, values, shown: filledFrom(fields, values, labels, person.language) };

    const show = async (faulty: Partial<ImpactPage>, status: number, { etag } = record) => {
      const impact = ending.ends(await impactOf(admin, resource, id));
      const shown = impactPage({
        ...page,
        resourceType,
        name: describer.name(resource, view),
        verb,
        action: `${list}/${id}/${path}`,
        csrf_token,
        etag,
        impact,
        signs_out: resource.signs_out === true,
        limit: impactLimit,
        confirm,
        fields: fieldControls(fields, stored.shown),
        errors: [],
        cancel_href: href,
        ...faulty,
      });
      return sendPage(reply, shown, { status });
    };
    if (request.method !== "POST") return show({}, 200);

    const { input, typed, errors: misread } = await readForm(admin, fields, params, person.language, stored);
    const missing = fields.filter(({ name, sensitive }) => sensitive && !Object.hasOwn(input, name));
    const errors = {
      ...Object.fromEntries(missing.map(({ name }) => [name, [fieldError(`/${name}`, "required")]])),
      ...misread,
    };
    const confirm_wrong = confirm !== "" && asRead(params.get("confirm") ?? "") !== asRead(confirm);
    if (confirm_wrong || Object.keys(errors).length > 0) {
      return show({ confirm_wrong, fields: fieldControls(fields, typed, errors) }, 422);
    }
    if (ending.asks && Object.keys(input).length === 0) return reply.redirect(`${href}?done=unchanged`, 303);
    try {
      const expected = await inState(admin, resource, params.get("etag") ?? "");
      await ending.carryOut(admin, record, input, expected);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const { at, rest } = placedErrors(error, fields);
      const seen = error.code === "stale" ? await requireWritable(admin, resource, id) : record;
      return show({ fields: fieldControls(fields, typed, at), errors: rest }, error.status, seen);
    }
    return reply.redirect(`${isGone ? list : href}?done=${done}`, 303);
  };
  pages.get(route, answer);
  pages.post(route, answer, sudoFor(resourceType));
}

/** The end of the ID replaces a name that consists only of spaces and invisible characters. */
function typedFor(name: string, id: string): string {
  return name !== "" && asRead(name) === "" ? endOfId(id) : name;
}

/**
 * Returns the text without differences that users cannot see. It is cut after 4,096 characters, because no
 * name is longer.
 */
function asRead(text: string): string {
  const spaced = text
    .slice(0, 4096)
    .normalize("NFC")
    .replaceAll(/[\s\p{Z}]+/gu, " ");
  return spaced.replaceAll(/\p{C}/gu, "").trim();
}
