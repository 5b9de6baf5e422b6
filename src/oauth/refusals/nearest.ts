const asItIs = <T>(each: T) => String(each);

/** Returns the known values, the most similar to `text` first. */
export function nearestFirst<T>(
  text: string,
  known: readonly T[],
  textOf: (each: T) => string = asItIs,
): readonly T[] {
  return known
    .map((each) => ({ each, rank: likeness(text, textOf(each)) }))
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ each }) => each);
}

function likeness(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let begins = 0;
  while (begins < shorter && one[begins] === other[begins]) begins += 1;
  let ends = 0;
  while (ends < shorter - begins && one.at(-1 - ends) === other.at(-1 - ends)) ends += 1;
  return begins + ends - Math.abs(one.length - other.length);
}
