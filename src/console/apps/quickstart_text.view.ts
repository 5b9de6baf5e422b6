import { readFileSync } from "node:fs";
import { perKey } from "../../lazily.ts";

export const isOfSample = (file: string): boolean => file.includes("/");

const quickstartText = perKey((file: string): string => {
  const folder = isOfSample(file) ? "../../../examples" : "../quickstarts";
  return readFileSync(new URL(`${folder}/${file}`, import.meta.url), "utf8").trimEnd();
});

/**
 * Returns the text of a sample program. A literal in double quotes that is a key of `values` is replaced with
 * the value as one or more JSON strings. Such a string is valid in the language of every sample.
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

/**
 * The start of a placeholder. Spring replaces placeholders in the values of properties, even if they come
 * from environment variables.
 */
export const springPlaceholder = "${";

/**
 * Escapes placeholders for all versions of Spring: their `$` becomes a placeholder of an unset property, with
 * the default `$`.
 */
function asSpringReads(text: string): string {
  return text.replaceAll(springPlaceholder, `${springPlaceholder}postern.dollar:$}{`);
}
