/** Each parser of settings throws `Unfit` with the expected form. */
import { listItems, shown, Unfit } from "./unfit.ts";

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[0-9]{1,10}$/.test(text) && value >= least && value <= most) return value;
    throw new Unfit(`expected a whole number from ${least} to ${most}, got ${shown(text)}`);
  };
}

/** Parses a date and time with its UTC offset (RFC 3339, section 5.6). */
export function moment(text: string): Date {
  const at = new Date(text);
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  if (isWhole && !Number.isNaN(at.getTime())) return at;
  throw new Unfit(`expected a time such as 2027-01-31T00:00:00Z, got ${shown(text)}`);
}

export function oneOf<const T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((each) => each === text);
    if (value !== undefined) return value;
    throw new Unfit(`expected one of ${values.join(", ")}, got ${shown(text)}`);
  };
}

export function namesFrom<Name extends string>(
  available: readonly Name[],
  what: string,
): (text: string) => Name[] {
  const isAvailable = (item: string): item is Name => (available as readonly string[]).includes(item);
  return (text) => {
    const unknown = listItems(text).filter((item) => !isAvailable(item));
    if (unknown.length === 0) return listItems(text).filter(isAvailable);
    const offer =
      available.length === 0 ? `this version has no ${what}` : `unknown; available: ${available.join(", ")}`;
    throw new Unfit(`${unknown.map(shown).join(", ")}: ${offer}`);
  };
}

export function adminPassword(text: string): string {
  if ([...text].length < 8) throw new Unfit("expected at least 8 characters");
  if (Buffer.byteLength(text) > 1024) throw new Unfit("expected at most 1024 bytes");
  return text;
}

export function brandName(text: string): string {
  if (text.trim() !== "" && text.length <= 100) return text;
  throw new Unfit("expected text of at most 100 characters");
}

export function colour(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text;
  throw new Unfit(`expected a color such as #0e6655, got ${shown(text)}`);
}

/** Parses a program and its arguments, which run without a shell. */
export function programWithArguments(text: string): readonly [string, ...string[]] {
  const [program, ...rest] = text.trim().split(/\s+/);
  if (program !== undefined && program !== "") return [program, ...rest];
  throw new Unfit("expected a program with its arguments");
}

export function visibleText(text: string): string {
  if (/^[!-~]{1,4096}$/.test(text)) return text;
  throw new Unfit("expected at most 4096 visible ASCII characters");
}

export function pemText(text: string): string {
  if (/^-----BEGIN [A-Z ]+-----\r?\n/m.test(text) && text.length <= 65_536) return text;
  throw new Unfit("expected text in PEM, beginning with a line such as -----BEGIN CERTIFICATE-----");
}
