import type { ResourceType } from "../../records/definition/permissions.ts";
import { type FormError, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { impactLines, type ShownImpact } from "../../web/impact_lines.ts";
import { numberText } from "../../web/number.ts";
import type { ListWords } from "../../web/words/en/lists.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { plainTable } from "../frame/plain_table.view.ts";

export type ManyVerb = keyof ListWords["many"]["title"];

export type NamedRecord = { readonly id: string; readonly name: string };

export type NotDone = {
  readonly name: string;
  readonly why: "already" | "failed" | readonly FormError[];
};

type Many = ConsoleLocale & {
  resourceType: ResourceType;
  verb: ManyVerb;
  not_done: readonly NotDone[];
  back: string;
};

type ManyPage = Many & {
  action: string;
  csrf_token: string;
  /** `state` is the record's state on this page. The action skips records whose state has changed since. */
  records: readonly (NamedRecord & { readonly state: string })[];
  impact: ShownImpact;
  signs_out: boolean;
  limit: number;
  confirm_wrong: boolean;
};

function notDoneTable({ not_done, words }: Pick<Many, "not_done" | "words">): Html {
  const said = words.lists.many;
  const reason = ({ why }: NotDone) =>
    typeof why === "string" ? said.why[why] : why.map((error) => formErrorSentence(error, words)).join(" ");
  return html`<section class="card"><h2>${said.notDone}</h2>
${plainTable(
  [{ label: said.record }, { label: said.reason }],
  not_done.map((each) => [html`<bdi>${each.name}</bdi>`, reason(each)]),
)}</section>`;
}

function frameOf(page: Many, title: string, body: Html): Html {
  const { resourceType, words, back } = page;
  const { many } = words.resourceTypes[resourceType];
  return consoleFrame({
    ...page,
    here: resourceType,
    title,
    crumbs: [{ label: many, href: safeHref(back) ?? resourceTypeHref(resourceType) }, { label: title }],
    body,
  });
}

export function manyPage(page: ManyPage): Html {
  const { resourceType, verb, action, csrf_token, records, not_done, confirm_wrong, back, words } = page;
  const said = words.lists.many;
  const { consequence } = words.records;
  const count = records.length;
  const { one, many } = words.resourceTypes[resourceType];
  const title = said.title[verb](count, count === 1 ? one : many);
  const kept = safeHref(back) ?? resourceTypeHref(resourceType);
  const say = page.signs_out ? { people: words.records.signedOut } : {};
  const ends = impactLines({ ...page, say });
  const figure = html`<code>${count}</code>`;
  const wrong = html` aria-invalid="true" aria-describedby="field-confirm-error" autofocus`;
  const question = html`<section class="card record-form">
<h2>${consequence.effects}</h2>
${ends.length === 0 ? html`<p>${consequence.nothing}</p>` : html`<ul class="consequences">${ends}</ul><p class="quiet">${said.addedUp}</p>`}
<details${count <= 10 && html` open`}><summary>${said.records(count)}</summary><ul class="values">${records.map(({ id, name }) => html`<li><a href="${resourceTypeHref(resourceType)}/${id}"><bdi>${name}</bdi></a></li>`)}</ul></details>
<form method="post" action="${safeHref(action) ?? kept}">
${hiddenFields({ csrf_token, ids: records.map(({ id }) => id).join(" "), states: records.map(({ state }) => state).join(" "), back: back.split("?")[1] ?? "" })}
<div class="field">
<label for="field-confirm">${consequence.confirm(figure)}</label>
<input id="field-confirm" name="confirm" type="text" inputmode="numeric" autocomplete="off" required${confirm_wrong && wrong}>
${confirm_wrong && html`<p class="field-error" id="field-confirm-error">${consequence.confirmWrong}</p>`}
</div>
<div class="decisions"><a class="button" href="${kept}">${consequence.keep}</a><button class="button danger primary" type="submit">${consequence.act[verb]}</button></div>
</form></section>`;
  return frameOf(
    page,
    title,
    html`${count > 0 ? question : html`<p><a class="button" href="${kept}">${said.back}</a></p>`}
${not_done.length > 0 && notDoneTable(page)}`,
  );
}

type ManyDonePage = Many & { done: readonly NamedRecord[] };

export function manyDonePage(page: ManyDonePage): Html {
  const { resourceType, verb, done, not_done, back, words, language } = page;
  const said = words.lists.many;
  const all = numberText(done.length + not_done.length, language);
  const title = said.done[verb](
    numberText(done.length, language),
    all,
    words.resourceTypes[resourceType].many,
  );
  const kept = safeHref(back) ?? resourceTypeHref(resourceType);
  return frameOf(
    page,
    title,
    html`${not_done.length > 0 && notDoneTable(page)}
${done.length > 0 && html`<section class="card"><h2>${said.doneRecords}</h2><ul class="values">${done.map(({ name }) => html`<li><bdi>${name}</bdi></li>`)}</ul></section>`}
<p><a class="button primary" href="${kept}">${said.back}</a></p>`,
  );
}
