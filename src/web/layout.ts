import { avatar } from "./html/avatar.ts";
import type { Brand } from "./html/brand.ts";
import { hiddenFields } from "./html/hidden_fields.ts";
import { type Html, html, type Printable } from "./html/html.ts";
import { safeHref } from "./html/safe_href.ts";
import {
  aboutLanguage,
  codeOf,
  directionOf,
  type Language,
  languages,
  languageTag,
} from "./words/language.ts";
import type { PageLocale } from "./words/page_locale.ts";

type Layout = PageLocale & {
  title: Printable;
  body: Html;
  brand?: Brand | undefined;
  width?: "narrow" | "wide" | "full";
  /** The body contains the ID `main`, the target of "Skip to content". */
  has_own_main?: boolean;
  /** The body contains its own script; the content security policy blocks all others. */
  has_own_script?: boolean;
  nav?: Html | undefined;
};

export const mark: Html = html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><path class="mark-stone" fill-rule="evenodd" d="M4 29V15a12 12 0 0 1 24 0v14h-4.5V15a7.5 7.5 0 0 0-15 0v14Z"/><path class="mark-door" d="M11 29V15.2a5 5 0 0 1 3.4-4.7l4.6 2.6V29Z"/></svg>`;

const wordmark: Html = html`<svg class="wordmark" viewBox="-2 4 84 22" width="107" height="28" role="img" aria-label="Postern"><path d="M0 10v14.5M10 15a5 5 0 1 1-10 0 5 5 0 0 1 10 0ZM23.5 15a5 5 0 1 1-10 0 5 5 0 0 1 10 0ZM34 12.2C33.5 10.8 32.3 10 30.6 10c-2 0-3.4 1-3.4 2.5 0 3.5 7 1.6 7 5 0 1.5-1.4 2.5-3.5 2.5-1.9 0-3.2-.8-3.7-2.3M39.5 6.2v10.5a3.3 3.3 0 0 0 3.3 3.3h.9M36.9 10h6.6M46.5 15h10a5 5 0 1 0-1.7 3.8M60.5 10v10M60.5 15a5 5 0 0 1 5-5h.6M69.5 10v10M69.5 15a5 5 0 0 1 10 0v5"/></svg>`;

function languageForm(
  present: Language,
  offered: readonly Language[],
  label: string,
  return_to: string,
): Html {
  return html`<form method="post" action="/language" class="languages" id="languages" aria-label="${label}">
${hiddenFields({ return_to })}
${offered.map((language) => html`<button type="submit" name="language" value="${codeOf(language)}" lang="${languageTag(language)}"${language === present && html` aria-current="true"`}>${aboutLanguage(language).name}</button>`)}
</form>`;
}

/**
 * Renders a complete document around `body`. Adds no inline style or script, because the content security
 * policy forbids them.
 */
export function layout(page: Layout): Html {
  const {
    title,
    body,
    right_address,
    width = "narrow",
    has_own_main = false,
    has_own_script = false,
    nav,
    language,
    offered = languages,
    return_to,
  } = page;
  const brand = page.brand ?? page.server;
  const style_href = brand?.style_href ?? page.server?.style_href;
  const named = brand !== undefined && (brand.name !== "Postern" || brand.logo_url !== undefined);
  const words = page.words.frame;
  return html`<!doctype html>
<html lang="${languageTag(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${brand?.name ?? "Postern"}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">${style_href && html`\n<link rel="stylesheet" href="${style_href}">`}${!has_own_script && html`\n<script src="/assets/enhancements.js" defer></script>`}
</head>
<body class="${width === "full" ? "wide full" : width}" data-copy-label="${words.copy}" data-copied-label="${words.copied}" data-show-label="${words.showPassword}" data-hide-label="${words.hidePassword}">
<a class="skip" href="#main">${words.skip}</a>
<header class="top">${
    named
      ? html`<span class="brand">${brand.logo_url ? avatar({ ...brand, kind: "client" }) : mark}<span class="brand-name">${brand.name}</span></span>`
      : html`<span class="brand">${mark}${wordmark}</span>`
  }${nav}</header>
<main${!has_own_main && html` id="main" tabindex="-1"`}>
${
  right_address !== undefined &&
  html`<div class="notice notice-caution"><p>${words.rightAddress(html`<a href="${safeHref(right_address)}"><bdi>${right_address}</bdi></a>`)}</p></div>
`
}${body}
</main>
<footer class="bottom"><p>${named ? words.runsOn(brand.name) : words.tagline}</p>${return_to !== undefined && languageForm(language, offered, words.language, return_to)}</footer>
</body>
</html>
`;
}
