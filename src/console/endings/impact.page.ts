import type { ResourceType } from "../../records/definition/permissions.ts";
import { type FormError, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { impactLines, type ShownImpact } from "../../web/impact_lines.ts";
import type { RecordWords } from "../../web/words/en/records.ts";
import { control } from "../fields/control.view.ts";
import type { FieldControl } from "../fields/fields.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";

export type ImpactPage = ConsoleLocale & {
  resourceType: ResourceType;
  name: string;
  verb: keyof RecordWords["consequence"]["act"];
  action: string;
  csrf_token: string;
  etag: string;
  impact: ShownImpact;
  signs_out: boolean;
  /** Records are counted up to this number; a count that reaches it is shown as "at least". */
  limit: number;
  /**
   * What the user must type to confirm, such as a client_id or an email address. Empty if nothing has to be
   * typed.
   */
  confirm: string;
  confirm_wrong?: boolean | undefined;
  fields: readonly FieldControl[];
  errors: readonly FormError[];
  cancel_href: string;
};

function confirmation({ confirm, confirm_wrong, fields, words }: ImpactPage): Html {
  const { confirm: ask, confirmWrong } = words.records.consequence;
  const isFirst = confirm_wrong && !fields.some(({ error }) => error !== undefined);
  const wrong = html` aria-invalid="true" aria-describedby="field-confirm-error"${isFirst && html` autofocus`}`;
  return html`<div class="field">
<label for="field-confirm">${ask(html`<code>${confirm}</code>`)}</label>
<input id="field-confirm" name="confirm" type="text" autocomplete="off" spellcheck="false" autocapitalize="none" required${confirm_wrong && wrong}>
${confirm_wrong && html`<p class="field-error" id="field-confirm-error">${confirmWrong}</p>`}
</div>`;
}

/** Renders the page on which users confirm an action that ends records. */
export function impactPage(page: ImpactPage): Html {
  const { resourceType, name, verb, action, csrf_token, etag, fields, errors, cancel_href } = page;
  const { words, language } = page;
  const said = words.records.consequence;
  const { one, many } = words.resourceTypes[resourceType];
  const title = said.title[verb](name);
  const kept = safeHref(cancel_href) ?? resourceTypeHref(resourceType);
  const say = page.signs_out ? { people: words.records.signedOut } : {};
  // The page's title already says that the membership ends.
  const impact = resourceType === "memberships" ? { ...page.impact, members: 0 } : page.impact;
  const ends = impactLines({ ...page, impact, say });
  const faulty = fields.find(({ error }) => error !== undefined);
  return consoleFrame({
    ...page,
    here: resourceType,
    title,
    crumbs: [
      { label: many, href: resourceTypeHref(resourceType) },
      { label: name, href: kept },
      { label: title },
    ],
    // Says which kind of record it is, because the title may be only a user's name.
    lead: html`${one} · ${said.lead[verb]}`,
    body: html`${errors.length > 0 && notice("failure", html`${errors.map((error) => html`<p>${formErrorSentence(error, words)}</p>`)}`)}
<section class="card record-form">
<h2>${said.effects}</h2>
${ends.length === 0 ? html`<p>${resourceType === "signing_keys" ? said.keyDropped : said.nothing}</p>` : html`<ul class="consequences">${ends}</ul>`}${impact.tokens !== undefined && html`<p class="help">${said.signedTokens}</p>`}
<form method="post" action="${safeHref(action) ?? resourceTypeHref(resourceType)}">
${hiddenFields({ csrf_token, etag })}
${fields.map((field) => control(field, { words, language, autofocus: field === faulty }))}
${page.confirm !== "" && confirmation(page)}
<div class="decisions"><a class="button" href="${kept}">${said.keep}</a><button class="button danger primary" type="submit">${said.act[verb]}</button></div>
</form></section>`,
  });
}
