import type { ClaimSurface } from "../../records/names/names.ts";
import type { PreviewedClaim, TokenPreview } from "../../records/names/token_preview.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { textField } from "../../web/html/text_field.ts";
import { type ConsoleLocale, consoleFrame, tokenPreviewPath } from "../frame/console_frame.view.ts";
import { plainTable } from "../frame/plain_table.view.ts";

export type PreviewForm = Readonly<Record<"app" | "user" | "organization" | "scope" | "resource", string>>;

type TokenPreviewPage = ConsoleLocale & {
  typed: PreviewForm;
  preview?: TokenPreview | undefined;
  not_found?: keyof PreviewForm | undefined;
};

export function tokenPreviewPage({ typed, preview, not_found, ...page }: TokenPreviewPage): Html {
  const { tokenPreview: words } = page.words;
  const field = (name: keyof PreviewForm, required = false) =>
    textField({
      name,
      label: words.fields[name],
      type: "text",
      value: typed[name],
      autocomplete: "off",
      help: words.help[name],
      error: name === not_found ? words.notFound : undefined,
      autofocus: name === not_found,
      max_length: 4096,
      required,
    });
  return consoleFrame({
    ...page,
    here: "tokens",
    title: words.title,
    lead: words.lead,
    body: html`<section class="card"><form method="get" action="${tokenPreviewPath}">
${field("app", true)}${field("user")}${field("organization")}${field("scope")}${field("resource")}
<div class="actions"><button class="button primary" type="submit">${words.show}</button></div>
</form></section>
${preview && previewOf(preview, page)}`,
  });
}

function previewOf(preview: TokenPreview, page: ConsoleLocale): Html {
  const { tokenPreview: words } = page.words;
  const { scopes, refused_scopes, audience, claims, not_issued, organizations = [] } = preview;
  const codes = (list: readonly string[]) =>
    list.length === 0
      ? words.none
      : html`${list.map((each, index) => html`${index > 0 && " "}<code>${each}</code>`)}`;
  if (not_issued !== undefined)
    return notice(
      "caution",
      html`<p>${words.notIssued[not_issued]}${organizations.length > 0 && html` ${codes(organizations)}`}</p>`,
    );
  const surfaces = Object.entries(claims) as [ClaimSurface, readonly PreviewedClaim[]][];
  return html`<section class="card"><dl class="facts">
<div><dt>${words.scopes}</dt><dd>${codes(scopes)}</dd></div>
${refused_scopes.length > 0 && html`<div><dt>${words.refusedScopes}</dt><dd>${codes(refused_scopes)}</dd></div>`}
<div><dt>${words.audience}</dt><dd>${codes(audience)}</dd></div></dl></section>
${surfaces.map(
  ([surface, lines]) =>
    html`<section class="part"><h2>${words.surfaces[surface]}</h2>${lines.length === 0 ? html`<p class="quiet">${words.noToken}</p>` : claimTable(lines, page)}</section>`,
)}`;
}

function claimTable(lines: readonly PreviewedClaim[], page: ConsoleLocale): Html {
  const { tokenPreview: words } = page.words;
  const columns = [words.claim, words.value, words.reason].map((label) => ({ label }));
  return plainTable(
    columns,
    lines.map(({ claim, value, absent, set_at_issue, source, scopes = [] }) => [
      html`<code>${claim}</code>`,
      absent === undefined && !set_at_issue
        ? html`<code>${JSON.stringify(value)}</code>`
        : html`<span class="quiet">${set_at_issue ? words.setAtIssue : words.absent}</span>`,
      html`${absent === undefined ? words.sources[source] : words.absences[absent]}${scopes.length > 0 && html` ${scopes.map((scope) => html` <code>${scope}</code>`)}`}`,
    ]),
  );
}
