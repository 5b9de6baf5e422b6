import type { Html } from "../../src/web/html/html.ts";

/** Returns variants of a page by name: `base`, and one for each change of the input. */
export function formsOf<P>(
  page: (input: P) => Html,
  base: NoInfer<P>,
  forms: Readonly<Record<string, Partial<NoInfer<P>>>>,
): Record<string, Html> {
  return Object.fromEntries(Object.entries(forms).map(([name, more]) => [name, page({ ...base, ...more })]));
}
