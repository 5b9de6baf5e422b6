import type { ProviderPreset } from "../../records/names/names.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import { leavePath } from "./page_paths.view.ts";
import { providerMark } from "./provider_mark.view.ts";

export interface OfferedProvider {
  readonly slug: string;
  readonly label: string;
  readonly preset: ProviderPreset;
}

function providerButton(
  { preset }: OfferedProvider,
  text: string,
  field?: { readonly name: string; readonly value: string },
): Html {
  const named = field && html` name="${field.name}" value="${field.value}"`;
  return html`<button class="button provider" type="submit"${named}>${providerMark(preset)}<span>${text}</span></button>`;
}

/** Renders a form for each provider, with a CSRF token so that another site cannot start a sign-in (EP-3). */
export function providerButtons(
  providers: readonly OfferedProvider[],
  {
    fields,
    label,
    action = leavePath,
  }: {
    readonly fields: Readonly<Record<string, string>>;
    readonly label: (provider: string) => string;
    readonly action?: (provider: OfferedProvider) => string;
  },
): Html {
  return html`<div class="providers">${providers.map(
    (provider) => html`<form method="post" action="${action(provider)}">
${hiddenFields(fields)}
${providerButton(provider, label(provider.label))}
</form>`,
  )}</div>`;
}

export function sudoProviderPart(
  { name, providers }: { readonly name: string; readonly providers: readonly OfferedProvider[] },
  { words }: PageLocale,
): Html {
  const { providerLead, confirmWith } = words.sudo;
  return html`<p>${providerLead}</p>
<div class="providers">${providers.map((provider) =>
    providerButton(provider, confirmWith(provider.label), { name, value: provider.slug }),
  )}</div>`;
}
