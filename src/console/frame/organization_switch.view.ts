import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";

export type OrganizationName = { readonly id: string; readonly name: string };

export type OrganizationSwitch = {
  /** Undefined means all organizations. */
  readonly chosen: OrganizationName | undefined;
  readonly choices: readonly OrganizationName[];
  readonly has_more: boolean;
  readonly csrf_token: string;
};

export const organizationPath = "/console/organization";

/** Renders a button for all organizations and one for each organization in `choices`. */
export function organizationButtons(
  { chosen, choices, csrf_token }: Omit<OrganizationSwitch, "has_more">,
  return_to: string,
  { organization: words }: ManagementLocale["words"]["console"],
): Html {
  const button = (value: string, name: Html | string) =>
    html`<li><button type="submit" name="organization" value="${value}"${value === (chosen?.id ?? "") && html` aria-current="true"`}>${name}</button></li>`;
  return html`<form method="post" action="${organizationPath}">${hiddenFields({ csrf_token, return_to })}<ul>${button("", words.all)}${choices.map(({ id, name }) => button(id, html`<bdi>${name}</bdi>`))}</ul></form>`;
}

/** Renders the chosen organization in the header. */
export function organizationSwitch(
  { has_more, ...organizations }: OrganizationSwitch,
  { words, return_to = "/console" }: ManagementLocale,
): Html {
  const { organization: said } = words.console;
  const { chosen, choices } = organizations;
  const name = html`<span class="unseen">${said.label} </span><span class="menu-name"><bdi>${chosen?.name ?? said.all}</bdi></span>`;
  if (choices.length === 0) return html`<p class="place">${name}</p>`;
  const further = html`<p><a href="${organizationPath}?${String(new URLSearchParams({ return_to }))}">${said.more}</a></p>`;
  return html`<details class="menu place" name="menu"><summary>${name}</summary>
<div>${organizationButtons(organizations, return_to, words.console)}${has_more && further}</div></details>`;
}
