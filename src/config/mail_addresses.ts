import { listItems, shown, Unfit } from "./unfit.ts";

function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text);
}

export function emailAddress(text: string): string {
  if (isEmailAddress(text)) return text;
  throw new Unfit("expected an email address such as ada@example.com");
}

export function mailFrom(text: string): string {
  const named = /^[^<>\r\n"]*<([^<>]*)>$/.exec(text);
  if (isEmailAddress(named?.[1] ?? text)) return text;
  throw new Unfit("expected an email address, or Name <address>");
}

/** Parses domains of email addresses, and returns them in lower case. */
export function mailDomains(text: string): string[] {
  const items = listItems(text).map((item) => item.toLowerCase());
  const wrong = items.filter((item) => !isEmailAddress(`a@${item}`) || !item.includes("."));
  if (wrong.length === 0) return items;
  throw new Unfit(
    `expected domains such as example.com, separated by commas, got ${wrong.map(shown).join(", ")}`,
  );
}

export function smtpUrl(text: string): string {
  if (/^smtps?:\/\//.test(text) && !/\s/.test(text) && URL.canParse(text) && new URL(text).hostname !== "") {
    return text;
  }
  throw new Unfit("expected smtp://user:password@host:587 or smtps://user:password@host:465");
}
