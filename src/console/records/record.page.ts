import type { ResourceType } from "../../records/definition/permissions.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { cautions } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { type SideLink, tabBar } from "../../web/side_frame.ts";
import type { Done } from "../../web/words/en/records.ts";
import { doneText } from "../fields/done_text.view.ts";
import { type FieldGroup, groupedFields } from "../fields/field_groups.view.ts";
import { spelledLabel } from "../fields/field_label.view.ts";
import type { ListedRecord, ShownField } from "../fields/fields.view.ts";
import { shownValue } from "../fields/shown_value.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { recordTable, stateBadge } from "../lists/record_table.view.ts";

export type RelatedList = {
  resourceType: ResourceType;
  columns: readonly string[];
  records: readonly ListedRecord[];
  all_href: string;
  create_href?: string | undefined;
  near_top?: boolean | undefined;
};

export type RecordButton = { readonly action: string; readonly label: string };

export type RecordPage = ConsoleLocale & {
  resourceType: ResourceType;
  id: string;
  name: string;
  state?: RecordState | undefined;
  /** Whether a platform administrator deactivated the record, so that others cannot reactivate it. */
  held_off?: boolean;
  notices?: readonly string[] | undefined;
  groups: readonly FieldGroup[];
  fields: readonly ShownField[];
  folded?: readonly string[] | undefined;
  tabs?: readonly SideLink[] | undefined;
  parts?: readonly Html[] | undefined;
  related: readonly RelatedList[];
  buttons?: readonly RecordButton[];
  csrf_token?: string;
  edit_href?: string | undefined;
  revoke_href?: string | undefined;
  delete_href?: string | undefined;
  more: readonly { href: string; label: string }[];
  destructive: readonly { href: string; label: string }[];
  done?: Done | undefined;
};

function factsOf(fields: readonly ShownField[], locale: ConsoleLocale): Html {
  return html`<dl class="facts spelled">${fields.map(
    (field) =>
      html`<div><dt>${spelledLabel(field, locale.words)}</dt><dd>${shownValue(field, locale, "record")}</dd></div>`,
  )}</dl>`;
}

function foldedCard(fields: readonly ShownField[], page: RecordPage): Html | false {
  const { groups, facts, folded } = page.words.records;
  if (fields.length === 0) return false;
  const parts = groupedFields(page.groups, fields).map(
    ({ legend, fields: grouped }) =>
      html`<section><h3>${legend === undefined ? facts : groups[legend]}</h3>${factsOf(grouped, page)}</section>\n`,
  );
  return html`<details class="card"><summary>${folded(fields.length)}</summary>${parts}</details>`;
}

function relatedList(
  { resourceType, columns, records, all_href, create_href }: RelatedList,
  locale: ConsoleLocale,
): Html {
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  return html`<section class="part" aria-labelledby="related-${resourceType}">
<div class="page-head"><h2 id="related-${resourceType}">${many}</h2><div class="actions"><a class="button small" href="${safeHref(all_href) ?? resourceTypeHref(resourceType)}" aria-label="${words.records.all(many)}">${words.records.showAll}</a>${create_href !== undefined && html`<a class="button small" href="${safeHref(create_href) ?? resourceTypeHref(resourceType)}">${words.records.create(one)}</a>`}</div></div>
${recordTable({ ...locale, resourceType, columns, records })}
</section>`;
}

function emptyLists(lists: readonly RelatedList[], { words }: ConsoleLocale): Html | false {
  const { create } = words.records;
  return (
    lists.length > 0 &&
    html`<section class="part" aria-labelledby="related-none"><h2 id="related-none">${words.records.noneRelated}</h2>
<ul class="inline">${lists.map(({ resourceType, create_href }) => {
      const { one, many } = words.resourceTypes[resourceType];
      const href = safeHref(create_href);
      return html`<li>${href === undefined ? html`<span class="quiet">${many}</span>` : html`${many} <a href="${href}">${create(one)}</a>`}</li>`;
    })}</ul></section>`
  );
}

function actionLink(
  href: string | undefined,
  label: string,
  kind: "" | " primary" | " danger",
): Html | false {
  const to = safeHref(href);
  return to !== undefined && html`<a class="button${kind}" href="${to}">${label}</a>`;
}

function everydayActions({ more, buttons = [], csrf_token, edit_href, words }: RecordPage): Html | false {
  if (more.length === 0 && buttons.length === 0 && edit_href === undefined) return false;
  const pressed = ({ action, label }: RecordButton) =>
    html`<form method="post" action="${safeHref(action) ?? ""}">${hiddenFields({ csrf_token: csrf_token ?? "" })}<button class="button" type="submit">${label}</button></form>`;
  return html`${buttons.map(pressed)}${more.map(({ href, label }) => actionLink(href, label, ""))}${actionLink(edit_href, words.records.edit, " primary")}`;
}

function endings({ destructive, revoke_href, delete_href, words }: RecordPage): Html | false {
  const { revoke, delete: remove, danger, dangerLead } = words.records;
  const links = [
    ...destructive.map(({ href, label }) => actionLink(href, label, " danger")),
    actionLink(revoke_href, revoke, " danger"),
    actionLink(delete_href, remove, " danger"),
  ];
  if (links.every((link) => link === false)) return false;
  return html`<section class="card" aria-labelledby="danger"><div><h2 id="danger">${danger}</h2><p class="quiet">${dangerLead}</p></div><div class="actions">${links}</div></section>`;
}

export function recordPage(page: RecordPage): Html {
  const { resourceType, name, state, fields, tabs, related, done, words } = page;
  const { one, many } = words.resourceTypes[resourceType];
  const isFolded = ({ name: field }: ShownField) => page.folded?.includes(field) === true;
  const open = fields.filter((field) => !isFolded(field));
  const cards = groupedFields(page.groups, open).map(
    ({ legend, fields: grouped }) =>
      html`<section class="card"><h2>${legend === undefined ? words.records.facts : words.records.groups[legend]}</h2>${factsOf(grouped, page)}</section>\n`,
  );
  const filled = related.filter(({ records }) => records.length > 0);
  const lists = (near_top: boolean) =>
    filled.filter((list) => (list.near_top ?? false) === near_top).map((list) => relatedList(list, page));
  return consoleFrame({
    ...page,
    here: resourceType,
    title: name,
    crumbs: [{ label: many, href: resourceTypeHref(resourceType) }, { label: name }],
    lead: html`${one}${state !== undefined && html` ${stateBadge(state, words)}`}${page.held_off === true && html` ${words.records.heldOff}`}`,
    actions: everydayActions(page),
    done: doneText(words, resourceType, done),
    body: html`${tabs !== undefined && tabBar(words.records.parts(name), tabs)}
${cautions(page.notices)}${cards.slice(0, 1)}${lists(true)}${cards.slice(1)}${foldedCard(fields.filter(isFolded), page)}${page.parts}${lists(false)}${emptyLists(
  related.filter(({ records }) => records.length === 0),
  page,
)}${endings(page)}`,
  });
}
