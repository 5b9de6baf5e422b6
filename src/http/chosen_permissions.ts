import type { Params } from "../oauth/core/params.ts";

/**
 * Returns the values of a list that a form with a permission grid sent under `name` and, per resource type,
 * under `name.resource_type`, without duplicates. Undefined if the form had none of these fields. Typed
 * values are separated by spaces, commas or line breaks; a value of `was` that contains a comma stays
 * whole.
 */
export function chosenPermissions(
  { pairs }: Params,
  name: string,
  was: readonly string[] = [],
): string[] | undefined {
  const texts = pairs.flatMap(([sent, text]) => (sent === name || sent.startsWith(`${name}.`) ? [text] : []));
  return texts.length === 0 ? undefined : separateWords(texts.join(" "), was);
}

/**
 * Splits pasted scopes at spaces (RFC 6749, section 3.3), commas or line breaks, and removes duplicates. A
 * value of `was`, the stored list, is not split at its commas.
 */
export function separateWords(text: string, was: readonly string[] = []): string[] {
  const words = text.split(/\s+/).flatMap((word) => (was.includes(word) ? [word] : word.split(",")));
  return [...new Set(words)].filter((word) => word !== "");
}
