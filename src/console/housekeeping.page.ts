import type { ProcessFigures } from "../records/names/process_figures.ts";
import { hiddenFields } from "../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../web/html/html.ts";
import { ownWord } from "../web/html/own_word.ts";
import { durationText, sizeText } from "../web/measure.ts";
import { moment } from "../web/moment.ts";
import { numberText } from "../web/number.ts";
import { type ConsoleLocale, consoleFrame } from "./frame/console_frame.view.ts";
import { plainTable } from "./frame/plain_table.view.ts";

export type HousekeepingPage = ConsoleLocale & {
  csrf_token: string;
  now: Date;
  swept: { day: number; week: number };
  expired?: Readonly<Record<string, number>> | undefined;
  process: ProcessFigures | undefined;
  /** `size` is in bytes. */
  database: { kind: string; size: number; migrations: number };
};

function tableName(table: string, { words }: HousekeepingPage): Printable {
  const { resourceTypes, server } = words;
  const names: Readonly<Record<string, string>> = {
    oauth_tokens: resourceTypes.tokens.many,
    oauth_auth_codes: resourceTypes.auth_codes.many,
    sessions: resourceTypes.sessions.many,
    audit_events: resourceTypes.audit_events.many,
    refusals: resourceTypes.refusals.many,
    signing_keys: resourceTypes.signing_keys.many,
    ephemera: server.house.ephemera,
    statistics: server.house.statistics,
    invitations: server.house.invitations,
    devices: server.house.devices,
    recoveries: server.house.recoveries,
    deliveries: server.house.deliveries,
    events: resourceTypes.events.many,
    open_clients: server.house.open_clients,
  };
  return ownWord(names, table) ?? html`<code>${table}</code>`;
}

function expiredRows(page: HousekeepingPage): Html {
  const { swept, expired, process, csrf_token, now, words, language } = page;
  const said = words.server.house;
  const figure = (label: string, value: string) =>
    html`<div><dt>${label}</dt><dd class="figure-value">${value}</dd></div>`;
  const since = process?.swept_at && (now.getTime() - process.swept_at.getTime()) / 1000;
  return html`<section class="card"><h2>${said.expired}</h2>
<dl class="figures">${figure(said.day, numberText(swept.day, language))}${figure(said.week, numberText(swept.week, language))}${process && figure(said.swept, since === undefined ? said.pending : said.ago(durationText(since, language)))}</dl>
${
  expired &&
  html`<h3>${said.counted}</h3>${plainTable(
    [{ label: said.table }, { label: said.rows, number: true }],
    Object.entries(expired).map(([table, rows]) => [tableName(table, page), numberText(rows, language)]),
  )}`
}
<p class="quiet">${said.countLead}</p>
<form method="post" action="/console/housekeeping">${hiddenFields({ csrf_token })}<div class="actions"><button class="button" type="submit">${said.count}</button></div></form></section>`;
}

function queues(process: ProcessFigures, { words, language }: HousekeepingPage): Html {
  const said = words.server.house;
  const { hashing, mail, unwritten, workers } = process;
  const figure = (value: number) => numberText(value, language);
  const columns = [
    { label: said.queue },
    ...[said.running, said.waiting, said.most].map((label) => ({ label, number: true })),
  ];
  const written = (label: string, waiting: number) => [label, "–", figure(waiting), "–"];
  const rows = [
    [
      said.hashing,
      `${figure(hashing.running)} / ${figure(hashing.slots)}`,
      figure(hashing.waiting),
      figure(hashing.most_waiting),
    ],
    ...(mail === undefined ? [] : [written(said.mails, mail.waiting)]),
    written(said.uses, unwritten.uses),
    written(said.events, unwritten.events),
    written(said.refusals, unwritten.refusals),
    written(said.counts, unwritten.counts),
  ];
  return html`<section class="card"><h2>${said.queues}</h2>
${workers > 1 && html`<p class="quiet">${said.others(workers)}</p>`}
${plainTable(columns, rows)}
${mail === undefined ? html`<p class="quiet">${said.noMail}</p>` : mail.failed > 0 && html`<div class="notice notice-caution">${said.failedMails(figure(mail.failed))}</div>`}</section>`;
}

function facts(page: HousekeepingPage): Html {
  const { process, database, now, words, language } = page;
  const said = words.server.house;
  const fact = (label: string, value: Printable) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const kept = (days: number) =>
    days === 0 ? said.forEver : said.days(durationText(days * 86_400, language));
  const up = process && (now.getTime() - process.started_at.getTime()) / 1000;
  return html`<section class="card"><h2>${said.process}</h2><dl class="facts">
${
  process &&
  html`${fact(said.version, html`<code>${process.version}</code>`)}
${fact(said.started, html`${moment(process.started_at, "minute", language)} (${said.up(durationText(up ?? 0, language))})`)}`
}
${fact(said.database, html`<code>${database.kind}</code> ${said.size(sizeText(database.size, language))}`)}
${fact(said.migrations, numberText(database.migrations, language))}
</dl>
${
  process &&
  html`<h3>${said.retention}</h3><dl class="facts">
${fact(said.auditEvents, kept(process.retention.audit_events))}
${fact(said.addresses, kept(process.retention.addresses))}
${fact(said.refusalsKept, kept(process.retention.refusals))}
</dl>`
}</section>`;
}

export function housekeepingPage(page: HousekeepingPage): Html {
  const { process, words } = page;
  return consoleFrame({
    ...page,
    title: words.console.housekeeping,
    here: "housekeeping",
    lead: words.server.house.lead,
    body: html`${expiredRows(page)}
${process && queues(process, page)}
${facts(page)}`,
  });
}
