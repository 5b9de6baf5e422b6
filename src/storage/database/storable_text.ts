/**
 * PostgreSQL stores no NUL, and half a surrogate pair is no text: a text that both databases take, cut to a
 * length.
 */
export function storableText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
