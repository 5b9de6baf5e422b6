import type { RecordState } from "../../records/liveness.ts";
import type { ResourceType } from "../../records/permissions.ts";
import { type FormError, formErrorSentence } from "../error_sentence.ts";
import { type Html, html, type Printable } from "../html.ts";
import { mark } from "../layout.ts";
import { notice } from "../notice.ts";
import { safeHref } from "../safe_href.ts";
import type { Done } from "../words/en/records.ts";
import type { ManagementLocale } from "../words/page_locale.ts";
import type { Words } from "../words/words.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./console_frame.ts";
import { control } from "./control.ts";
import { fieldLabel } from "./field_label.ts";
import type { AskedField, ShownField } from "./fields.ts";
import { shownValue } from "./shown_value.ts";

export type ListedRecord = {
  href?: string | undefined;
  name: string;
  state?: RecordState | undefined;
  /** Those of the columns, found by their name. */
  fields: readonly ShownField[];
};

export type ListPage = ConsoleLocale & {
  resourceType: ResourceType;
  /** Names of fields. */
  columns: readonly string[];
  records: readonly ListedRecord[];
  /** The search is the one called `q`. */
  filters: readonly AskedField[];
  /** Some filter is set. */
  narrowed: boolean;
  first_href?: string | undefined;
  next_href?: string | undefined;
  create_href?: string | undefined;
  /** The text of the link where no record is made at once. */
  create_label?: string | undefined;
  done?: Done | undefined;
  /** Those that belong to no filter. */
  errors: readonly FormError[];
};

/** The classes of the badges of a record's state. */
const stateBadges: Readonly<Record<RecordState, string>> = {
  active: "badge-success",
  inactive: "badge-quiet",
  revoked: "badge-failure",
  expired: "badge-caution",
  ended: "badge-quiet",
  used: "badge-quiet",
};

export function stateBadge(state: RecordState, { records }: Words): Html {
  return html`<span class="badge ${stateBadges[state]}">${records.state[state]}</span>`;
}

export type RecordTable = Pick<ManagementLocale, "words" | "language"> & {
  resourceType: ResourceType;
  columns: readonly string[];
  records: readonly ListedRecord[];
};

/** The records in rows. On a narrow screen each row is a card, so a cell also names its column. */
export function recordTable({ resourceType, columns, records, ...locale }: RecordTable): Html {
  const { words } = locale;
  const hasState = records.some(({ state }) => state !== undefined);
  const head = (label: string, isNumber = false) =>
    html`<th${isNumber && html` class="number"`} role="columnheader" scope="col">${label}</th>`;
  // On a narrow screen a cell is a grid of its label and one thing beside it: its content must be one node.
  const cell = (label: string, content: Printable, isNumber = false) =>
    html`<td${isNumber && html` class="number"`} role="cell" data-label="${label}">${content}</td>`;
  const first = records[0]?.fields;
  const numbers = columns.filter((name) =>
    first?.some((field) => field.name === name && field.kind === "int"),
  );
  return html`<table class="table" role="table" aria-label="${words.resourceTypes[resourceType].many}">
<thead role="rowgroup"><tr role="row">${head(words.resourceTypes[resourceType].one)}${hasState && head(words.records.stateLabel)}${columns.map((name) => head(fieldLabel(name, words), numbers.includes(name)))}</tr></thead>
<tbody role="rowgroup">${records.map(({ name, href, state, fields }) => {
    const link = safeHref(href);
    const said = html`<bdi>${name}</bdi>`;
    return html`<tr role="row"><th role="rowheader" scope="row">${link === undefined ? said : html`<a href="${link}">${said}</a>`}</th>${hasState && cell(words.records.stateLabel, state && stateBadge(state, words))}${columns.map(
      (column) => {
        const field = fields.find((each) => each.name === column);
        return cell(
          fieldLabel(column, words),
          field && shownValue(field, locale, "list"),
          numbers.includes(column),
        );
      },
    )}</tr>\n`;
  })}</tbody>
</table>`;
}

/** The search and the other filters, folded away when there are many and none is set. */
function filterForm({ resourceType, filters, narrowed, ...locale }: ListPage): Html {
  const { words } = locale;
  const { search, filters: more, clear } = words.records;
  const first = filters.filter(({ name }) => name === "q");
  const others = filters.filter(({ name }) => name !== "q");
  const faulty = filters.find(({ error }) => error !== undefined);
  const controls = (fields: readonly AskedField[]) =>
    fields.map((field) => control(field, { ...locale, narrowing: true, autofocus: field === faulty }));
  const isOpen = others.some(({ value, error }) => error !== undefined || value !== "");
  const isFolded = others.length > 2;
  const hasRoom = first.length > 0 || !isFolded;
  const submit = html`<button class="button" type="submit">${search}</button>`;
  return html`<form class="filters" role="search" method="get" action="${resourceTypeHref(resourceType)}">
${controls(first)}${!isFolded && controls(others)}
${(hasRoom || narrowed) && html`<div class="actions">${hasRoom && submit}${narrowed && html`<a class="button" href="${resourceTypeHref(resourceType)}">${clear}</a>`}</div>`}
${isFolded && html`<details${isOpen && html` open`}><summary>${more}</summary><div class="filters">${controls(others)}${submit}</div></details>`}
</form>`;
}

function emptyState({ resourceType, narrowed, create_href, create_label, words }: ListPage): Html {
  const { empty, emptyCreate, emptyWait, narrowed: nothingMatches, narrowedLead } = words.records;
  if (narrowed) {
    return html`<div class="empty">${mark}<h2>${nothingMatches}</h2><p class="lead">${narrowedLead}</p></div>`;
  }
  return html`<div class="empty">${mark}<h2>${empty(words.resourceTypes[resourceType].many)}</h2><p class="lead">${create_href === undefined ? emptyWait : emptyCreate}</p>${createLink(resourceType, create_href, words, create_label)}</div>`;
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

/** The records of a resource type, a page at a time. */
export function listPage(page: ListPage): Html {
  const {
    resourceType,
    columns,
    records,
    filters,
    narrowed,
    first_href,
    next_href,
    create_href,
    create_label,
    done,
    errors,
    ...locale
  } = page;
  const { words } = locale;
  const isEmpty = records.length === 0;
  const [first, next] = [safeHref(first_href), safeHref(next_href)];
  return consoleFrame({
    ...locale,
    here: resourceType,
    title: words.resourceTypes[resourceType].many,
    lead: words.resourceTypes[resourceType].lead,
    // An empty list says itself how to make the first.
    actions: !(isEmpty && !narrowed) && createLink(resourceType, create_href, words, create_label),
    done: done && words.records.done[done],
    body: html`${errors.length > 0 && notice("failure", html`${errors.map((error) => html`<p>${formErrorSentence(error, words)}</p>`)}`)}
${filters.length > 0 && (!isEmpty || narrowed) && filterForm(page)}
${isEmpty ? emptyState(page) : recordTable({ ...locale, resourceType, columns, records })}
${
  (first !== undefined || next !== undefined) &&
  html`<nav class="pages" aria-label="${words.records.pages}"><span class="actions">${first !== undefined && html`<a class="button small" href="${first}">${words.records.firstPage}</a>`}${next !== undefined && html`<a class="button small" href="${next}" rel="next">${words.records.nextPage}</a>`}</span></nav>`
}`,
  });
}
