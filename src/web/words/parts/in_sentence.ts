/**
 * Returns a name as it is written within a sentence: in lower case, unless it begins with an abbreviation.
 */
export function inSentence(name: string): string {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
