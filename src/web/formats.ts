/**
 * The formatters of `Intl`, each made once and kept. Making one costs as much as a table row, and the
 * collector does not see the memory behind it, so that a busy server would grow by hundreds of megabytes.
 */
import { perKey } from "../lazily.ts";

// The keys stay few: every caller's options come from a closed list.
const keyOf = (tag: string, options: object) => JSON.stringify([tag, options]);

const dates = perKey(
  (key: string) => new Intl.DateTimeFormat(...(JSON.parse(key) as [string, Intl.DateTimeFormatOptions])),
);
const numbers = perKey(
  (key: string) => new Intl.NumberFormat(...(JSON.parse(key) as [string, Intl.NumberFormatOptions])),
);
const plurals = perKey(
  (key: string) => new Intl.PluralRules(...(JSON.parse(key) as [string, Intl.PluralRulesOptions])),
);

export function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dates(keyOf(tag, options));
}

export function numberFormat(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return numbers(keyOf(tag, options));
}

export function pluralRules(tag: string, options: Intl.PluralRulesOptions = {}): Intl.PluralRules {
  return plurals(keyOf(tag, options));
}
