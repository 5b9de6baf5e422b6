import type { Refusal } from "../records/definition/definition.ts";
import { type ExplainedValue, explainEvidence } from "../web/explained_evidence.ts";
import { type Html, html, type Printable } from "../web/html/html.ts";
import { safeHref } from "../web/html/safe_href.ts";
import { shortIdText } from "../web/html/short_id.ts";
import { moment } from "../web/moment.ts";
import type { Language } from "../web/words/language.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./frame/console_frame.view.ts";

/** `name` is absent if the app or user was deleted or the viewer may not see it. */
type RefusalParty = { id: string; name?: string | undefined };

type RefusalPage = ConsoleLocale & {
  refusal: Refusal;
  app?: RefusalParty | undefined;
  user?: RefusalParty | undefined;
  audited: boolean;
};

/** Renders why a request was refused, with the received and expected values and what to do. */
export function refusalPage({ refusal, app, user, audited, ...page }: RefusalPage): Html {
  const { words, language } = page;
  const { facts } = words.refusal;
  const { short_id, error, description, endpoint, request_id, client_ip, user_agent } = refusal;
  const title = words.refusal.title(shortIdText(short_id));
  const row = (label: string, value: Printable) =>
    value !== null && value !== undefined && html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const audit = `${resourceTypeHref("audit_events")}?request_id=${encodeURIComponent((request_id ?? "").toWellFormed())}`;
  const request = audited
    ? html`<a href="${safeHref(audit)}">${request_id}</a>`
    : html`<code>${request_id}</code>`;
  return consoleFrame({
    ...page,
    title,
    here: "refusals",
    crumbs: [
      { label: words.resourceTypes.refusals.many, href: resourceTypeHref("refusals") },
      { label: title },
    ],
    lead: html`<span lang="en">${description}</span>`,
    body: html`${refusal.evidence.map((piece) => evidenceSection(piece, endpoint, page))}
${refusal.evidence.length === 0 && html`<p>${words.refusal.nothingMore}</p>`}
<section class="card"><dl class="facts">
${row(words.error.error, html`<code>${error}</code>`)}
${row(facts.endpoint, html`<code>${endpoint}</code>`)}
${row(facts.app, app && party("/console/apps", app))}
${row(facts.user, user && party("/console/users", user))}
${row(facts.when, moment(refusal.created_at, "minute", language))}
${row(facts.until, moment(refusal.expires_at, "minute", language))}
${row(facts.from, client_ip && html`<code>${client_ip}</code>`)}
${row(facts.agent, user_agent && html`<bdi lang="en">${user_agent}</bdi>`)}
${row(facts.request, request_id && request)}
${row(facts.id, html`<code>${refusal.id}</code>`)}
</dl></section>`,
  });
}

function party(path: string, { id, name }: RefusalParty): Html {
  if (name === undefined) return html`<code>${id}</code>`;
  return html`<a href="${safeHref(`${path}/${id}`)}"><bdi>${name}</bdi></a>`;
}

function evidenceSection(
  piece: Refusal["evidence"][number],
  endpoint: string,
  { words, language }: ConsoleLocale,
): Html {
  const { name, what, received, expected, difference, advice } = explainEvidence(piece, endpoint, {
    words,
    language,
  });
  const side = (label: string, values: readonly ExplainedValue[] | undefined) =>
    values &&
    html`<div><dt>${label}</dt><dd><ul>${values.map((value) => html`<li>${valueShown(value, language)}</li>`)}</ul></dd></div>`;
  return html`<section class="card"><h2>${what} <code>${name}</code></h2>
${(received ?? expected) && html`<dl class="figures">${side(words.refusal.received, received)}${side(words.refusal.expected, expected)}</dl>`}
${difference && html`<p class="quiet">${difference}</p>`}
${advice && html`<p><strong>${words.refusal.todo}:</strong> ${advice}</p>`}</section>`;
}

function valueShown(value: ExplainedValue, language: Language): Printable {
  switch (value.type) {
    case "code":
      return html`<code>${value.parts.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text))}</code>`;
    case "words":
      return value.text;
    case "duration": {
      const { seconds, text, limit } = value;
      return html`${limit} <time datetime="${`PT${seconds}S`}">${text}</time>`;
    }
    case "time":
      return moment(value.time, "minute", language);
    default:
      return value satisfies never;
  }
}

/** Renders the page for an ID without a refusal. It is the same for a refusal that the viewer may not see. */
export function unknownRefusalPage(page: ConsoleLocale): Html {
  const { unknown } = page.words.refusal;
  return consoleFrame({
    ...page,
    title: unknown.title,
    here: "refusals",
    crumbs: [
      { label: page.words.resourceTypes.refusals.many, href: resourceTypeHref("refusals") },
      { label: unknown.title },
    ],
    body: html`<section class="card"><p>${unknown.lead}</p>
<ul class="consequences">${Object.values(unknown.reasons).map((reason) => html`<li>${reason}</li>`)}</ul>
<p><a href="${resourceTypeHref("refusals")}">${unknown.list}</a></p></section>`,
  });
}
