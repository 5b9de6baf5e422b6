import type { ImportState } from "../records/names/import_state.ts";
import { hiddenFields } from "../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../web/html/html.ts";
import { notice } from "../web/html/notice.ts";
import { textField } from "../web/html/text_field.ts";
import { sizeText } from "../web/measure.ts";
import { moment } from "../web/moment.ts";
import { numberText } from "../web/number.ts";
import { type ConsoleLocale, consoleFrame, importPath } from "./frame/console_frame.view.ts";
import { plainTable } from "./frame/plain_table.view.ts";

export type ImportPage = ConsoleLocale & {
  csrf_token: string;
  systems: readonly string[];
  most_bytes: number;
  state: ImportState | undefined;
  has_upload: boolean;
  is_running: boolean;
  form?: { system: string; source: string; organization: string } | undefined;
  error?:
    | { type: "incomplete" | "wrong_source" | "too_large" | "no_organization" }
    | { type: "unreadable"; message: string }
    | { type: "other_system"; system: string; likely: readonly string[] }
    | undefined;
  runs: readonly {
    created_at: Date;
    by: string | undefined;
    details: Readonly<Record<string, unknown>>;
  }[];
};

const productNames: Readonly<Record<string, string>> = {
  auth0: "Auth0",
  clerk: "Clerk",
  cognito: "Cognito",
  csv: "CSV",
  keycloak: "Keycloak",
  okta: "Okta",
  supabase: "Supabase",
  zitadel: "ZITADEL",
};

const nameOf = (system: string) => productNames[system] ?? system;

const outcomes = ["created", "updated", "unchanged", "refused"] as const;

/** A check writes nothing, so its texts say what an import would do. */
function outcomeWords({ words: { imports } }: ImportPage, dry_run: boolean) {
  return dry_run ? { ...imports, ...imports.planned } : imports;
}

function countsOf(counts: Readonly<Record<string, unknown>>, page: ImportPage, dry_run = false): string {
  const said = outcomeWords(page, dry_run);
  return outcomes
    .map((name) => `${numberText(Number(counts[name] ?? 0), page.language)} ${said[name]}`)
    .join(", ");
}

function errorText(
  error: NonNullable<ImportPage["error"]>,
  said: ImportPage["words"]["imports"],
  size: string,
): string {
  switch (error.type) {
    case "incomplete":
      return said.incomplete;
    case "wrong_source":
      return said.wrongSource;
    case "too_large":
      return said.tooLarge(size);
    case "no_organization":
      return said.noOrganization;
    case "unreadable":
      return said.unreadable(error.message);
    case "other_system": {
      const system = nameOf(error.system);
      const likely = error.likely.map(nameOf).join(" / ");
      return likely === "" ? said.notOfSystem(system) : said.ofOtherSystem(system, likely);
    }
  }
}

function fileForm(page: ImportPage): Html {
  const { words, language, csrf_token, systems, most_bytes, form, error, has_upload } = page;
  const said = words.imports;
  const size = sizeText(most_bytes, language);
  const sentence = error && errorText(error, said, size);
  const option = (name: string) =>
    html`<option value="${name}"${name === form?.system && html` selected`}>${nameOf(name)}</option>`;
  const field = { type: "text", autocomplete: "off", max_length: 64 } as const;
  return html`<section class="card"><h2>${said.file}</h2>
${sentence !== undefined && notice("failure", sentence)}
<form method="post" action="${importPath}" enctype="multipart/form-data">${hiddenFields({ csrf_token })}
<div class="field"><label for="system">${said.system}</label><select id="system" name="system">${systems.map(option)}</select></div>
${textField({ ...field, name: "source", label: said.source, help: said.sourceHelp, value: form?.source })}
${textField({ ...field, name: "organization", label: said.organization, help: said.organizationHelp, value: form?.organization })}
<div class="field"><label for="file">${said.file}</label><input id="file" name="file" type="file" accept=".json,.ndjson,.jsonl,.csv" aria-describedby="file-help"><p class="help" id="file-help">${said.fileHelp(size)}</p></div>
<div class="field"><label for="text">${said.pasted}</label><textarea id="text" name="text" rows="6" class="code" autocomplete="off" autocapitalize="none" spellcheck="false"></textarea></div>
<p class="quiet">${said.kept}</p>
<div class="actions"><button class="button${has_upload && " secondary"}" type="submit">${said.check}</button></div></form></section>`;
}

