import type { Risk, RiskLevel } from "../../records/risk_kinds.ts";
import { type Html, html } from "../html.ts";
import { mark } from "../layout.ts";
import type { ChecksWords } from "../words/en/checks.ts";
import { appCrumbs, appTabBar } from "./app_tabs.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./console_frame.ts";

export type ChecksPage = ConsoleLocale & {
  app: { id: string; name: string };
  /** The worst first. */
  risks: readonly Risk[];
  /** The reader may see the secrets of the app, so that the risks cover them too. */
  secrets_seen: boolean;
};

const badges: Readonly<Record<RiskLevel, string>> = {
  danger: "badge badge-failure",
  caution: "badge badge-caution",
  hint: "badge badge-quiet",
};

/** The risky settings of an app: why, and the remedy. */
export function checksPage({ app, risks, secrets_seen, ...page }: ChecksPage): Html {
  const { checks: words } = page.words;
  const record = `${resourceTypeHref("apps")}/${app.id}`;
  return consoleFrame({
    ...page,
    title: words.title,
    here: "apps",
    lead: words.lead,
    crumbs: appCrumbs(app, page.words, "checks"),
    actions: html`<a class="button" href="${resourceTypeHref("app_secrets")}?app_id=${app.id}">${words.secrets}</a><a class="button" href="${record}/edit">${words.edit}</a>`,
    body: html`${appTabBar(app.id, page.words, "checks")}
${!secrets_seen && html`<p class="quiet">${words.unseenSecrets}</p>`}
${
  risks.length === 0
    ? html`<div class="empty">${mark}<h2>${words.clean}</h2><p class="lead">${words.cleanLead}</p></div>`
    : risks.map((risk) => riskCard(risk, words))
}`,
  });
}

function riskCard({ kind, level, about, source }: Risk, words: ChecksWords): Html {
  const { title, why, instead } = words.risks[kind];
  return html`<section class="card" id="${kind}"><div><span class="${badges[level]}">${words.levels[level]}</span><h2>${title}</h2></div>
<div><p class="lead">${why}</p><p>${instead}</p></div>
<div>${about.length > 0 && html`<p class="quiet">${words.about}: ${about.map((thing, index) => html`${index > 0 && ", "}<code>${thing}</code>`)}</p>`}
<p class="quiet">${words.source}: <code>${source}</code></p></div></section>`;
}
