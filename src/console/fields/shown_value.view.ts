import { type Html, html } from "../../web/html/html.ts";
import { ownWord } from "../../web/html/own_word.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { wholeDuration } from "../../web/measure.ts";
import { moment } from "../../web/moment.ts";
import { numberText } from "../../web/number.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import { apiName, valueWord } from "./field_label.view.ts";
import type { ShownField } from "./fields.view.ts";

type Said = Pick<ManagementLocale, "words" | "language">;

type Place = "list" | "record";

const mostBadges = 3;

/** In characters. The page of a record shows a list with a longer value as lines, not as badges. */
const longestBadge = 40;

/** In characters. Longer values are folded, except prose. */
const longestText = 240;

/** Returns a `title` attribute with the full text for a cell of a list, because the cell may be cut off. */
export function whole(value: string, place: Place = "list"): Html | false {
  return place === "list" && html` title="${value}"`;
}

const isProse = ({ plain, format }: ShownField) =>
  plain !== undefined || format === "prose" || format === "email";

const badgeOf: Readonly<Record<string, string>> = { success: "badge-success", failure: "badge-failure" };

const nothing = html`<span class="quiet">–</span>`;

/**
 * Renders a value for reading, such as a reference by its name. For a cell of a list, the result is text or
 * one HTML element.
 */
export function shownValue(field: ShownField, locale: Said, place: Place): Html {
  const { kind, name, value, label, href, noun } = field;
  const { words, language } = locale;
  if (value === null || value === undefined || value === "") return nothing;
  if (label !== undefined || href !== undefined)
    return reference(label, safeHref(href), String(value), place);
  if (noun !== undefined && place === "list")
    return html`<span class="quiet"${whole(String(value))}>${noun}</span>`;
  if (field.links !== undefined && place === "record") return linked(field.links);
  if (field.links !== undefined)
    return list(
      name,
      field.links.map((each) => each.label ?? each.value),
      locale,
      place,
    );
  if (kind === "bool") return html`${value === true ? words.records.yes : words.records.no}`;
  if (kind === "time") {
    const time = value instanceof Date ? value : new Date(String(value));
    return Number.isNaN(time.getTime())
      ? html`<code>${String(value)}</code>`
      : moment(time, "minute", language);
  }
  if (typeof value === "number")
    return field.unit === "seconds" ? duration(value, locale, place) : html`${numberText(value, language)}`;
  if (name === "methods" && Array.isArray(value)) return methods(value, locale);
  if (Array.isArray(value) && field.shape !== "objects") return list(name, value.map(String), locale, place);
  if (place === "record" && field.scopes !== undefined) return scopes(field.scopes);
  if (typeof value === "object")
    return folded(JSON.stringify(value, undefined, 2), words.records.asJson, place);
  return text(field, String(value), locale, place);
}

function scopes(all: NonNullable<ShownField["scopes"]>): Html {
  return html`<ul class="values">${all.map(({ scope, text }) => html`<li><code>${scope}</code> <bdi>${text}</bdi></li>`)}</ul>`;
}

function methods(input: readonly unknown[], { words, language }: Said): Html {
  const known: Readonly<Record<string, string>> = words.account.sessions.methods;
  const proof = (each: unknown) => {
    const { kind, at } = each as { readonly kind?: unknown; readonly at?: unknown };
    const word = ownWord(known, String(kind)) ?? String(kind);
    return html`<li>${word}${typeof at === "number" && html` ${moment(new Date(at), "minute", language)}`}</li>`;
  };
  return html`<ul class="values">${input.map(proof)}</ul>`;
}

function reference(label: string | undefined, href: string | undefined, value: string, place: Place): Html {
  const said =
    label === undefined
      ? html`<code${whole(value, place)}>${value}</code>`
      : html`<bdi${whole(label, place)}>${label}</bdi>`;
  return href === undefined ? said : html`<a href="${href}">${said}</a>`;
}

function linked(links: NonNullable<ShownField["links"]>): Html {
  return html`<ul class="values">${links.map(({ label, href, value }) => html`<li>${reference(label, safeHref(href), value, "record")}</li>`)}</ul>`;
}

function text(field: ShownField, value: string, { words }: Said, place: Place): Html {
  const word = valueWord(field.name, value, words);
  if (word !== undefined) {
    const badge = ownWord(badgeOf, value);
    if (badge !== undefined) return html`<span class="badge ${badge}">${word}</span>`;
    return place === "list" ? html`<span${whole(word)}>${word}</span>` : html`${word}`;
  }
  if (field.format === "colour" && /^#[0-9a-f]{6}$/i.test(value))
    return html`<svg viewBox="0 0 1 1" width="12" height="12" aria-hidden="true"><rect width="1" height="1" fill="${value}"/></svg> <code>${value}</code>`;
  if (isProse(field)) return html`<bdi${whole(value, place)}>${value}</bdi>`;
  if (value.length > longestText || (field.kind === "text" && value.includes("\n")))
    return folded(value, words.records.asText, place);
  if (place === "record" && isCopied(field))
    return html`<span class="copied-value"><code>${value}</code></span>`;
  return html`<code${whole(value, place)}>${value}</code>`;
}

/** Whether the value identifies a record. Users copy such values into programs. */
const isCopied = ({ kind, unique }: ShownField) => kind === "uuid" || unique !== undefined;

function folded(value: string, summary: string, place: Place): Html {
  if (place === "record" && value.length <= longestText) return html`<pre>${value}</pre>`;
  return html`<details><summary>${summary}</summary><pre>${value}</pre></details>`;
}

function list(name: string, values: readonly string[], { words }: Said, place: Place): Html {
  if (values.length === 0) return nothing;
  const isLong = values.some((value) => value.length > longestBadge || value.includes("://"));
  if (place === "record" && (isLong || values.some((value) => valueWord(name, value, words) !== undefined))) {
    return html`<ul class="values">${values.map((value) => {
      const word = valueWord(name, value, words);
      return html`<li>${word === undefined ? html`<code>${value}</code>` : html`${word}${apiName(value)}`}</li>`;
    })}</ul>`;
  }
  const shown = place === "list" ? values.slice(0, mostBadges) : values;
  const left = values.length - shown.length;
  return html`<span class="badges">${shown.map((value) => html`<code${(place === "list" || !isLong) && html` class="badge"`}${whole(value, place)}>${value}</code> `)}${left > 0 && html`<span class="quiet">+${left}</span>`}</span>`;
}

function duration(seconds: number, { language }: Said, place: Place): Html {
  const { unit, text } = wholeDuration(seconds, language);
  const whole = html`<data value="${seconds}">${text}</data>`;
  return unit === "second" || place === "list" ? whole : html`${whole}${apiName(String(seconds))}`;
}
