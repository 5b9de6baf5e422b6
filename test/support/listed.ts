/** Splits a text into words at white space: a list that fills its lines instead of one line for each item. */
export function listed(
  texts: TemplateStringsArray,
  ...values: readonly (string | undefined)[]
): readonly string[] {
  return texts
    .map((text, at) => text + (values[at] ?? ""))
    .join("")
    .trim()
    .split(/\s+/);
}
