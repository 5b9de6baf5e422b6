/**
 * Truncates a string and makes it storable in both databases: PostgreSQL stores no NUL, and neither stores a
 * lone surrogate.
 */
export function storableText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
