/**
 * Returns the entry named `name`. The name may come from input, so inherited properties such as `constructor`
 * do not count.
 */
export function ownWord<Word>(words: Readonly<Record<string, Word>>, name: string): Word | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}
