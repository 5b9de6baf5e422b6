import type { Html } from "../../src/web/html/html.ts";

/** Returns a page in its forms, by their names: `base`, and the changes that each form makes to it. */
export function formsOf<P>(
  page: (input: P) => Html,
  base: NoInfer<P>,
  forms: Readonly<Record<string, Partial<NoInfer<P>>>>,
): Record<string, Html> {
  return Object.fromEntries(Object.entries(forms).map(([name, more]) => [name, page({ ...base, ...more })]));
}
