/** The words of a text, which are shorter to read than a list of strings. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** The values of each row under the name, in order. */
export const column = <T, K extends keyof T>(rows: Iterable<T>, name: K): T[K][] =>
  Array.from(rows, (row) => row[name]);
