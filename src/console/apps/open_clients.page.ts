import type { FieldError } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { type FormError, fieldErrorSentence, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { textField } from "../../web/html/text_field.ts";
import { mark } from "../../web/layout.ts";
import { moment } from "../../web/moment.ts";
import { numberText } from "../../web/number.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { plainTable } from "../frame/plain_table.view.ts";

type Client = Pick<
  OAuthApp,
  "id" | "client_id" | "name" | "provenance" | "client_ip" | "created_at" | "last_used_at"
> & { readonly people: number };

type OpenClientsPage = ConsoleLocale & {
  csrf_token: string;
  clients: readonly Client[];
  count: number;
  next: string | undefined;
  removed?: number | undefined;
  nothing_chosen?: boolean | undefined;
};

const path = "/console/open-clients";

/** A client can claim any name, but it cannot fake the host of its metadata document or its IP address. */
function originOf({ provenance, client_id, client_ip }: Client, unknown: string): string {
  if (provenance === "metadata_document") return URL.parse(client_id)?.host ?? client_id;
  return client_ip ?? unknown;
}

export function openClientsPage(page: OpenClientsPage): Html {
  const { csrf_token, clients, count, next, removed, nothing_chosen, words, language } = page;
  const said = words.openClients;
  const row = (client: Client) => {
    const { id, name, client_id, created_at, last_used_at, people } = client;
    const app = html`<a href="${resourceTypeHref("apps")}/${id}"><bdi>${name}</bdi></a>`;
    return [
      html`<label class="check"><input type="checkbox" name="id" value="${id}"><span>${said.choose} <code>${client_id}</code></span></label>`,
      app,
      html`<code>${originOf(client, said.unknown)}</code>`,
      moment(created_at, "minute", language),
      last_used_at === null ? said.never : moment(last_used_at, "minute", language),
      numberText(people, language),
    ];
  };
  const columns = [
    { label: said.choose },
    { label: said.client },
    { label: said.origin },
    { label: said.came },
    { label: said.used },
    { label: said.people, number: true },
  ];
  return consoleFrame({
    ...page,
    title: said.title,
    here: "open_clients",
    lead: said.lead,
    done: removed === undefined ? undefined : said.removed(removed, numberText(removed, language)),
    body: html`${nothing_chosen && notice("failure", said.nothingChosen)}
${
  clients.length === 0
    ? html`<div class="empty">${mark}<h2>${said.none}</h2><p class="lead">${said.noneLead}</p></div>`
    : html`<p class="quiet">${said.count(count, numberText(count, language))}</p>
<form method="post" action="${path}">${hiddenFields({ csrf_token })}${plainTable(columns, clients.map(row))}
<div class="actions"><button class="button" type="submit" name="which" value="chosen">${said.remove}</button><button class="button" type="submit" name="which" value="never_used">${said.removeUnused}</button></div></form>
${next !== undefined && html`<p><a href="${path}?before=${next}">${said.older}</a></p>`}`
}`,
  });
}

type OpenClientsConfirmation = ConsoleLocale & {
  csrf_token: string;
  chosen: readonly Pick<OAuthApp, "id" | "name" | "client_id">[] | "never_used";
};

export function openClientsConfirmation(page: OpenClientsConfirmation): Html {
  const { csrf_token, chosen, words } = page;
  const said = words.openClients;
  const which = chosen === "never_used" ? "never_used" : "chosen";
  const listed = chosen === "never_used" ? [] : chosen;
  return consoleFrame({
    ...page,
    title: said.confirmTitle,
    here: "open_clients",
    crumbs: [{ label: said.title, href: path }, { label: said.confirmTitle }],
    lead: chosen === "never_used" ? said.confirmUnused : said.confirmLead,
    body: html`<section class="card"><ul>${listed.map(({ name, client_id }) => html`<li><bdi>${name}</bdi> <code>${client_id}</code></li>`)}</ul>
<form method="post" action="${path}">${hiddenFields({ csrf_token, which, confirmed: "yes" })}${listed.map(({ id }) => hiddenFields({ id }))}<div class="actions"><button class="button danger" type="submit">${said.confirm}</button><a class="button" href="${path}">${said.cancel}</a></div></form></section>`,
  });
}

export type RegisterClientPage = ConsoleLocale & {
  csrf_token: string;
  client: Pick<OAuthApp, "id" | "client_id" | "name">;
  name: string;
  error?: FieldError | undefined;
  errors: readonly FormError[];
};

const listPath = "/console/open-clients";

/**
 * Renders the form with which an administrator takes over a client that registered itself by a metadata
 * document.
 */
export function registerClientPage(page: RegisterClientPage): Html {
  const { csrf_token, client, name, error, errors, words } = page;
  const said = words.openClients.register;
  const field = textField({
    name: "name",
    label: said.name,
    type: "text",
    autocomplete: "off",
    value: name,
    error: error && fieldErrorSentence(error, words),
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
