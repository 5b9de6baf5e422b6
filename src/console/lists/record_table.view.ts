import type { ResourceType } from "../../records/definition/permissions.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import { type Html, html, type Printable } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import type { Words } from "../../web/words/words.ts";
import { fieldLabel } from "../fields/field_label.view.ts";
import type { ListedRecord } from "../fields/fields.view.ts";
import { shownValue, whole } from "../fields/shown_value.view.ts";

export type SortLink = {
  href: string;
  present?: "ascending" | "descending" | undefined;
};

type RecordTable = Pick<ManagementLocale, "words" | "language"> & {
  resourceType: ResourceType;
  columns: readonly string[];
  /** Columns shown on narrow screens; by default the first and the last. */
  brief?: readonly string[] | undefined;
  /** Sort links by column; the key of a column that alone makes up the record's name is `""`. */
  sorts?: ReadonlyMap<string, SortLink> | undefined;
  form?: string | undefined;
  records: readonly ListedRecord[];
};

const stateBadges: Readonly<Record<RecordState, string>> = {
  active: "badge-success",
  failing: "badge-caution",
  inactive: "badge-quiet",
  revoked: "badge-failure",
  expired: "badge-caution",
  ended: "badge-quiet",
  used: "badge-quiet",
};

export function stateBadge(state: RecordState, { records }: Words): Html {
  return html`<span class="badge ${stateBadges[state]}">${records.state[state]}</span>`;
}

/** Renders records as rows. */
export function recordTable(table: RecordTable): Html {
  const { resourceType, columns, records, form, ...locale } = table;
  const { words } = locale;
  const { brief = [columns[0] ?? "", columns.at(-1) ?? ""] } = table;
  const hasState = records.some(({ state }) => state !== undefined);
  const first = records[0]?.fields;
  const classes = new Map(
    columns.map((name) => {
      const isNumber = first?.some((field) => field.name === name && field.kind === "int");
      return [name, [isNumber && "number", brief.includes(name) && "brief"].filter(Boolean).join(" ")];
    }),
  );
  const head = (label: string, column?: string) => {
    const sort = column === undefined ? undefined : table.sorts?.get(column);
    const link = safeHref(sort?.href);
    const named = classes.get(column ?? "");
    return html`<th${named && html` class="${named}"`} role="columnheader" scope="col"${sort?.present && html` aria-sort="${sort.present}"`}>${link === undefined ? label : html`<a class="sort" href="${link}">${label}</a>`}</th>`;
  };
  const cell = (content: Printable, named = "") =>
    html`<td${named !== "" && html` class="${named}"`} role="cell">${content}</td>`;
  const row = ({ id, name, href, state, fields }: ListedRecord) => {
    const link = safeHref(href);
    const said = html`<bdi${whole(name)}>${name}</bdi>`;
    const pick =
      id !== undefined &&
      html`<label><input type="checkbox" name="id" value="${id}" form="${form ?? ""}"><span class="unseen">${words.lists.selectOne(name)}</span></label>`;
    return html`<tr role="row">${form !== undefined && cell(pick, "pick")}<th role="rowheader">${link === undefined ? said : html`<a href="${link}">${said}</a>`}</th>${hasState && cell(state && stateBadge(state, words), "state")}${columns.map(
      (column) => {
        const field = fields.find((each) => each.name === column);
        return cell(field && shownValue(field, locale, "list"), classes.get(column));
      },
    )}</tr>\n`;
  };
  return html`<table class="table listed" role="table" aria-label="${words.resourceTypes[resourceType].many}">
<thead role="rowgroup"><tr role="row">${form !== undefined && html`<th class="pick" role="columnheader" scope="col"><span class="unseen">${words.lists.select}</span></th>`}${head(words.resourceTypes[resourceType].one, "")}${hasState && head(words.records.stateLabel)}${columns.map((name) => head(fieldLabel(name, words), name))}</tr></thead>
<tbody role="rowgroup">${records.map(row)}</tbody>
</table>`;
}
