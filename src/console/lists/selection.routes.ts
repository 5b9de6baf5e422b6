import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { inState, requireWritable, stateIn, type WritableRecord } from "../../admin/manage/manage.ts";
import { impactLimit, impactOf } from "../../admin/reports/impact.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import { type Detail, detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { FormError } from "../../web/error_sentence.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import { type Ending, endingsOf } from "../endings/endings.http.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { type ConsolePerson, consolePages, sudoFor } from "../frame/viewer.http.ts";
import { describerOf } from "../presentations/record_labels.http.ts";
import { type ManyVerb, manyDonePage, manyPage, type NamedRecord, type NotDone } from "./many.page.ts";

/** Equals the maximum page size of a list. */
export const mostSelected = 200;

const otherFields = 10;

const verbsOfMany: readonly string[] = ["switch_off", "revoke", "delete"] satisfies ManyVerb[];

type EndingOfMany = Ending & { readonly verb: ManyVerb };

export function endingsOfMany(resource: Resource): readonly EndingOfMany[] {
  return endingsOf(resource).filter(
    (ending): ending is EndingOfMany => verbsOfMany.includes(ending.verb) && ending.asks === undefined,
  );
}

export const selectionPath = ({ resourceType }: Resource): string =>
  `${resourceTypeHref(resourceType)}/selected`;

export function selectionRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const endings = endingsOfMany(resource);
  if (endings.length === 0) return;
  const pages = consolePages(app, context);
  const path = resourceTypeHref(resource.resourceType);

  pages.post(
    selectionPath(resource),
    async (person, _request, reply) => {
      const { params } = person;
      const ending = endings.find(({ verb }) => verb === params.get("verb"));
      const ids = [...new Set(params.all("id"))];
      const back = backTo(path, params);
      if (ending === undefined || ids.length === 0 || ids.length > mostSelected) {
        const done = ids.length > mostSelected ? "too_many_selected" : "none_selected";
        return reply.redirect(hrefWith(path, { ...back.query, done }), 303);
      }
      return askAbout(person, ending, ids, back.href, reply);
    },
    { return_to: path, most_fields: mostSelected + otherFields },
  );

  for (const ending of endings) {
    pages.post(
      `${selectionPath(resource)}/${ending.path}`,
      async (person, request, reply) => {
        const seen = shownStates(person.params);
        const ids = [...seen.keys()];
        const back = backTo(path, person.params).href;
        const typed = person.params.get("confirm")?.trim();
        if (typed !== String(ids.length)) return askAbout(person, ending, ids, back, reply, true);
        return carryOut(person, ending, seen, back, request, reply);
      },
      { ...sudoFor(resource.resourceType), return_to: path },
    );
  }

  async function sorted({ admin, page, ...person }: ConsolePerson, ending: Ending, ids: readonly string[]) {
    const found = await Promise.all(ids.map((id) => writable(admin, id)));
    const views = found.flatMap((each) => ("record" in each ? [each.record.view] : []));
    const describer = await describerOf(admin, page, [[resource, views]]);
    const open: (NamedRecord & { readonly record: WritableRecord })[] = [];
    const not_done: NotDone[] = [];
    for (const [index, each] of found.entries()) {
      const id = ids[index] ?? "";
      if (!("record" in each)) {
        not_done.push({ name: id, why: each.errors });
        continue;
      }
      const { record } = each;
      const named = { id, name: describer.name(resource, record.view) };
      const isTheirs = ending.isTheirs(await permissionsOfActor(admin), record.id);
      const fields = await ending.fields(record.view, { admin, page, ...person });
      const asks = fields.some(({ required }) => required);
      if (!isTheirs || asks) not_done.push({ ...named, why: [detail("not_yours_to_do")] });
      else if (!ending.isOpen(record.view, admin.now())) not_done.push({ ...named, why: "already" });
      else open.push({ ...named, record });
    }
    return { open, not_done };
  }

  async function writable(
    admin: AdminContext,
    id: string,
  ): Promise<{ record: WritableRecord } | { errors: readonly FormError[] }> {
    try {
      if (!isUuid(id)) return { errors: [notThere(id)] };
      return { record: await requireWritable(admin, resource, id) };
    } catch (error) {
      return { errors: errorsOf(error) };
    }
  }

  const notThere = (name: string): Detail => detail("not_found", { record: resource.noun, name });

  async function askAbout(
    person: ConsolePerson,
    ending: EndingOfMany,
    ids: readonly string[],
    back: string,
    reply: FastifyReply,
    confirm_wrong = false,
  ): Promise<FastifyReply> {
    const { admin, page, csrf_token } = person;
    const { open, not_done } = await sorted(person, ending, ids);
    const impacts: ShownImpact[] = [];
    for (const { record } of open) impacts.push(ending.ends(await impactOf(admin, resource, record.id)));
    const shown = manyPage({
      ...page,
      resourceType: resource.resourceType,
      verb: ending.verb,
      action: `${selectionPath(resource)}/${ending.path}`,
      csrf_token,
      records: open.map(({ record, ...named }) => ({ ...named, state: stateIn(record.etag) })),
      not_done,
      impact: together(impacts),
      signs_out: resource.signs_out === true,
      limit: impactLimit,
      confirm_wrong,
      back,
    });
    return sendPage(reply, shown, { status: confirm_wrong ? 422 : 200 });
  }

  async function carryOut(
    person: ConsolePerson,
    ending: EndingOfMany,
    seen: ReadonlyMap<string, string>,
    back: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { admin, page } = person;
    const { open, not_done } = await sorted(person, ending, [...seen.keys()]);
    const done: NamedRecord[] = [];
    for (const { record, ...named } of open) {
      try {
        // Skips a record that changed after the page was shown.
        const shown = seen.get(named.id) ?? "";
        await ending.carryOut(admin, record, {}, await inState(admin, resource, shown));
        done.push(named);
      } catch (error) {
        const isRefused = error instanceof Problem && error.status < 500;
        // Continues after a server error, because the page must report which records did change.
        if (!isRefused) request.log.error({ err: error }, "a change of several records failed");
        not_done.push({ ...named, why: isRefused ? errorsOf(error) : "failed" });
      }
    }
    const { resourceType } = resource;
    const shown = manyDonePage({ ...page, resourceType, verb: ending.verb, done, not_done, back });
    return sendPage(reply, shown);
  }
}

function errorsOf(error: unknown): readonly FormError[] {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  return error.errors.length === 0 ? [error.detail] : error.errors;
}

function shownStates(params: Params): Map<string, string> {
  const states = (params.get("states") ?? "").split(" ");
  const ids = (params.get("ids") ?? "").split(" ").slice(0, mostSelected);
  return new Map(ids.map((id, index) => [id, states[index] ?? ""]));
}

function together(impacts: readonly ShownImpact[]): ShownImpact {
  const sum: Record<string, number> = {};
  for (const impact of impacts)
    for (const [name, count = 0] of Object.entries(impact))
      sum[name] = Math.min((sum[name] ?? 0) + count, impactLimit);
  return sum;
}

function backTo(path: string, params: Params): { query: Record<string, string>; href: string } {
  const query = Object.fromEntries(new URLSearchParams(params.get("back") ?? ""));
  return { query, href: hrefWith(path, query) };
}
