/** What a parser throws, and what parsers share. */

/** The text does not fit the setting; the message says what was expected and never quotes a secret. */
export class Unfit extends Error {}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Items may have spaces around them; an empty item is a slip of the pen and reaches the item's own check. */
export function listItems(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}
