import type { ResourceType } from "../../records/definition/permissions.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { mark } from "../../web/layout.ts";
import type { ListedRecord } from "../fields/fields.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { recordTable } from "./record_table.view.ts";

type FoundRecords = {
  resourceType: ResourceType;
  columns: readonly string[];
  brief?: readonly string[] | undefined;
  records: readonly ListedRecord[];
  all_href: string | undefined;
};

type SearchPage = ConsoleLocale & {
  query: string;
  groups: readonly FoundRecords[];
  /** Lists in which only the newest records were searched and none matched. */
  unread: readonly { readonly resourceType: ResourceType; readonly href: string }[];
};

export function searchPage({ query, groups, unread, ...page }: SearchPage): Html {
  const { search, results, noResults, searchLead, searchUnread } = page.words.console;
  const { records, resourceTypes } = page.words;
  return consoleFrame({
    ...page,
    here: "search",
    title: query === "" ? search : results(query),
    body: html`${
      groups.length === 0
        ? html`<div class="empty">${mark}<h2>${query === "" ? search : noResults}</h2><p class="lead">${searchLead}</p></div>`
        : html`${groups.map(({ resourceType, all_href, ...group }) => {
            const { many } = resourceTypes[resourceType];
            return html`<section class="part" aria-labelledby="found-${resourceType}"><div class="page-head"><h2 id="found-${resourceType}">${many}</h2>${all_href !== undefined && html`<div class="actions"><a class="button small" href="${safeHref(all_href) ?? resourceTypeHref(resourceType)}" aria-label="${records.all(many)}">${records.showAll}</a></div>`}</div>
${recordTable({ ...page, ...group, resourceType })}</section>`;
          })}`
    }
${
  unread.length > 0 &&
  html`<section class="part"><p>${searchUnread}</p><ul class="inline">${unread.map(
    ({ resourceType, href }) =>
      html`<li><a href="${safeHref(href) ?? resourceTypeHref(resourceType)}">${resourceTypes[resourceType].many}</a></li>`,
  )}</ul></section>`
}`,
  });
}
