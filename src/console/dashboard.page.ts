import type { ResourceType } from "../records/definition/permissions.ts";
import { chart } from "../web/html/chart.ts";
import { dateFormat } from "../web/html/formats.ts";
import { type Html, html } from "../web/html/html.ts";
import { notice } from "../web/html/notice.ts";
import { ownWord } from "../web/html/own_word.ts";
import { shortIdText } from "../web/html/short_id.ts";
import { percentText } from "../web/measure.ts";
import { moment } from "../web/moment.ts";
import { numberText } from "../web/number.ts";
import { tabBar } from "../web/side_frame.ts";
import { dateLocale, type Language } from "../web/words/language.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./frame/console_frame.view.ts";
import { organizationPath } from "./frame/organization_switch.view.ts";
import { plainTable } from "./frame/plain_table.view.ts";
import { type Health, healthLine } from "./health_line.view.ts";

type DayFigure = {
  count: number;
  before: number;
  /**
   * The relative change from the day before: 0.5 means 50 % more. Undefined if the counts are too small to
   * compare.
   */
  change: number | undefined;
};

type FigureName = "tokens" | "sign_ins" | "sign_in_failures" | "refusals";
type SeriesName =
  | "tokens_code"
  | "tokens_refresh"
  | "tokens_machine"
  | "sign_ins"
  | "sign_in_failures"
  | "refusals";

/** Figures and counts that the viewer may not see are absent. */
export type Activity = { tokens: DayFigure } & { [F in FigureName]?: DayFigure } & {
  moments: readonly Date[];
  counts: { readonly [S in SeriesName]?: readonly number[] };
};

export type DashboardPage = ConsoleLocale & {
  health?: Health | undefined;
  period: Period;
  asks_for_one: boolean;
  activity: Activity | undefined;
  apps: readonly { id: string; name: string; client_id: string; tokens: number | undefined }[];
  refusals: readonly {
    short_id: string;
    error: string;
    /** The error description in English, as the client received it. */
    description: string;
    created_at: Date;
    app_name: string | undefined;
  }[];
  failed_sign_ins: readonly {
    id: string;
    client_ip: string | null;
    created_at: Date;
    user: { id: string; email: string } | undefined;
    reason: string | undefined;
  }[];
  first_steps: boolean;
};

const unwelcome: readonly FigureName[] = ["sign_in_failures", "refusals"];
/**
 * The relative increase from which failed sign-ins and refusals are highlighted: 1 means twice as many as the
 * day before.
 */
const unusualChange = 1;

const figureLinks: Readonly<Record<FigureName, { href: string; resourceType: ResourceType }>> = {
  tokens: { href: resourceTypeHref("tokens"), resourceType: "tokens" },
  sign_ins: {
    href: `${resourceTypeHref("audit_events")}?type=sign_in&outcome=success`,
    resourceType: "audit_events",
  },
  sign_in_failures: {
    href: `${resourceTypeHref("audit_events")}?type=sign_in&outcome=failure`,
    resourceType: "audit_events",
  },
  refusals: { href: resourceTypeHref("refusals"), resourceType: "refusals" },
};

function figure(
  name: FigureName,
  { count, before, change }: DayFigure,
  { words, language, viewer }: ConsoleLocale,
): Html {
  const said = words.dashboard;
  const share = percentText(Math.abs(change ?? 0), language);
  const same = percentText(0, language);
  const compared =
    change === undefined
      ? said.before(numberText(before, language))
      : share === same
        ? said.same
        : change > 0
          ? said.more(share)
          : said.fewer(share);
  const unusual = unwelcome.includes(name) && change !== undefined && change >= unusualChange;
  const { href, resourceType } = figureLinks[name];
  const label = said.figures[name];
  const link = viewer.resourceTypes.has(resourceType) ? html`<a href="${href}">${label}</a>` : label;
  return html`<div><dt>${link}</dt><dd class="figure-value">${numberText(count, language)}</dd><dd class="quiet">${compared}</dd>${unusual && html`<dd><span class="badge badge-caution">${said.unusual}</span></dd>`}</div>`;
}

function figures(activity: Activity, locale: ConsoleLocale): Html {
  const names: readonly FigureName[] = ["tokens", "sign_ins", "sign_in_failures", "refusals"];
  return html`<section class="part"><h2>${locale.words.dashboard.today}</h2>
<dl class="figures">${names.map((name) => {
    const shown = activity[name];
    return shown && figure(name, shown, locale);
  })}</dl></section>`;
}

function plotOf(
  title: string,
  names: readonly SeriesName[],
  { moments, counts }: Activity,
  { period, words, language }: DashboardPage,
): Html {
  const said = words.dashboard;
  const texts = momentTexts(moments, period, language);
  const series = names.flatMap((name) => {
    const values = counts[name];
    return values === undefined ? [] : [{ name: said.series[name], values }];
  });
  const totals = moments.map((_, index) =>
    series.reduce((total, { values }) => total + (values[index] ?? 0), 0),
  );
  const most = Math.max(0, ...totals);
  const format = (value: number) => numberText(value, language);
  const total = totals.reduce((sum, each) => sum + each, 0);
  const summary =
    total === 0
      ? said.plots.nothing
      : said.plots.summary(format(total), format(most), texts[totals.indexOf(most)] ?? "");
  return html`<section class="card">${chart({
    title,
    summary,
    moment_label: said.plots.moment[period],
    moments: texts,
    times: moments,
    series,
    table_label: said.plots.table,
    format,
  })}</section>`;
}

const periods: readonly Period[] = ["day", "week", "month"];

