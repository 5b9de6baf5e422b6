import { type Html, html } from "../html.ts";
import { notice } from "../notice.ts";
import { safeHref } from "../safe_href.ts";
import type { UseWords } from "../words/en/use.ts";
import { appCrumbs, appTabBar } from "./app_tabs.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./console_frame.ts";
import { snippetBlock } from "./snippet_block.ts";
import type { SnippetApp } from "./snippet_parts.ts";
import { environmentSnippet, machineSnippets, type Snippet, signInSnippets } from "./snippets.ts";

export type UsePage = ConsoleLocale & {
  app: SnippetApp & { id: string; name: string };
  /** What the app lacks for the snippets, or that it is public. */
  gaps: readonly (keyof UseWords["gaps"])[];
  /** Addresses of the server by their names in its metadata; `discovery` is the address of the metadata. */
  endpoints: Readonly<Record<keyof UseWords["endpoint"], string>>;
};

/** Gaps that are mended in the app itself, and those that a new secret mends. */
const mendedByEditing: ReadonlySet<keyof UseWords["gaps"]> = new Set<keyof UseWords["gaps"]>([
  "inactive",
  "no_grants",
  "no_redirect_uri",
  "no_scopes",
  "no_machine_scopes",
  "public_machine",
]);

/** How an app is used from code: the snippets, and the addresses of the server. */
export function usePage({ app, gaps, endpoints, ...page }: UsePage): Html {
  const { use: words } = page.words;
  const record = `${resourceTypeHref("apps")}/${app.id}`;
  const { comments } = words;
  const mend = (gap: keyof UseWords["gaps"]) => {
    if (gap === "no_secret") {
      return html` <a href="${resourceTypeHref("app_secrets")}/new?app_id=${app.id}">${words.mend.secret}</a>`;
    }
    return mendedByEditing.has(gap) && html` <a href="${record}/edit">${words.mend.edit}</a>`;
  };
  return consoleFrame({
    ...page,
    title: words.title,
    here: "apps",
    lead: words.lead,
    crumbs: appCrumbs(app, page.words, "use"),
    body: html`${appTabBar(app.id, page.words, "use")}
${gaps.length > 0 && notice("caution", html`<ul>${gaps.map((gap) => html`<li>${words.gaps[gap]}${mend(gap)}</li>`)}</ul>`)}
${app.public || app.proves_keys ? undefined : html`<p class="quiet">${words.copyHint}</p>`}
${app.proves_keys ? undefined : snippetCard(environmentSnippet(app, comments), words)}
${snippetGroup(words.snippetsOf.code, signInSnippets(app, comments), words)}
${snippetGroup(words.snippetsOf.machine, machineSnippets(app, comments), words)}
<section class="card"><h2>${words.endpoints}</h2><p class="quiet">${words.endpointsHint}</p>
<dl class="facts">${Object.entries(endpoints).map(
      ([name, address]) =>
        html`<div><dt>${words.endpoint[name as keyof UseWords["endpoint"]]}</dt><dd>${endpointLink(address, name)}</dd></div>`,
    )}</dl></section>`,
  });
}

/** A public address is a link; the others are for programs. */
function endpointLink(address: string, name: string): Html {
  const href = name === "discovery" || name === "jwks_uri" ? safeHref(address) : undefined;
  return href === undefined
    ? html`<code>${address}</code>`
    : html`<a href="${href}"><code>${address}</code></a>`;
}

/** The first one lies open; the others are a choice, and would make the page long. */
function snippetGroup(title: string, snippets: readonly Snippet[], words: UseWords): Html | undefined {
  if (snippets.length === 0) return undefined;
  return html`<section class="card"><h2>${title}</h2>${snippets.map(
    (snippet, index) =>
      html`<details${index === 0 && html` open`}><summary><h3>${words.kinds[snippet.kind]}</h3></summary>${snippetBlock(words.hints[snippet.hint], snippet.text)}</details>`,
  )}</section>`;
}

function snippetCard(snippet: Snippet, words: UseWords): Html {
  return html`<section class="card"><h2>${words.kinds[snippet.kind]}</h2><div>${snippetBlock(words.hints[snippet.hint], snippet.text)}</div></section>`;
}
