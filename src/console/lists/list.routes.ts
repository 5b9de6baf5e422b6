import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mayAddSomewhere, permissionsAnywhere } from "../../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { organizationToInviteTo } from "../../admin/changes/inviters.ts";
import { isPlatformOnly } from "../../admin/guards/guards.ts";
import { exportFormats, mostExported } from "../../admin/manage/export_records.ts";
import { listRecords, type RecordPage } from "../../admin/manage/list_records.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { belongsToOrganizations } from "../../records/definition/ownership.ts";
import { type ResourceType, rolePermissions } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isFeatureOn } from "../../records/names/profiles.ts";
import type { FormError } from "../../web/error_sentence.ts";
import type { SideLink } from "../../web/side_frame.ts";
import type { PresetName } from "../../web/words/en/lists.ts";
import type { Words } from "../../web/words/words.ts";
import { type ErrorsByField, placedErrors } from "../forms/record_form.http.ts";
import { type ConsoleLocale, resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { type ConsolePerson, consolePages } from "../frame/viewer.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { columnsFor, describerOf } from "../presentations/record_labels.http.ts";
import { exportPath } from "./export.routes.ts";
import { type ListPage, listPage } from "./list.page.ts";
import { filterControls, type ListRequest, listRequestOf, queryOf, withinOf } from "./list_filters.http.ts";
import { isUsualOrder, type ListOrder, requestedOrder, sortLinks } from "./list_order.http.ts";
import type { ListPlace } from "./list_place.view.ts";
import { endingsOfMany, selectionPath } from "./selection.routes.ts";

export function listRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType } = resource;
  const path = resourceTypeHref(resourceType);
  const { settings } = context.server;
  const { needs_feature } = presentations[resourceType];
  const off = needs_feature?.some((feature) => isFeatureOn(feature, settings)) ? undefined : needs_feature;
  pages.get(path, async (person, request, reply) => {
    const { admin, page, params, csrf_token } = person;
    const { viewer, words } = page;
    const requested = listRequestOf(resource, params);
    const within = withinOf(person, requested);
    const order = requestedOrder(resource, params);
    const limit = pageLengthOf(request, reply, params, context.secure);
    const cursor = params.get("cursor");
    const found = await foundRecords(admin, resource, requested, { order, limit, cursor, within });
    const { data } = found.page;
    const describer = await describerOf(admin, page, [[resource, data]]);
    const mayCreate =
      off === undefined &&
      !presentations[resourceType].by_others &&
      (await isOfferedToCreate(admin, resource, viewer.is_platform_admin));
    const ordered = isUsualOrder(order) ? {} : { ...order };
    const hrefOf = (more: Readonly<Record<string, string>>) =>
      hrefWith(path, { ...requested, ...ordered, ...more });
    const back = hrefOf(cursor === undefined ? {} : { cursor, from: String(firstPlace(params)) });
    const verbs = await verbsOfMany(person, resource, data);
    const columns = columnsFor(resource, viewer, data);
    const brief = presentations[resourceType].brief ?? [columns[0] ?? "", columns.at(-1) ?? ""];
    return sendPage(
      reply,
      listPage({
        ...page,
        resourceType,
        columns,
        brief: columns.includes(order.sort) && !brief.includes(order.sort) ? [brief[0], order.sort] : brief,
        sorts: sortLinks(resource, order, viewer.is_platform_admin, (other) =>
          hrefWith(path, { ...requested, ...(isUsualOrder(other) ? {} : { ...other }) }),
        ),
        selection:
          verbs.length === 0
            ? undefined
            : { action: selectionPath(resource), csrf_token, verbs, back: back.split("?")[1] ?? "" },
        records: data.map((view) => describer.listed(resource, view)),
        filters: await filterControls(admin, page, resource, requested, found.errors, within),
        scope: scopeOf(resource, viewer, within),
        kept: ordered,
        presets: presetLinks(resource, requested, admin.now(), words),
        narrowed: Object.keys(requested).length > 0,
        off,
        only_own: !viewer.is_platform_admin && !rolePermissions.owner.includes(`${resourceType}:read`),
        place: placeIn(found.page, params, limit, hrefOf),
        exported: {
          action: exportPath(resource),
          csrf_token,
          fields: { ...requested, ...ordered },
          formats: exportFormats,
          most: mostExported,
        },
        ...(mayCreate
          ? { create_href: `${path}/new` }
          : await invitingLink(admin, resourceType, requested.organization_id ?? within, words)),
        done: doneIn(params, words),
        errors: found.rest,
      }),
      { status: found.status },
    );
  });
}

function scopeOf(
  { table }: Resource,
  { organizations }: ConsoleLocale["viewer"],
  within: string | undefined,
): ListPage["scope"] {
  if (within === undefined || organizations?.chosen === undefined) return undefined;
  return belongsToOrganizations(table) ? organizations.chosen : "everywhere";
}

/** The permission for each record is checked when the action runs. */
async function verbsOfMany(
  { admin }: Pick<ConsolePerson, "admin">,
  resource: Resource,
  views: readonly PublicView[],
) {
  const actorPermissions = await permissionsOfActor(admin);
  if (!permissionsAnywhere(actorPermissions).has(`${resource.resourceType}:write`)) return [];
  return endingsOfMany(resource)
    .filter((ending) => views.some(({ id }) => ending.isTheirs(actorPermissions, String(id))))
    .map(({ verb }) => verb);
}

function firstPlace(params: Params): number {
  const from = params.get("from") ?? "";
  return /^[1-9]\d{0,8}$/.test(from) ? Number(from) : 1;
}

