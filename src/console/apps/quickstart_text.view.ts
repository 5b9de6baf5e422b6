import { readFileSync } from "node:fs";
import { perKey } from "../../lazily.ts";

export const isOfSample = (file: string): boolean => file.includes("/");

const quickstartText = perKey((file: string): string => {
  const folder = isOfSample(file) ? "../../../examples" : "../quickstarts";
  return readFileSync(new URL(`${folder}/${file}`, import.meta.url), "utf8").trimEnd();
});

/**
 * Returns the text of a sample program with its example values replaced. Example values are literals in
 * double quotes. A JSON string is a valid literal in all of the languages, and an array becomes a list of
 * literals. The file is thus a program that runs unchanged, and also a template.
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
      .map((each) => JSON.stringify(file.endsWith(".yaml") ? asSpringReads(each) : each))
      .join(", ");
  });
}

/** The start of a placeholder, which Spring replaces in every value, even in environment variables. */
export const springPlaceholder = "${";

/** Escapes `$` for all versions of Spring: a placeholder of an unset property whose default is `$`. */
function asSpringReads(text: string): string {
  return text.replaceAll(springPlaceholder, `${springPlaceholder}postern.dollar:$}{`);
}
