/** The list of every resource type: searched, narrowed, a page at a time. */
import type { FastifyInstance } from "fastify";
import { mayAddSomewhere } from "../../admin/access/access.ts";
import type { AdminContext } from "../../admin/access/actor.ts";
import { isPlatformOnly } from "../../admin/guards/guards.ts";
import { organizationToInviteTo } from "../../admin/invitations/inviters.ts";
import { isOffered, listRecords, type RecordPage } from "../../admin/list_records.ts";
import type { Filter, Resource } from "../../admin/resources/resources.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Params } from "../../oauth/params.ts";
import type { ResourceType } from "../../records/permissions.ts";
import { resourceTypeHref } from "../../web/console/console_frame.ts";
import type { AskedField } from "../../web/console/fields.ts";
import { listPage } from "../../web/console/list_page.ts";
import type { FormError } from "../../web/error_sentence.ts";
import type { Words } from "../../web/words/words.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { idMeant } from "./natural_names.ts";
import { presentations } from "./presentations.ts";
import { referenceOf } from "./record_fields.ts";
import { type ErrorsByField, readTime } from "./record_form.ts";
import { columnsFor, describerOf } from "./record_labels.ts";
import { consolePages } from "./viewer.ts";

/** Records on a page. */
const pageLength = 25;

export function listRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType, filters } = resource;
  const path = resourceTypeHref(resourceType);
  pages.get(path, async ({ admin, page, params }, _request, reply) => {
    const { viewer, words } = page;
    const asked = askedFor(filters, params);
    const cursor = params.get("cursor");
    const found = await foundRecords(admin, resource, asked, cursor);
    const { data, next_cursor } = found.page;
    const describer = await describerOf(admin, viewer, [[resource, data]]);
    const mayCreate = await isOfferedToCreate(admin, resource, viewer.is_platform_admin);
    const query = (more: Readonly<Record<string, string>>) => hrefWith(path, { ...asked, ...more });
    return sendPage(
      reply,
      listPage({
        ...page,
        resourceType,
        columns: columnsFor(resource, viewer, data),
        records: data.map((view) => describer.listed(resource, view)),
        filters: filters
          .filter(isOffered(resource, { platform: viewer.is_platform_admin }))
          .map((filter) => askedFilter(filter, asked[filter.name], found.errors)),
        narrowed: Object.keys(asked).length > 0,
        ...(cursor !== undefined && { first_href: query({}) }),
        ...(next_cursor !== null && { next_href: query({ cursor: next_cursor }) }),
        ...(mayCreate
          ? { create_href: `${path}/new` }
          : await invitingLink(admin, resourceType, asked, words)),
        done: doneIn(params, words),
        errors: found.rest,
      }),
      { status: found.status },
    );
  });
}

/** Whether the console offers the reader a new record of the resource type. */
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

/** Who does not add members invites them, where one organization is meant. */
async function invitingLink(
  admin: AdminContext,
  resourceType: ResourceType,
  { organization_id }: AskedFor,
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

/** That something was done here just before, where the address says so in a word that there is. */
export function doneIn(params: Params, { records }: Words): keyof Words["records"]["done"] | undefined {
  const done = params.get("done");
  return done !== undefined && Object.hasOwn(records.done, done)
    ? (done as keyof Words["records"]["done"])
    : undefined;
}

type AskedFor = Readonly<Record<string, string>>;

/** The filters that are set, as they were typed. */
function askedFor(filters: readonly Filter[], params: Params): AskedFor {
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const text = params.get(name)?.trim();
      return text === undefined || text === "" ? [] : [[name, text]];
    }),
  );
}

interface Found {
  readonly page: RecordPage;
  readonly status: number;
  readonly errors: ErrorsByField;
  readonly rest: readonly FormError[];
}

const nothing: RecordPage = { data: [], next_cursor: null, previous_cursor: null };

async function foundRecords(
  admin: AdminContext,
  resource: Resource,
  asked: AskedFor,
  cursor: string | undefined,
): Promise<Found> {
  const { query, errors } = await queryOf(admin, resource, asked);
  if (Object.keys(errors).length > 0) return { page: nothing, status: 422, errors, rest: [] };
  const given = { ...query, limit: String(pageLength), ...(cursor !== undefined && { cursor }) };
  try {
    return { page: await listRecords(admin, resource, given), status: 200, errors: {}, rest: [] };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422) throw error;
    const at = Object.fromEntries(error.errors.map((each) => [each.path.slice(1), each]));
    return { page: nothing, status: 422, errors: at, rest: error.errors.length === 0 ? [error.detail] : [] };
  }
}

/**
 * What the filters mean to the management: references by what people call them, times without a zone in UTC.
 */
async function queryOf(
  admin: AdminContext,
  resource: Resource,
  asked: AskedFor,
): Promise<{ query: Record<string, string>; errors: ErrorsByField }> {
  const query: Record<string, string> = { ...asked };
  const errors: Record<string, FieldError> = {};
  for (const { name, kind, to } of resource.filters) {
    const text = asked[name];
    if (text === undefined) continue;
    if (kind === "time") {
      const read = readTime(text);
      if ("value" in read) query[name] = read.value;
    }
    const table = kind === "id" ? referenceOf(resource, to) : undefined;
    if (table === undefined) continue;
    const meant = await idMeant(admin, table, text);
    if ("id" in meant) query[name] = meant.id;
    else errors[name] = { path: `/${name}`, ...meant.error };
  }
  return { query, errors };
}

const kinds = { id: "uuid", text: "string", bool: "bool", time: "time", word: "string" } as const;

function askedFilter({ name, kind, values, to }: Filter, value = "", errors: ErrorsByField): AskedField {
  return {
    name,
    kind: kinds[kind],
    required: false,
    ...(values !== undefined && { values }),
    ...(to === "search" && { format: "search" }),
    value,
    error: errors[name],
  };
}

export function hrefWith(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}
