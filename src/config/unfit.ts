/** The error of parsers, and helpers that they share. */

/** The text is not valid for the setting. The message says what was expected, and never quotes a secret. */
export class Unfit extends Error {}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Items may have surrounding spaces. An empty item is passed on to the validation of items. */
export function listItems(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}
