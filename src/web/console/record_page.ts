import type { Family } from "../../records/permissions.ts";
import { type Html, html } from "../html.ts";
import { safeHref } from "../safe_href.ts";
import type { SideLink } from "../side_frame.ts";
import type { Done } from "../words/records.ts";
import { type ConsoleReader, consoleFrame, familyHref } from "./console_frame.ts";
import { groupedFields } from "./field_groups.ts";
import { spelledLabel } from "./field_label.ts";
import type { ShownField } from "./fields.ts";
import { type ListedRecord, type RecordState, recordTable, stateBadge } from "./list_page.ts";
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
  fields: readonly ShownField[];
  tabs?: readonly SideLink[] | undefined;
  related: readonly RelatedList[];
  edit_href?: string | undefined;
  revoke_href?: string | undefined;
  delete_href?: string | undefined;
  /** Further actions. */
  more: readonly { href: string; label: string }[];
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

function recordActions({ more, edit_href, revoke_href, delete_href, words }: RecordPage): Html {
  const { edit, revoke, delete: remove } = words.records;
  const link = (href: string | undefined, label: string, kind: "" | " primary" | " danger") => {
    const to = safeHref(href);
    return to !== undefined && html`<a class="button${kind}" href="${to}">${label}</a>`;
  };
  return html`${more.map(({ href, label }) => link(href, label, ""))}${link(revoke_href, revoke, " danger")}${link(delete_href, remove, " danger")}${link(edit_href, edit, " primary")}`;
}

/** A record: what it holds, what hangs on it, and what can be done with it. */
export function recordPage(page: RecordPage): Html {
  const {
    family,
    name,
    state,
    fields,
    tabs,
    related,
    more,
    edit_href,
    revoke_href,
    delete_href,
    done,
    ...rest
  } = page;
  const { id: _, ...reader } = rest;
  const { words } = reader;
  const { one, many } = words.families[family];
  const hasActions =
    more.length > 0 || [edit_href, revoke_href, delete_href].some((href) => href !== undefined);
  const groups = groupedFields(family, fields);
  return consoleFrame({
    ...reader,
    here: family,
    title: name,
    crumbs: [{ label: many, href: familyHref(family) }, { label: name }],
    lead: html`${one}${state !== undefined && html` ${stateBadge(state, words)}`}`,
    actions: hasActions && recordActions(page),
    done: done && words.records.done[done],
    body: html`${tabs !== undefined && html`<nav class="tabs" aria-label="${words.records.parts(name)}"><ul>${tabs.map(({ href, label, current }) => html`<li><a href="${safeHref(href) ?? familyHref(family)}"${current && html` aria-current="page"`}>${label}</a></li>`)}</ul></nav>`}
${groups.map(
  ({ legend, fields: grouped }) =>
    html`<section class="card"><h2>${legend === undefined ? words.records.facts : words.records.groups[legend]}</h2>${factsOf(grouped, reader)}</section>\n`,
)}${related.map((list) => relatedList(list, reader))}`,
  });
}
