import type { FieldError } from "../../errors/field_errors.ts";
import { type FormError, fieldErrorSentence, formErrorSentence } from "../error_sentence.ts";
import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { notice } from "../notice.ts";
import { textField } from "../text_field.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./console_frame.ts";

export type ResetFactorsPage = ConsoleLocale & {
  csrf_token: string;
  user: { id: string; name: string };
  /** As it was typed. */
  reason: string;
  fault?: FieldError | undefined;
  errors: readonly FormError[];
};

/** Says what a reset of second factors does, and asks for the reason. */
export function resetFactorsPage(page: ResetFactorsPage): Html {
  const { csrf_token, user, reason, fault, errors, words } = page;
  const said = words.lostFactors.console;
  const href = `${resourceTypeHref("users")}/${user.id}`;
  const field = textField({
    name: "reason",
    label: said.reason,
    type: "text",
    autocomplete: "off",
    value: reason,
    help: said.reasonHelp,
    fault: fault && fieldErrorSentence(fault, words),
    max_length: 1000,
    required: true,
  });
  return consoleFrame({
    ...page,
    title: said.title,
    here: "users",
    crumbs: [{ label: user.name, href }, { label: said.title }],
    lead: said.lead(user.name),
    body: html`${errors.length > 0 && notice("failure", html`<ul>${errors.map((error) => html`<li>${formErrorSentence(error, words)}</li>`)}</ul>`)}
<section class="card"><ul class="scopes">${[said.removed, said.ended, said.told].map((effect) => html`<li>${effect}</li>`)}</ul>
<form method="post" action="${href}/reset-factors">${hiddenFields({ csrf_token })}
${field}
<div class="decisions"><a class="button" href="${href}">${said.cancel}</a><button class="button danger primary" type="submit">${said.submit}</button></div></form></section>`,
  });
}
