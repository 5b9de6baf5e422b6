/** Splits a text into words, which are easier to read than a list of strings. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Returns the value of each row under this name, in order. */
export const column = <T, K extends keyof T>(rows: Iterable<T>, name: K): T[K][] =>
  Array.from(rows, (row) => row[name]);
