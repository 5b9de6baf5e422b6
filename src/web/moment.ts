import { dateFormat } from "./html/formats.ts";
import { type Html, html } from "./html/html.ts";
import { dateLocale, type Language } from "./words/language.ts";

// The server does not know the user's time zone. The enhancement script converts the times to that of the
// browser.
const formats = {
  day: { dateStyle: "long", timeZone: "UTC" },
  minute: { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Renders a point in time for users: to the day, or to the minute followed by `UTC`. */
export function moment(time: Date, precision: keyof typeof formats, language: Language): Html {
  const text = momentText(time, precision, language);
  return html`<time datetime="${time.toISOString()}" data-precision="${precision}">${text}</time>`;
}

export function momentText(time: Date, precision: keyof typeof formats, language: Language): string {
  const text = dateFormat(dateLocale(language), formats[precision]).format(time);
  return precision === "minute" ? `${text} UTC` : text;
}
