import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { textField } from "../../web/html/text_field.ts";
import { besideGrid, permissionGrid } from "../../web/permission_grid.ts";
import type { ScopeDescription } from "../../web/scope_descriptions.ts";
import type { BelongingsWords } from "../../web/words/en/belongings.ts";
import { type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";

/** In days; null means that the key never expires. */
export const keyLifetimes = [7, 30, 90, 365, null] as const;
export type KeyLifetime = (typeof keyLifetimes)[number];

export type NewApiKeyError = "name" | keyof BelongingsWords["keys"]["errors"];

export type NewApiKeyPage = AccountLocale & {
  csrf_token: string;
  /** Identifies the form, so submitting it twice creates one key. */
  form_id: string;
  scopes: readonly ScopeDescription[];
  typed: { name: string; lifetime: KeyLifetime; scopes: readonly string[] };
  errors: readonly NewApiKeyError[];
  longest_name: number;
};

export function newApiKeyPage(page: NewApiKeyPage): Html {
  const { csrf_token, form_id, scopes, typed, errors, longest_name, ...frame } = page;
  const words = frame.words.belongings.keys;
  const name_error = errors.includes("name") ? frame.words.frame.nameError(longest_name) : undefined;
  const lifetime_error = errors.includes("lifetime") ? words.errors.lifetime : undefined;
  const scope_kind = (["scopes", "scopes_refused"] as const).find((kind) => errors.includes(kind));
  const scope_error = scope_kind && words.errors[scope_kind];
  const lifetimeOption = (days: KeyLifetime) =>
    html`<option value="${days ?? "never"}"${days === typed.lifetime && html` selected`}>${days === null ? words.forEver : words.days(days)}</option>`;
  const offered = scopes.map(({ name }) => name);
  const beside = besideGrid(offered, "postern:", frame);
  const isFirst = scope_error !== undefined && name_error === undefined && lifetime_error === undefined;
  const grid = { name: "scope", prefix: "postern:", offered, chosen: typed.scopes, autofocus: isFirst };
  const scopeBox = ({ name, description }: ScopeDescription) =>
    html`<label class="check"><input type="checkbox" name="scope" value="${name}"${typed.scopes.includes(name) && html` checked`}><span>${description ? html`<bdi>${description}</bdi> <code class="help">${name}</code>` : html`<code>${name}</code>`}</span></label>`;
  return accountFrame({
    ...frame,
    here: "api_keys",
    title: words.newTitle,
    lead: words.newLead,
    body: html`<section class="card">
<form method="post" action="/account/api-keys/new">
${hiddenFields({ csrf_token, form_id })}
${textField({ name: "name", label: words.name, type: "text", value: typed.name, autocomplete: "off", help: words.nameHelp, error: name_error, max_length: longest_name, required: true, autofocus: name_error !== undefined })}
<div class="field">
<label for="lifetime">${words.lifetime}</label>
<select id="lifetime" name="lifetime"${lifetime_error !== undefined && html` aria-invalid="true" aria-describedby="lifetime-error"`}${lifetime_error !== undefined && name_error === undefined && html` autofocus`}>${keyLifetimes.map(lifetimeOption)}</select>
${lifetime_error !== undefined && html`<p class="field-error" id="lifetime-error">${lifetime_error}</p>`}
</div>
<fieldset aria-describedby="${scope_error === undefined ? "scopes-help" : "scopes-error scopes-help"}">
<legend>${words.allowed}</legend>
${scope_error !== undefined && html`<p class="field-error" id="scopes-error">${scope_error}</p>`}
<p class="help" id="scopes-help">${words.allowedHelp}</p>
${permissionGrid(grid, frame)}
${scopes.filter(({ name }) => beside.includes(name)).map(scopeBox)}
</fieldset>
<div class="actions"><button class="button primary" type="submit">${words.submit}</button><a class="button" href="/account/api-keys">${words.cancel}</a></div>
</form>
</section>`,
  });
}
