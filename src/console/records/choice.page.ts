import type { ResourceType } from "../../records/definition/permissions.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { fieldLabel, valueWord } from "../fields/field_label.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";

export type ChoicePage = ConsoleLocale & {
  resourceType: ResourceType;
  /** What is chosen before the form for a new record. */
  field: string;
  choices: readonly { readonly value: string; readonly href: string; readonly help?: string | undefined }[];
  cancel_href: string;
};

/** Asks which of a few kinds a new record is of: the form for it depends on that. */
export function choicePage({ resourceType, field, choices, cancel_href, ...locale }: ChoicePage): Html {
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  const { create, cancel } = words.records;
  const list = resourceTypeHref(resourceType);
  const title = create(one);
  return consoleFrame({
    ...locale,
    here: resourceType,
    title,
    crumbs: [{ label: many, href: list }, { label: title }],
    body: html`<section class="card" aria-labelledby="choice"><h2 id="choice">${fieldLabel(field, words)}</h2>
<ul class="choices">${choices.map(({ value, href, help }) => html`<li><a class="choice" href="${safeHref(href) ?? list}"><span class="choice-text"><strong>${valueWord(field, value, words) ?? value}</strong>${help !== undefined && html`<span class="quiet">${help}</span>`}</span></a></li>\n`)}</ul></section>
<div class="actions"><a class="button" href="${safeHref(cancel_href) ?? list}">${cancel}</a></div>`,
  });
}
