import type { RecordState } from "../../records/liveness.ts";
import type { Family } from "../../records/permissions.ts";
import { type Html, html } from "../html.ts";
import { safeHref } from "../safe_href.ts";
import type { SideLink } from "../side_frame.ts";
import { tabBar } from "../tab_bar.ts";
import type { Done } from "../words/records.ts";
import { type ConsoleReader, consoleFrame, familyHref } from "./console_frame.ts";
import { groupedFields } from "./field_groups.ts";
import { spelledLabel } from "./field_label.ts";
import type { ShownField } from "./fields.ts";
import { type ListedRecord, recordTable, stateBadge } from "./list_page.ts";
import { shownValue } from "./shown_value.ts";

/** The newest records of another family that hang on the one that is shown. */
export type RelatedList = {
  family: Family;
  columns: readonly string[];
  records: readonly ListedRecord[];
  /** The list of them all, narrowed to this record. */
  all_href: string;
  create_href?: string | undefined;
};

export type RecordPage = ConsoleReader & {
  family: Family;
  id: string;
  name: string;
  state?: RecordState | undefined;
  /** A platform administrator switched it off, and nobody else switches it on again. */
  held_off?: boolean;
  fields: readonly ShownField[];
  tabs?: readonly SideLink[] | undefined;
  related: readonly RelatedList[];
  edit_href?: string | undefined;
  revoke_href?: string | undefined;
  delete_href?: string | undefined;
  /** Further actions, none of which ends anything at once. */
  more: readonly { href: string; label: string }[];
  /** Changes that end what stands on the record. */
  careful: readonly { href: string; label: string }[];
  done?: Done | undefined;
};

function factsOf(fields: readonly ShownField[], reader: ConsoleReader): Html {
  return html`<dl class="facts spelled">${fields.map(
    (field) =>
      html`<div><dt>${spelledLabel(field.name, reader.words)}</dt><dd>${shownValue(field, reader, "record")}</dd></div>`,
  )}</dl>`;
}

function relatedList(
  { family, columns, records, all_href, create_href }: RelatedList,
  reader: ConsoleReader,
): Html {
  const { words } = reader;
  const { one, many } = words.families[family];
  return html`<section class="part" aria-labelledby="related-${family}">
<div class="page-head"><h2 id="related-${family}">${many}</h2><div class="actions">${records.length > 0 && html`<a class="button small" href="${safeHref(all_href) ?? familyHref(family)}" aria-label="${words.records.all(many)}">${words.records.showAll}</a>`}${create_href !== undefined && html`<a class="button small" href="${safeHref(create_href) ?? familyHref(family)}">${words.records.create(one)}</a>`}</div></div>
${records.length === 0 ? html`<p class="quiet">${words.records.noneRelated}</p>` : recordTable({ ...reader, family, columns, records })}
</section>`;
}

function actionLink(
  href: string | undefined,
  label: string,
  kind: "" | " primary" | " danger",
): Html | false {
  const to = safeHref(href);
  return to !== undefined && html`<a class="button${kind}" href="${to}">${label}</a>`;
}

/** What ends something, at the foot of the page: away from what people press every day. */
function endings({ careful, revoke_href, delete_href, words }: RecordPage): Html | false {
  const { revoke, delete: remove, danger, dangerLead } = words.records;
  const links = [
    ...careful.map(({ href, label }) => actionLink(href, label, " danger")),
    actionLink(revoke_href, revoke, " danger"),
    actionLink(delete_href, remove, " danger"),
  ];
  if (links.every((link) => link === false)) return false;
  return html`<section class="card" aria-labelledby="danger"><div><h2 id="danger">${danger}</h2><p class="quiet">${dangerLead}</p></div><div class="actions">${links}</div></section>`;
}

/** A record: what it holds, what hangs on it, and what can be done with it. */
export function recordPage(page: RecordPage): Html {
  const { family, name, state, fields, tabs, related, more, edit_href, done, words } = page;
  const { one, many } = words.families[family];
  const groups = groupedFields(family, fields);
  return consoleFrame({
    ...page,
    here: family,
    title: name,
    crumbs: [{ label: many, href: familyHref(family) }, { label: name }],
    lead: html`${one}${state !== undefined && html` ${stateBadge(state, words)}`}${page.held_off === true && html` ${words.records.heldOff}`}`,
    actions:
      (more.length > 0 || edit_href !== undefined) &&
      html`${more.map(({ href, label }) => actionLink(href, label, ""))}${actionLink(edit_href, words.records.edit, " primary")}`,
    done: done && words.records.done[done],
    body: html`${tabs !== undefined && tabBar(words.records.parts(name), tabs)}
${groups.map(
  ({ legend, fields: grouped }) =>
    html`<section class="card"><h2>${legend === undefined ? words.records.facts : words.records.groups[legend]}</h2>${factsOf(grouped, page)}</section>\n`,
)}${related.map((list) => relatedList(list, page))}${endings(page)}`,
  });
}
