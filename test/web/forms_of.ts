import type { Html } from "../../src/web/html/html.ts";

/** A page in its forms, by their names: `base`, and what each form changes of it. */
export function formsOf<P>(
  page: (input: P) => Html,
  base: NoInfer<P>,
  forms: Readonly<Record<string, Partial<NoInfer<P>>>>,
): Record<string, Html> {
  return Object.fromEntries(Object.entries(forms).map(([name, more]) => [name, page({ ...base, ...more })]));
}
