/**
 * Returns a name with a lower-case first letter for use in a sentence, unless it begins with an abbreviation.
 */
export function inSentence(name: string): string {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
