/**
 * Replaces NULs and lone surrogates, which PostgreSQL cannot store, and cuts text longer than `longest`
 * characters.
 */
export function storableText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
