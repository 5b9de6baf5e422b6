import type { FieldError } from "../../errors/field_errors.ts";
import type { AppDemand } from "../../records/names/profiles.ts";
import type { Risk, RiskLevel } from "../../records/names/risk_kinds.ts";
import { type Html, html } from "../../web/html/html.ts";
import { mark } from "../../web/layout.ts";
import type { ChecksWords, RiskWords } from "../../web/words/en/checks.ts";
import { fieldErrorText } from "../../web/words/error_text.ts";
import type { Words } from "../../web/words/words.ts";
import { spelledLabel } from "../fields/field_label.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { type AppHead, appTabBar, appTitle } from "./app_tabs.view.ts";

export type ChecksPage = ConsoleLocale & {
  app: AppHead;
  risks: readonly Risk[];
  /** If false, `risks` contains none about secrets. */
  secrets_seen: boolean;
  demands: readonly AppDemand[];
  misfits: readonly FieldError[];
};

const badges: Readonly<Record<RiskLevel, string>> = {
  danger: "badge badge-failure",
  caution: "badge badge-caution",
  hint: "badge badge-quiet",
};

export function checksPage({ app, risks, secrets_seen, demands, misfits, ...page }: ChecksPage): Html {
  const { checks: words } = page.words;
  const record = `${resourceTypeHref("apps")}/${app.id}`;
  return consoleFrame({
    ...page,
    ...appTitle(app, page.words, "checks"),
    lead: words.lead,
    actions: html`<a class="button" href="${resourceTypeHref("app_secrets")}?app_id=${app.id}">${words.secrets}</a><a class="button" href="${record}/edit">${words.edit}</a>`,
    body: html`${appTabBar(app, page.words, "checks")}
${demands.length > 0 && profileCard({ demands, misfits }, page.words)}
${!secrets_seen && html`<p class="quiet">${words.unseenSecrets}</p>`}
${
  risks.length === 0
    ? html`<div class="empty">${mark}<h2>${words.clean}</h2><p class="lead">${words.cleanLead}</p></div>`
    : risks.map((risk) => riskCard(risk, words))
}`,
  });
}

function profileCard({ demands, misfits }: Pick<ChecksPage, "demands" | "misfits">, words: Words): Html {
  const { profile } = words.checks;
  return html`<section class="card" id="profile"><h2>${profile.title}</h2>
<ul>${demands.map((demand) => html`<li>${profile.demands[demand]}</li>`)}</ul>
${
  misfits.length === 0
    ? html`<p><strong>${profile.fits}</strong></p>`
    : html`<p><strong>${profile.lacks}</strong></p><ul>${misfits.map((misfit) => {
        const [name = "", ...rest] = misfit.path.slice(1).split("/");
        const spelled = spelledLabel({ name }, words, rest.length > 0 ? rest.join(" ") : undefined);
        return html`<li>${spelled}: ${fieldErrorText(misfit, words)}</li>`;
      })}</ul>`
}</section>`;
}

function riskCard({ kind, level, about, source }: Risk, words: ChecksWords): Html {
  const { title, why, instead }: RiskWords = words.risks[kind];
  const [figure = ""] = about;
  const said = typeof why === "string" ? why : why(figure);
  const concerns = typeof why === "string" ? about : [];
  return html`<section class="card" id="${kind}"><div><span class="${badges[level]}">${words.levels[level]}</span><h2>${title}</h2></div>
<div><p class="lead">${said}</p><p>${instead}</p></div>
<div>${concerns.length > 0 && html`<p class="quiet">${words.about}: ${concerns.map((thing, index) => html`${index > 0 && ", "}<code>${thing}</code>`)}</p>`}
<p class="quiet">${words.source}: <code>${source}</code></p></div></section>`;
}
