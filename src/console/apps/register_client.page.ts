import type { FieldError } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { type FormError, fieldErrorSentence, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { textField } from "../../web/html/text_field.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";

export type RegisterClientPage = ConsoleLocale & {
  csrf_token: string;
  client: Pick<OAuthApp, "id" | "client_id" | "name">;
  /** As it was typed. */
  name: string;
  fault?: FieldError | undefined;
  errors: readonly FormError[];
};

const listPath = "/console/open-clients";

/** Asks for the name under which the client of a document becomes an app, and says what follows. */
export function registerClientPage(page: RegisterClientPage): Html {
  const { csrf_token, client, name, fault, errors, words } = page;
  const said = words.openClients.register;
  const field = textField({
    name: "name",
    label: said.name,
    type: "text",
    autocomplete: "off",
    value: name,
    fault: fault && fieldErrorSentence(fault, words),
    max_length: 255,
    required: true,
  });
  return consoleFrame({
    ...page,
    title: said.title,
    here: "open_clients",
    crumbs: [{ label: words.openClients.title, href: listPath }, { label: said.title }],
    lead: said.lead,
    body: html`${errors.length > 0 && notice("failure", html`<ul>${errors.map((error) => html`<li>${formErrorSentence(error, words)}</li>`)}</ul>`)}
<section class="card"><p>${said.client}: <code>${client.client_id}</code></p><p>${said.claimed}: <bdi>${client.name}</bdi></p>
<ul class="scopes">${[said.named, said.kept, said.unread, said.tokens].map((effect) => html`<li>${effect}</li>`)}</ul>
<form method="post" action="${listPath}/${client.id}/register">${hiddenFields({ csrf_token })}
${field}
<div class="decisions"><a class="button" href="${resourceTypeHref("apps")}/${client.id}">${said.cancel}</a><button class="button primary" type="submit">${said.submit}</button></div></form></section>`,
  });
}
