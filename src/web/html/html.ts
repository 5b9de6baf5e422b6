/**
 * The values of a template: text is escaped, `Html` goes in as it is, absent values and booleans print
 * nothing.
 */
export type Printable = string | number | boolean | null | undefined | Html | readonly Printable[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// A private field cannot be forged by an object that came out of JSON, as a plain `isEscaped: true` could.
// Only the type is exported, so `html` is the one way to make a value of it.
class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

export type { Html };

function print(value: Printable): string {
  if (value instanceof Html) return value.toString();
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => entities[character] ?? "");
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(print).join("");
  return "";
}

/**
 * Markup whose every interpolated string is escaped, for element content and for quoted attribute values.
 *
 * There is no way around it: markup that must not be escaped is itself written with `html`. Attribute values
 * are always quoted (a test reads the sources for it). Addresses go through `safeHref` first, since escaping
 * does not make a `javascript:` link harmless. `String(page)` gives the text.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  return new Html(strings.reduce((text, part, index) => text + print(values[index - 1]) + part));
}
