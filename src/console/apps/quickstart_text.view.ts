import { readFileSync } from "node:fs";
import { perKey } from "../../lazily.ts";

export const isOfSample = (file: string): boolean => file.includes("/");

const quickstartText = perKey((file: string): string => {
  const folder = isOfSample(file) ? "../../../examples" : "../quickstarts";
  return readFileSync(new URL(`${folder}/${file}`, import.meta.url), "utf8").trimEnd();
});

/**
 * Returns the program with its example values replaced by `values`. The example values are literals in double
 * quotation marks, and a JSON string is a valid literal in each of the languages. A list consists of literals
 * separated by commas. The same file is therefore both a program that runs unchanged and the template for the
 * program shown on a page.
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

/** Starts a placeholder, which Spring replaces in any value, including environment variables. */
export const springPlaceholder = "${";

/**
 * Not every version of Spring can escape `$`, so `$` is written as a placeholder: an unset property with the
 * default `$`.
 */
function asSpringReads(text: string): string {
  return text.replaceAll(springPlaceholder, `${springPlaceholder}postern.dollar:$}{`);
}
