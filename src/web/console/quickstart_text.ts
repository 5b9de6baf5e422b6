import { readFileSync } from "node:fs";

const texts = new Map<string, string>();

/** The text of a file of `web/quickstarts/`; throws where there is none. */
function quickstartText(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`../quickstarts/${file}`, import.meta.url), "utf8").trimEnd();
  texts.set(file, text);
  return text;
}

/**
 * The same with `values` in the place of the examples in it, which are literals in double quotation marks: a
 * JSON string is one in each of these languages, and a list is such literals with commas between. A file so
 * runs as it stands, in the repository and on a page.
 */
export function filledQuickstart(
  file: string,
  values: Readonly<Record<string, string | readonly string[]>> = {},
): string {
  return quickstartText(file).replace(/"([^"\n]*)"/g, (literal, example: string) => {
    const value = Object.hasOwn(values, example) ? values[example] : undefined;
    if (value === undefined) return literal;
    return [value]
      .flat()
      .map((each) => JSON.stringify(each))
      .join(", ");
  });
}
