import { numberFormat } from "./formats.ts";
import { type Language, languageTag } from "./words/language.ts";

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

function unitText(value: number, unit: string, language: Language, unitDisplay: "long" | "short"): string {
  return numberFormat(languageTag(language), {
    style: "unit",
    unit,
    unitDisplay,
    maximumFractionDigits: unitDisplay === "long" ? 0 : 1,
  }).format(value);
}

/**
 * Seconds in the largest unit that fits at least twice, or once without a rest: `90 minutes`, `2 days`, `1
 * day`.
 */
export function durationText(seconds: number, language: Language): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [unit, length] = units.find(
    ([, each]) => whole >= 2 * each || (whole >= each && whole % each === 0),
  ) ?? ["second", 1];
  return unitText(Math.floor(whole / length), unit, language, "long");
}

/** Seconds in the largest unit that says them whole. */
export function wholeDuration(seconds: number, language: Language): { unit: string; text: string } {
  const [unit, length] = units.find(([, each]) => seconds >= each && seconds % each === 0) ?? ["second", 1];
  return { unit, text: unitText(seconds / length, unit, language, "long") };
}

/** Bytes in the largest unit that fits: `12.3 MB`, of powers of 1000. */
export function sizeText(bytes: number, language: Language): string {
  const names = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(names.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return unitText(bytes / 1000 ** power, names[power] ?? "byte", language, "short");
}

/** A share of one in whole per cent: 0.5 is `50%`. */
export function percentText(share: number, language: Language): string {
  const format = numberFormat(languageTag(language), {
    style: "percent",
    maximumFractionDigits: 0,
  });
  return format.format(share);
}
