/**
 * Returns the text with replacements for NULs and lone surrogates, which PostgreSQL cannot store. Longer text
 * is cut after `longest` characters, and `…` is added.
 */
export function storableText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
