/**
 * Returns the text with its middle character replaced by another of the same alphabet. In base64url every bit
 * of a middle character counts, while the last one may contain bits that no decoder reads, so a text altered
 * there can mean the same.
 */
export function altered(text: string): string {
  const middle = Math.floor(text.length / 2);
  const character = text[middle];
  if (character === undefined) throw new RangeError("an empty text cannot be altered");
  return `${text.slice(0, middle)}${character === "A" ? "B" : "A"}${text.slice(middle + 1)}`;
}
