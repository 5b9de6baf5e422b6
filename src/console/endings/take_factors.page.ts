import type { FieldError } from "../../errors/field_errors.ts";
import { type FormError, fieldErrorSentence, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { textField } from "../../web/html/text_field.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";

export type TakeFactorsPage = ConsoleLocale & {
  csrf_token: string;
  user: { id: string; name: string };
  factor?: { id: string; name: string } | undefined;
  reason: string;
  error?: FieldError | undefined;
  errors: readonly FormError[];
};

/**
 * Renders the page on which an administrator confirms the removal of a user's second factors and enters a
 * reason.
 */
export function takeFactorsPage(page: TakeFactorsPage): Html {
  const { csrf_token, user, factor, reason, error, errors, words } = page;
  const said = words.takeFactors.all;
  const of = factor === undefined ? said : words.takeFactors.one;
  const href = `${resourceTypeHref("users")}/${user.id}`;
  const action = factor === undefined ? `${href}/reset-factors` : `${href}/factors/${factor.id}/remove`;
  const field = textField({
    name: "reason",
    label: said.reason,
    type: "text",
    autocomplete: "off",
    value: reason,
    help: said.reasonHelp,
    error: error && fieldErrorSentence(error, words),
    max_length: 1000,
    required: true,
  });
  return consoleFrame({
    ...page,
    title: of.title,
    here: "users",
    crumbs: [{ label: user.name, href }, { label: of.title }],
    lead: factor === undefined ? said.lead(user.name) : words.takeFactors.one.lead(user.name, factor.name),
    body: html`${errors.length > 0 && notice("failure", html`<ul>${errors.map((error) => html`<li>${formErrorSentence(error, words)}</li>`)}</ul>`)}
<section class="card"><ul class="scopes">${[of.removed, of.ended, of.told].map((effect) => html`<li>${effect}</li>`)}</ul>
<form method="post" action="${action}">${hiddenFields({ csrf_token })}
${field}
<div class="decisions"><a class="button" href="${href}">${said.cancel}</a><button class="button danger primary" type="submit">${of.submit}</button></div></form></section>`,
  });
}
