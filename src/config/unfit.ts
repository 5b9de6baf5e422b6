/** The text is not valid for the setting; the message never quotes a secret. */
export class Unfit extends Error {}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Splits a comma-separated list. Empty items are returned, and the parser of the items rejects them. */
export function listItems(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}
