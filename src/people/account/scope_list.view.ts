import { type Html, html } from "../../web/html/html.ts";
import type { ScopeDescription } from "../../web/scope_descriptions.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

/** Renders scopes, and marks descriptions that the app wrote or that are missing. */
export function scopeList(scopes: readonly ScopeDescription[], { words }: Pick<PageLocale, "words">): Html {
  const { ownWords, undescribed } = words.belongings.apps;
  return html`<ul class="scopes">${scopes.map(
    ({ name, description, own, lang }) =>
      html`<li><span class="scope-words">${
        description
          ? html`<span${lang && html` lang="${lang}"`}><bdi>${description}</bdi></span><span class="quiet"><code>${name}</code>${own && html` · ${ownWords}`}</span>`
          : html`<span><code>${name}</code></span><span class="quiet">${undescribed}</span>`
      }</span></li>`,
  )}</ul>`;
}
