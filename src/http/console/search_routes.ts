/** The search over everything: the records of every resource type that the reader may see. */
import type { FastifyInstance } from "fastify";
import type { AdminContext } from "../../admin/access/actor.ts";
import { listRecords } from "../../admin/list_records.ts";
import { getRecord } from "../../admin/manage.ts";
import { type Resource, resources } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/check.ts";
import type { PublicView } from "../../records/view.ts";
import { type ConsoleLocale, resourceTypeHref, searchPath } from "../../web/console/console_frame.ts";
import { searchPage } from "../../web/console/search_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { presentations } from "./presentations.ts";
import { columnsFor, describerOf, shownResourceTypes } from "./record_labels.ts";
import { consolePages } from "./viewer.ts";

/** Records of one resource type on the page. */
const mostOfOne = 5;

/** Characters that are looked for. */
const longestQuery = 200;

export function searchRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get(searchPath, async ({ admin, page, params, within }, _request, reply) => {
    const query = (params.get("q") ?? "").trim().slice(0, longestQuery);
    const found: (readonly [Resource, readonly PublicView[]])[] = [];
    // One after the other: a search takes no more of the database at a time than a list does.
    for (const resource of query === "" ? [] : searchedResources(page)) {
      const views = await foundIn(admin, resource, query, within);
      if (views.length > 0) found.push([resource, views]);
    }
    const describer = await describerOf(admin, page, found);
    const groups = found.map(([resource, views]) => ({
      resourceType: resource.resourceType,
      columns: columnsFor(resource, page.viewer, views),
      brief: presentations[resource.resourceType].brief,
      records: views
        .slice(0, mostOfOne)
        .map((view) => ({ ...describer.listed(resource, view), id: undefined })),
      all_href:
        views.length > mostOfOne
          ? `${resourceTypeHref(resource.resourceType)}?${new URLSearchParams({ q: query })}`
          : undefined,
    }));
    return sendPage(reply, searchPage({ ...page, query, groups }));
  });
}

const searchedResources = ({ viewer }: ConsoleLocale): Resource[] =>
  resources.filter(
    ({ resourceType }) => viewer.resourceTypes.has(resourceType) && shownResourceTypes.includes(resourceType),
  );

/** The records that the text finds, or the one whose id it is; one more than are shown. */
async function foundIn(
  admin: AdminContext,
  resource: Resource,
  query: string,
  within: string | undefined,
): Promise<readonly PublicView[]> {
  try {
    if (isUuid(query)) return [await getRecord(admin, resource, query)];
    if (!resource.filters.some(({ name }) => name === "q")) return [];
    const asked = { q: query, limit: String(mostOfOne + 1) };
    return (await listRecords(admin, resource, asked, { within })).data;
  } catch (error) {
    // There is none, it is not theirs to see, or too many have the name.
    if (error instanceof Problem && error.status < 500) return [];
    throw error;
  }
}
