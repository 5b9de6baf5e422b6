/**
 * Caches the formatters of `Intl`, each as slow to create as a table row is to render. The garbage collector
 * does not see their memory, so without the cache a busy server would grow by hundreds of megabytes.
 */
import { perKey } from "../../lazily.ts";

// The caches stay small, because the options of every caller come from a fixed list.
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

/** In seconds, largest first. */
export const timeUnits = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a value with its unit, such as `3 minutes`, in the language `tag`. */
export function unitText(value: number, unit: string, tag: string, unitDisplay: "long" | "short"): string {
  return numberFormat(tag, {
    style: "unit",
    unit,
    unitDisplay,
    maximumFractionDigits: unitDisplay === "long" ? 0 : 1,
  }).format(value);
}

/** Formats seconds in the largest suitable unit: `90 minutes`, `2 days`, `1 day`. */
export function durationIn(seconds: number, tag: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [unit, length] = timeUnits.find(
    ([, each]) => whole >= 2 * each || (whole >= each && whole % each === 0),
  ) ?? ["second", 1];
  return unitText(Math.floor(whole / length), unit, tag, "long");
}
