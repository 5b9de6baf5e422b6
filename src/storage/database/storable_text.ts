/**
 * Truncates a text and makes it storable in both databases: PostgreSQL stores no NUL, and neither stores
 * half a surrogate pair.
 */
export function storableText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