function periodTabs({ period, words }: DashboardPage): Html {
  const said = words.dashboard.period;
  const links = periods.map((each) => ({
    href: `/console?period=${each}`,
    label: said[each],
    current: each === period,
  }));
  return tabBar(said.label, links);
}

function appList({ activity, apps, viewer, words, language }: DashboardPage): Html {
  const said = words.dashboard.apps;
  const counted = activity !== undefined;
  const name = ({ id, name: text, client_id }: DashboardPage["apps"][number]) =>
    html`<a href="${resourceTypeHref("apps")}/${id}"><bdi>${text}</bdi></a> <code>${client_id}</code>`;
  const columns = [{ label: said.app }, ...(counted ? [{ label: said.tokens, number: true }] : [])];
  const rows = apps.map((app) => [name(app), ...(counted ? [numberText(app.tokens ?? 0, language)] : [])]);
  return html`<section class="card"><h2>${counted ? said.title : said.mine}</h2>
${rows.length > 0 ? plainTable(columns, rows) : html`<p class="quiet">${counted ? said.none : said.noneOfMine}</p>`}
${viewer.resourceTypes.has("apps") && html`<p><a href="${resourceTypeHref("apps")}">${said.all}</a></p>`}</section>`;
}

function refusalList({ refusals, words, language }: DashboardPage): Html {
  const said = words.dashboard.refusals;
  const columns = [said.reference, said.error, said.app, said.when].map((label) => ({ label }));
  const rows = refusals.map(({ short_id, error, description, app_name, created_at }) => [
    html`<a href="${resourceTypeHref("refusals")}/${short_id}"><code>${shortIdText(short_id)}</code></a>`,
    html`<span lang="en">${description}</span> <code class="quiet">${error}</code>`,
    app_name === undefined ? "–" : html`<bdi>${app_name}</bdi>`,
    moment(created_at, "minute", language),
  ]);
  return html`<section class="card"><h2>${said.title}</h2>
${rows.length > 0 ? plainTable(columns, rows) : html`<p class="quiet">${said.none}</p>`}
<p><a href="${resourceTypeHref("refusals")}">${said.all}</a></p></section>`;
}

function failureList({ failed_sign_ins, viewer, words, language }: DashboardPage): Html {
  const said = words.dashboard.failures;
  const withReasons = viewer.is_platform_admin;
  const labels = [said.who, ...(withReasons ? [said.reason] : []), said.from, said.when];
  const rows = failed_sign_ins.map(({ id, user, reason, client_ip, created_at }) => [
    html`<a href="${resourceTypeHref("audit_events")}/${id}">${user === undefined ? said.nobody : html`<bdi>${user.email}</bdi>`}</a>`,
    ...(withReasons ? [ownWord(said.reasons, reason ?? "") ?? html`<code>${reason ?? "–"}</code>`] : []),
    html`<code>${client_ip ?? "–"}</code>`,
    moment(created_at, "minute", language),
  ]);
  return html`<section class="card"><h2>${said.title}</h2>
${
  rows.length > 0
    ? plainTable(
        labels.map((label) => ({ label })),
        rows,
      )
    : html`<p class="quiet">${said.none}</p>`
}
<p><a href="${resourceTypeHref("audit_events")}?type=sign_in&amp;outcome=failure">${said.all}</a></p></section>`;
}

function firstSteps(words: DashboardPage["words"]): Html {
  const { title, lead, make, values, sign_in } = words.dashboard.first;
  const discovery = html`<code>/.well-known/openid-configuration</code>`;
  return html`<section class="card"><h2>${title}</h2><p class="lead">${lead}</p>
<ol class="steps">
<li class="step"><div class="step-words"><h3>${make.title}</h3><p>${make.text}</p></div><div class="actions"><a class="button primary" href="${resourceTypeHref("apps")}/new">${make.link}</a></div></li>
<li class="step"><div class="step-words"><h3>${values.title}</h3><p>${values.text(discovery)}</p></div></li>
<li class="step"><div class="step-words"><h3>${sign_in.title}</h3><p>${sign_in.text}</p></div></li>
</ol></section>`;
}

export function dashboardPage(page: DashboardPage): Html {
  const { health, activity, asks_for_one, first_steps, words, language } = page;
  const said = words.dashboard.plots;
  return consoleFrame({
    ...page,
    title: words.console.dashboard,
    here: "dashboard",
    body: html`${health && healthLine(health, words, language)}
${asks_for_one && notice("caution", html`<p>${words.console.organization.first} <a href="${organizationPath}">${words.console.organization.choose}</a></p>`)}
${first_steps && firstSteps(words)}
${
  activity &&
  !first_steps &&
  html`${figures(activity, page)}
${periodTabs(page)}
${plotOf(said.tokens, ["tokens_code", "tokens_refresh", "tokens_machine"], activity, page)}
<div class="pair">${activity.counts.sign_ins && plotOf(said.sign_ins, ["sign_ins", "sign_in_failures"], activity, page)}
${activity.counts.refusals && plotOf(said.refusals, ["refusals"], activity, page)}</div>`
}
${!first_steps && appList(page)}
${page.viewer.resourceTypes.has("refusals") && refusalList(page)}
${page.viewer.resourceTypes.has("audit_events") && failureList(page)}`,
  });
}

type Period = "day" | "week" | "month";

function momentTexts(moments: readonly Date[], period: Period, language: Language): string[] {
  const format = dateFormat(dateLocale(language), {
    day: "numeric",
    month: "short",
    ...(period !== "month" && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    timeZone: "UTC",
  });
  return moments.map((moment) => format.format(moment));
}