function placeIn(
  { data, next_cursor, previous_cursor, total, total_is_more }: RecordPage,
  params: Params,
  limit: PageLength,
  hrefOf: (more: Readonly<Record<string, string>>) => string,
): ListPlace {
  const from = params.get("cursor") === undefined || previous_cursor === null ? 1 : firstPlace(params);
  return {
    from,
    count: data.length,
    total,
    total_is_more,
    ...(previous_cursor !== null && {
      previous_href: hrefOf({ cursor: previous_cursor, from: String(Math.max(1, from - limit)) }),
    }),
    ...(next_cursor !== null && {
      next_href: hrefOf({ cursor: next_cursor, from: String(from + data.length) }),
    }),
    lengths: pageLengths.map((length) => ({
      length,
      href: hrefOf({ limit: String(length) }),
      current: length === limit,
    })),
  };
}

export async function isOfferedToCreate(
  admin: AdminContext,
  { resourceType, table, create }: Resource,
  is_platform_admin: boolean,
): Promise<boolean> {
  const { own_page, invites } = presentations[resourceType];
  if (create === undefined || own_page) return false;
  if (!is_platform_admin && (invites || isPlatformOnly(table, "create"))) return false;
  return mayAddSomewhere(admin, `${resourceType}:write`, table);
}

async function invitingLink(
  admin: AdminContext,
  resourceType: ResourceType,
  organization_id: string | undefined,
  { actions }: Words,
): Promise<{ create_href?: string; create_label?: string }> {
  if (!presentations[resourceType].invites) return {};
  const id = await organizationToInviteTo(admin, organization_id);
  if (id === undefined) return {};
  return {
    create_href: `${resourceTypeHref("organizations")}/${id}/invite`,
    create_label: actions.inviteMember,
  };
}

export function doneIn(params: Params, { records }: Words): keyof Words["records"]["done"] | undefined {
  const done = params.get("done");
  return done !== undefined && Object.hasOwn(records.done, done)
    ? (done as keyof Words["records"]["done"])
    : undefined;
}

interface Found {
  readonly page: RecordPage;
  readonly status: number;
  readonly errors: ErrorsByField;
  readonly rest: readonly FormError[];
}

const nothing: RecordPage = { data: [], next_cursor: null, previous_cursor: null };

interface Turned {
  readonly order: ListOrder;
  readonly limit: PageLength;
  readonly cursor: string | undefined;
  readonly within: string | undefined;
}

async function foundRecords(
  admin: AdminContext,
  resource: Resource,
  requested: ListRequest,
  { order, limit, cursor, within }: Turned,
): Promise<Found> {
  const { query, errors } = await queryOf(admin, resource, requested);
  if (Object.keys(errors).length > 0) return { page: nothing, status: 422, errors, rest: [] };
  const input = {
    ...query,
    ...order,
    limit: String(limit),
    total: "true",
    ...(cursor !== undefined && { cursor }),
  };
  try {
    return { page: await listRecords(admin, resource, input, { within }), status: 200, errors: {}, rest: [] };
  } catch (error) {
    if (!(error instanceof Problem) || !errorsOfLists.includes(error.code)) throw error;
    const { at, rest } = placedErrors(error, resource.filters);
    return { page: nothing, status: 422, errors: at, rest };
  }
}

const errorsOfLists: readonly string[] = ["invalid_filter", "invalid_page"];

const pageLengths = [25, 50, 100, 200] as const;
type PageLength = (typeof pageLengths)[number];

/** The name lacks the prefix `__Host-`, because this cookie contains no secret. */
const cookieName = "postern_page_length";

/** In seconds. */
const cookieAge = 31_536_000;

function pageLengthOf(
  request: FastifyRequest,
  reply: FastifyReply,
  params: Params,
  secure: boolean,
): PageLength {
  const known = (text: string | undefined) => pageLengths.find((length) => String(length) === text);
  const requested = known(params.get("limit"));
  const remembered = known(request.cookies[cookieName]);
  if (requested !== undefined && requested !== remembered) {
    const where = { path: "/console", httpOnly: true, secure, sameSite: "lax" } as const;
    reply.setCookie(cookieName, String(requested), { ...where, maxAge: cookieAge });
  }
  return requested ?? remembered ?? pageLengths[0];
}

const hour = 3_600_000;

/** In milliseconds. */
const periods = { hour, day: 24 * hour, week: 168 * hour } as const;

function presetLinks(
  { resourceType }: Resource,
  requested: ListRequest,
  now: Date,
  { lists }: Words,
): readonly SideLink[] {
  const path = resourceTypeHref(resourceType);
  const { presets } = presentations[resourceType];
  if (presets === undefined) return [];
  const named = Object.entries(presets) as [PresetName, Readonly<Record<string, string>>][];
  const ofPresets = new Set(named.flatMap(([, query]) => Object.keys(query)));
  const kept = Object.entries(requested).filter(([name]) => !ofPresets.has(name));
  const times = Object.keys(periods) as (keyof typeof periods)[];
  return [
    ...named.map(([name, query]) => ({
      href: hrefWith(path, { ...Object.fromEntries(kept), ...query }),
      label: lists.presets[name],
      current: [...ofPresets].every((each) => requested[each] === query[each]),
    })),
    ...times.map((name) => ({
      href: hrefWith(path, { ...requested, created_from: minuteOf(now.getTime() - periods[name]) }),
      label: lists.presets[name],
      current: requested.created_from === minuteOf(now.getTime() - periods[name]),
    })),
  ];
}

function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}
