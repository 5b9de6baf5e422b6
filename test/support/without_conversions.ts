/** JSON values for which `String`, `Number`, template literals and `join` throw a TypeError. */
export const withoutConversions: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  [{ toString: 1, valueOf: 1 }],
];
