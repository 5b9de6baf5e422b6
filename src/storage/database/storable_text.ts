/**
 * Returns the text, truncated to `longest` characters, without NULs and lone surrogates, which the databases
 * cannot store.
 */
export function storableText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
