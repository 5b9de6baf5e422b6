import type { Params } from "../oauth/core/params.ts";

/**
 * The words of a list that a form with a permission grid sent under `name` and, for each resource type, under
 * `name.resource_type`, each once; undefined if the form had none of these fields. Typed words are separated
 * by spaces, commas or line ends; a word of `was` that contains a comma stays whole.
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
 * Pasted scopes, separated by spaces (RFC 6749 3.3), commas or line ends, each once. A comma inside a stored
 * word is part of it.
 */
export function separateWords(text: string, was: readonly string[] = []): string[] {
  const words = text.split(/\s+/).flatMap((word) => (was.includes(word) ? [word] : word.split(",")));
  return [...new Set(words)].filter((word) => word !== "");
}