function button(page: ImportPage, action: string, label: string, kind: string): Html {
  return html`<form method="post" action="${importPath}/${action}">${hiddenFields({ csrf_token: page.csrf_token })}<button class="${kind}" type="submit">${label}</button></form>`;
}

function stateCard(state: ImportState, page: ImportPage): Html {
  const { words, language, has_upload, is_running } = page;
  const said = words.imports;
  const {
    phase,
    system,
    source,
    done,
    total,
    people,
    memberships = [],
    records,
    losses,
    clients,
    other_subjects,
  } = state;
  const isStopped = !is_running && ["checking", "importing"].includes(phase);
  const figure = (value: number) => numberText(value, language);
  const mayApply = has_upload && !is_running && (phase === "checked" || !state.dry_run);
  const list = (items: readonly Printable[]) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return html`<section class="card"><h2>${isStopped ? said.phase.stopped : said.phase[phase]}</h2>
<p><bdi>${source}</bdi>${source !== system && html` (${nameOf(system)})`}: ${people ? countsOf({ ...people }, page, state.dry_run) : said.progress(figure(done), figure(total))}</p>
${memberships.length > 0 && html`<p>${said.memberships}: ${memberships.map(({ organization, count }, index) => html`${index > 0 && ", "}<bdi>${organization}</bdi> ${figure(count)}`)}</p>`}
${is_running && html`<p class="quiet" role="status">${said.refreshes}</p>`}
${state.error !== undefined && notice("failure", said.failedLead(state.error))}
${isStopped && notice("caution", said.stoppedLead)}
${
  records &&
  html`<h3>${said.records}</h3>
<p>${figure(records.created.length)} ${outcomeWords(page, state.dry_run).created}, ${said.stay(figure(records.stay))}, ${figure(records.refused.length)} ${said.refused}</p>
${list([...records.created, ...records.refused.map((line) => html`${said.refused}: ${line}`)])}`
}
${
  losses &&
  html`<h3>${said.losses}</h3>${
    losses.length === 0
      ? html`<p>${said.noLosses}</p>`
      : plainTable(
          [{ label: said.kind }, { label: said.count, number: true }],
          losses.map(({ kind, count }) => [kind, figure(count)]),
        )
  }${losses.length > 0 && html`<div class="actions">${button(page, "losses", said.lossesFile, "button secondary")}</div>`}`
}
${other_subjects !== undefined && other_subjects > 0 && html`<p>${said.otherSubjects(other_subjects)}</p>`}
${
  clients &&
  clients.length > 0 &&
  html`<h3>${said.applications}</h3><p>${said.applicationsLead}</p>
<dl>${clients.map(({ client_id, changes }) => html`<dt><code>${client_id}</code></dt><dd>${changes.length === 0 ? said.nothingElse : list(changes)}</dd>`)}</dl>`
}
${has_upload && !is_running && html`<div class="actions">${mayApply && button(page, "apply", phase === "checked" ? said.apply : said.goOn, "button")}${button(page, "discard", said.discard, "button secondary")}</div>`}</section>`;
}

export function importPage(page: ImportPage): Html {
  const { words, language, state, is_running, runs } = page;
  const said = words.imports;
  const columns = [{ label: said.when }, { label: said.by }, { label: said.source }, { label: said.users }];
  const rows = runs.map(({ created_at, by, details }) => [
    moment(created_at, "minute", language),
    by ?? "–",
    html`<bdi>${String(details.source)}</bdi>`,
    countsOf(details, page),
  ]);
  return consoleFrame({
    ...page,
    title: said.title,
    here: "import",
    lead: said.lead,
    body: html`${state && stateCard(state, page)}${!is_running && fileForm(page)}
<section class="card"><h2>${said.runs}</h2>${rows.length === 0 ? html`<p class="quiet">${said.noRuns}</p>` : plainTable(columns, rows)}</section>`,
  });
}
