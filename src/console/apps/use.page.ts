import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import type { UseWords } from "../../web/words/en/use.ts";
import { fieldLabel } from "../fields/field_label.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { type AppHead, appTabBar, appTitle } from "./app_tabs.view.ts";
import {
  environmentFile,
  machineQuickstarts,
  type Quickstart,
  signInQuickstarts,
} from "./quickstarts.view.ts";
import { snippetBlock } from "./snippet_block.view.ts";
import type { SnippetApp } from "./snippet_parts.view.ts";
import { verifyCard } from "./verify.card.ts";
import type { SnippetApi } from "./verify_snippets.view.ts";

export type UsePage = ConsoleLocale & {
  app: SnippetApp & AppHead;
  gaps: readonly (keyof UseWords["gaps"])[];
  /** The server's URLs by their names in its metadata; `discovery` is the URL of the metadata itself. */
  endpoints: Readonly<Record<keyof UseWords["endpoint"], string>>;
  /** For an app of the type `service`, the first API whose resource server it is, or `none`. */
  api?: SnippetApi | "none" | undefined;
  created?: { readonly secret?: string | undefined } | undefined;
};

const mendedByEditing: ReadonlySet<keyof UseWords["gaps"]> = new Set<keyof UseWords["gaps"]>([
  "inactive",
  "no_grants",
  "no_redirect_uri",
  "no_scopes",
  "no_machine_scopes",
  "public_machine",
]);

export function usePage({ app, gaps, endpoints, api, created, ...page }: UsePage): Html {
  const { use: words } = page.words;
  const record = `${resourceTypeHref("apps")}/${app.id}`;
  const newSecret = `${resourceTypeHref("app_secrets")}/new?app_id=${app.id}`;
  const { comments } = words;
  const mend = (gap: keyof UseWords["gaps"]) => {
    if (gap === "no_secret") return html` <a href="${newSecret}">${words.mend.secret}</a>`;
    return mendedByEditing.has(gap) && html` <a href="${record}/edit">${words.mend.edit}</a>`;
  };
  // Programs without a user may not request all scopes of the programs that sign users in, such as `openid`.
  const [first, second] =
    app.sign_in && app.machine
      ? [
          { ...app, machine: undefined },
          { ...app, sign_in: undefined },
        ]
      : [app];
  const environment = (of: SnippetApp) =>
    html`<h3>${words.kinds.environment}</h3>${snippetBlock(words.hints.environment, environmentFile(of, comments, created?.secret))}`;
  return consoleFrame({
    ...page,
    ...appTitle(app, page.words, "use"),
    lead: words.lead,
    done: created && words.created,
    body: html`${appTabBar(app, page.words, "use")}
${gaps.length > 0 && notice("caution", html`<ul>${gaps.map((gap) => html`<li>${words.gaps[gap]}${mend(gap)}</li>`)}</ul>`)}
<section class="card"><h2>${words.credentials}</h2>
${copyable(fieldLabel("client_id", page.words), app.client_id)}
${copyable(words.endpoint.issuer, app.issuer)}
${created?.secret !== undefined && html`${notice("caution", words.secretOnce)}<h3>${words.secret}</h3><div class="secret"><code>${created.secret}</code></div>`}
${!app.proves_keys && !app.in_browser && html`${environment(first)}${!app.public && html`<p class="quiet">${words.copyHint}</p>`}`}</section>
${quickstartGroup(words.snippetsOf.code, signInQuickstarts(app, comments), words)}
${api === "none" ? html`<section class="card"><h2>${words.api}</h2><p>${words.noApi}</p><div class="actions"><a class="button" href="${resourceTypeHref("resources")}/new">${words.registerApi}</a></div></section>` : api && verifyCard(api, page.words)}
${quickstartGroup(words.snippetsOf.machine, machineQuickstarts(app), words, second && environment(second))}
<section class="card"><h2>${words.endpoints}</h2><p class="quiet">${words.endpointsHint}</p>
<dl class="facts">${Object.entries(endpoints).map(
      ([name, address]) =>
        html`<div><dt>${words.endpoint[name as keyof UseWords["endpoint"]]}</dt><dd>${endpointLink(address, name)}</dd></div>`,
    )}</dl></section>`,
  });
}

function copyable(label: string, value: string): Html {
  return html`<h3>${label}</h3><div class="copyable"><code>${value}</code></div>`;
}

function endpointLink(address: string, name: string): Html {
  const href = name === "discovery" || name === "jwks_uri" ? safeHref(address) : undefined;
  const said = html`<code>${address}</code>`;
  return html`<span class="copied-value">${href === undefined ? said : html`<a href="${href}">${said}</a>`}</span>`;
}

function quickstartGroup(
  title: string,
  quickstarts: readonly Quickstart[],
  words: UseWords,
  environment?: Html,
): Html | undefined {
  if (quickstarts.length === 0) return undefined;
  return html`<section class="card"><h2>${title}</h2>${environment}${quickstarts.map(
    (quickstart, index) =>
      html`<details${index === 0 && html` open`}><summary><h3>${words.kinds[quickstart.stack]}</h3></summary>${quickstartOf(quickstart, words)}</details>`,
  )}</section>`;
}

function quickstartOf({ hint, served_at, run, files }: Quickstart, words: UseWords): Html {
  const served = served_at !== undefined && html` ${words.servedAt(html`<code>${served_at}</code>`)}`;
  return html`${hint !== undefined && html`<p class="quiet">${words.hints[hint]}${served}</p>`}${run !== undefined && snippetBlock(words.run, run)}${files.map(({ path, text }) => snippetBlock(path === undefined ? "" : html`<code>${path}</code>`, text))}`;
}
