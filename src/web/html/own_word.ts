/**
 * Returns the entry with this name, which comes from data; undefined if there is none. Inherited names such
 * as `constructor` do not count.
 */
export function ownWord<Word>(words: Readonly<Record<string, Word>>, name: string): Word | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}
