import type { Params } from "../oauth/core/params.ts";

/**
 * Returns the distinct values of a list, such as scopes, from a form with a permission grid. Undefined if the
 * form has no field of this list.
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
