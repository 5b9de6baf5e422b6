/**
 * The text with its middle character replaced by another of the same alphabet. Every bit of a middle
 * character of base64url counts, while the last one may hold bits that no decoder reads: a text that is
 * altered there can still mean the same.
 */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  const character = text[middle];
  if (character === undefined) throw new RangeError("an empty text cannot be altered");
  return `${text.slice(0, middle)}${character === "A" ? "B" : "A"}${text.slice(middle + 1)}`;
}
