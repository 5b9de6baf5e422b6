import { avatar } from "../../web/html/avatar.ts";
import { type Html, html } from "../../web/html/html.ts";
import type { Words } from "../../web/words/words.ts";

export type BrandPreview = {
  name: string;
  /** `#rrggbb`; undefined without a color. */
  accent: string | undefined;
  /** Undefined without a logo, and if the content security policy of pages does not allow its host. */
  logo_url: string | undefined;
  fields: { readonly name: string; readonly accent: string; readonly logo: string };
};

/** Renders a small sign-in page with the form's brand. A script updates it while the user types. */
export function brandPreview({ name, accent, logo_url, fields }: BrandPreview, words: Words): Html {
  const { preview, choosePicture, unreadablePicture } = words.records;
  return html`<div class="brand-preview" data-brand-preview data-name="${fields.name}" data-accent="${fields.accent}" data-logo="${fields.logo}" data-or="${name}" data-choose="${choosePicture}" data-unreadable="${unreadablePicture}">
${accent !== undefined && html`<link rel="stylesheet" href="/assets/brand/accent-${accent.slice(1).toLowerCase()}.css">`}<p class="help">${preview}</p>
<div class="card" aria-hidden="true"><span class="brand">${avatar({ name, logo_url, kind: "client" })}<span class="brand-name">${name}</span></span>
<strong>${words.login.title}</strong><span class="button">${words.login.email}</span><span class="button primary">${words.login.submit}</span></div></div>`;
}
