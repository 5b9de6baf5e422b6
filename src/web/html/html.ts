/** Text is escaped, `Html` is inserted unchanged, and absent values and booleans print nothing. */
export type Printable = string | number | boolean | null | undefined | Html | readonly Printable[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// The text is in a private field, because an object parsed from JSON could contain a plain property such as
// `isEscaped: true`. Only the type is exported, so only `html` creates instances.
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
 * Returns markup in which every interpolated string is escaped. URLs need `safeHref` first, because escaping
 * does not make a `javascript:` link harmless.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  return new Html(strings.reduce((text, part, index) => text + print(values[index - 1]) + part));
}
