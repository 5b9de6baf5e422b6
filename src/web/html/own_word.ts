/**
 * The entry of a table of words for a name that comes from data; undefined if there is none. `constructor`
 * and the like are names as well, and no words.
 */
export function ownWord<Word>(words: Readonly<Record<string, Word>>, name: string): Word | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}
