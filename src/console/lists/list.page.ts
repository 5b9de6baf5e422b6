import type { ResourceType } from "../../records/definition/permissions.ts";
import { type FormError, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { mark } from "../../web/layout.ts";
import { numberText } from "../../web/number.ts";
import { type SideLink, tabBar } from "../../web/side_frame.ts";
import type { Done } from "../../web/words/en/records.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import type { Words } from "../../web/words/words.ts";
import { control } from "../fields/control.view.ts";
import { doneText } from "../fields/done_text.view.ts";
import type { FieldControl, ListedRecord } from "../fields/fields.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { type OrganizationName, organizationPath } from "../frame/organization_switch.view.ts";
import { type ListPlace, listFoot } from "./list_place.view.ts";
import type { ManyVerb } from "./many.page.ts";
import { recordTable, type SortLink } from "./record_table.view.ts";

export type ListPage = ConsoleLocale & {
  resourceType: ResourceType;
  columns: readonly string[];
  brief?: readonly string[] | undefined;
  sorts?: ReadonlyMap<string, SortLink> | undefined;
  selection?: Selection | undefined;
  records: readonly ListedRecord[];
  filters: readonly FieldControl[];
  narrowed: boolean;
  only_own?: boolean | undefined;
  off?: readonly string[] | undefined;
  scope?: OrganizationName | "everywhere" | undefined;
  kept?: Readonly<Record<string, string>> | undefined;
  presets?: readonly SideLink[] | undefined;
  place?: ListPlace | undefined;
  exported?:
    | {
        action: string;
        csrf_token: string;
        fields: Readonly<Record<string, string>>;
        formats: readonly Exclude<keyof Words["lists"]["exported"], "label" | "help">[];
        most: number;
      }
    | undefined;
  create_href?: string | undefined;
  create_label?: string | undefined;
  done?: Done | undefined;
  errors: readonly FormError[];
};

function filterForm({ resourceType, filters, narrowed, kept = {}, presets = [], ...locale }: ListPage): Html {
  const { words } = locale;
  const { search, filters: more, clear } = words.records;
  const first = filters.filter(({ name }) => name === "q");
  const others = filters.filter(({ name }) => name !== "q");
  const faulty = filters.find(({ error }) => error !== undefined);
  const controls = (fields: readonly FieldControl[]) =>
    fields.map((field) => control(field, { ...locale, narrowing: true, autofocus: field === faulty }));
  // The tab of the current preset already names its filters, so they stay folded.
  const isPreset = presets.some(({ current }) => current);
  const isOpen = others.some(({ value, error }) => error !== undefined || (value !== "" && !isPreset));
  const isFolded = others.length > 2;
  const hasRoom = first.length > 0 || !isFolded;
  const submit = html`<button class="button" type="submit">${search}</button>`;
  return html`<form class="filters" role="search" method="get" action="${resourceTypeHref(resourceType)}">${hiddenFields(kept)}
${controls(first)}${!isFolded && controls(others)}
${(hasRoom || narrowed) && html`<div class="actions">${hasRoom && submit}${narrowed && html`<a class="button" href="${resourceTypeHref(resourceType)}">${clear}</a>`}</div>`}
${isFolded && html`<details${isOpen && html` open`}><summary>${more}</summary><div class="filters">${controls(others)}${submit}</div></details>`}
</form>`;
}

function everywhereForm({ resourceType, scope, viewer, words }: ListPage): Html | false {
  if (typeof scope !== "object" || viewer.organizations === undefined) return false;
  const { csrf_token } = viewer.organizations;
  const fields = { csrf_token, organization: "", return_to: resourceTypeHref(resourceType) };
  return html`<form method="post" action="${organizationPath}">${hiddenFields(fields)}<button class="button" type="submit">${words.console.organization.showAll}</button></form>`;
}

function emptyState(page: ListPage): Html {
  const { resourceType, narrowed, create_href, create_label, scope, words } = page;
  const { empty, emptyCreate, emptyWait, narrowed: nothingMatches, narrowedLead } = words.records;
  const { many } = words.resourceTypes[resourceType];
  if (page.off !== undefined)
    return html`<div class="empty">${mark}<h2>${empty(many)}</h2><p class="lead">${words.records.emptyOff(page.off.join(" / "))}</p></div>`;
  const everywhere = everywhereForm(page);
  if (narrowed) {
    return html`<div class="empty">${mark}<h2>${nothingMatches}</h2><p class="lead">${narrowedLead}</p>${everywhere}</div>`;
  }
  if (typeof scope === "object") {
    const title = words.console.organization.none(many, html`<bdi>${scope.name}</bdi>`);
    return html`<div class="empty">${mark}<h2>${title}</h2>${createLink(resourceType, create_href, words, create_label)}${everywhere}</div>`;
  }
  return html`<div class="empty">${mark}<h2>${empty(many)}</h2><p class="lead">${create_href === undefined ? emptyWait : emptyCreate}</p>${createLink(resourceType, create_href, words, create_label)}</div>`;
}

function createLink(
  resourceType: ResourceType,
  href: string | undefined,
  { records, resourceTypes }: Words,
  label = records.create(resourceTypes[resourceType].one),
): Printable {
  return (
    href !== undefined &&
    html`<a class="button primary" href="${safeHref(href) ?? resourceTypeHref(resourceType)}">${label}</a>`
  );
}

function exportForm({ exported, words, language }: ListPage): Html | false {
  if (exported === undefined) return false;
  const { action, csrf_token, fields, formats, most } = exported;
  const said = words.lists.exported;
  return html`<form class="selection" method="post" action="${safeHref(action) ?? "/console"}" aria-label="${said.label}">${hiddenFields({ csrf_token, ...fields })}
<span class="quiet">${said.label}</span>${formats.map((format) => html`<button class="button small" type="submit" name="format" value="${format}">${said[format]}</button>`)}<span class="quiet">${said.help(numberText(most, language))}</span></form>`;
}

export function listPage(page: ListPage): Html {
  const {
    resourceType,
    columns,
    records,
    filters,
    narrowed,
    presets = [],
    place,
    create_href,
    create_label,
    done,
    errors,
    ...locale
  } = page;
  const { words } = locale;
  const isEmpty = records.length === 0;
  return consoleFrame({
    ...locale,
    here: resourceType,
    title: words.resourceTypes[resourceType].many,
    lead: html`${words.resourceTypes[resourceType].lead}${page.only_own && html` ${words.records.onlyOwn}`}${page.scope === "everywhere" && html` ${words.console.organization.everywhere}`}`,
    actions: !(isEmpty && !narrowed) && createLink(resourceType, create_href, words, create_label),
    done: doneText(words, resourceType, done),
    body: html`${errors.length > 0 && notice("failure", html`${errors.map((error) => html`<p>${formErrorSentence(error, words)}</p>`)}`)}
${presets.length > 0 && (!isEmpty || narrowed) && tabBar(words.lists.presets.label, presets)}
${filters.length > 0 && (!isEmpty || narrowed) && filterForm(page)}
${isEmpty && emptyState(page)}
${!isEmpty && recordTable({ ...locale, resourceType, columns, brief: page.brief, sorts: page.sorts, form: page.selection && selectionForm, records })}
${!isEmpty && selectionBar(page)}
${place !== undefined && (!isEmpty || place.previous_href !== undefined || place.next_href !== undefined) && listFoot(place, locale)}
${!isEmpty && exportForm(page)}`,
  });
}

const selectionForm = "selection";

type Selection = {
  action: string;
  csrf_token: string;
  verbs: readonly ManyVerb[];
  back: string;
};

function selectionBar({
  selection,
  words,
}: Pick<ManagementLocale, "words"> & { selection?: Selection | undefined }): Html | false {
  if (selection === undefined) return false;
  const { action, csrf_token, verbs, back } = selection;
  return html`<form class="selection selecting" id="${selectionForm}" method="post" action="${safeHref(action) ?? "/console"}" aria-label="${words.lists.selected}">
${hiddenFields({ csrf_token, back })}<span class="quiet">${words.lists.selected}</span>
${verbs.map((verb) => html`<button class="button small danger" type="submit" name="verb" value="${verb}">${words.records.consequence.act[verb]}</button>`)}
</form>`;
}
