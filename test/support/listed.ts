/** The words of a text, which white space sets apart: a list that takes its width and not a line for each. */
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
