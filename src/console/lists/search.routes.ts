import type { FastifyInstance } from "fastify";
import type { AdminContext } from "../../admin/access/actor.ts";
import { getRecord } from "../../admin/manage/manage.ts";
import { type FoundRecords, searchFor } from "../../admin/manage/search_records.ts";
import { type Resource, resources } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { type ConsoleLocale, resourceTypeHref, searchPath } from "../frame/console_frame.view.ts";
import { consolePages } from "../frame/viewer.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { columnsFor, describerOf, shownResourceTypes } from "../presentations/record_labels.http.ts";
import { searchPage } from "./search.page.ts";

const mostOfOne = 5;

/** In characters. */
const longestQuery = 200;

export function searchRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get(searchPath, async ({ admin, page, params, within }, _request, reply) => {
    const query = (params.get("q") ?? "").trim().slice(0, longestQuery);
    const found: (readonly [Resource, readonly PublicView[]])[] = [];
    const partly: Resource[] = [];
    const search = isUuid(query) ? byId(admin, query) : searchFor(admin, query, within);
    // One after another, to limit the load on the database.
    for (const resource of query === "" ? [] : searchedResources(page)) {
      const { records, is_all } = await search(resource, mostOfOne + 1);
      if (records.length > 0) found.push([resource, records]);
      if (!is_all) partly.push(resource);
    }
    const listHref = ({ resourceType }: Resource) =>
      `${resourceTypeHref(resourceType)}?${new URLSearchParams({ q: query })}`;
    const describer = await describerOf(admin, page, found);
    const groups = found.map(([resource, views]) => ({
      resourceType: resource.resourceType,
      columns: columnsFor(resource, page.viewer, views),
      brief: presentations[resource.resourceType].brief,
      records: views
        .slice(0, mostOfOne)
        .map((view) => ({ ...describer.listed(resource, view), id: undefined })),
      all_href: views.length > mostOfOne || partly.includes(resource) ? listHref(resource) : undefined,
    }));
    const unread = partly
      .filter((resource) => !found.some(([known]) => known === resource))
      .map((resource) => ({ resourceType: resource.resourceType, href: listHref(resource) }));
    return sendPage(reply, searchPage({ ...page, query, groups, unread }));
  });
}

const searchedResources = ({ viewer }: ConsoleLocale): Resource[] =>
  resources.filter(
    ({ resourceType }) => viewer.resourceTypes.has(resourceType) && shownResourceTypes.includes(resourceType),
  );

function byId(admin: AdminContext, id: string) {
  return async (resource: Resource): Promise<FoundRecords> => {
    try {
      return { records: [await getRecord(admin, resource, id)], is_all: true };
    } catch (error) {
      // No record of this type has this ID, or the viewer may not read the record.
      if (error instanceof Problem && error.status < 500) return { records: [], is_all: true };
      throw error;
    }
  };
}
