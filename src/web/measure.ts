import { durationIn, numberFormat, timeUnits, unitText } from "./html/formats.ts";
import { type Language, languageTag } from "./words/language.ts";

/** Seconds in the largest unit that fits at least twice, or once without a rest: `90 minutes`, `1 day`. */
export function durationText(seconds: number, language: Language): string {
  return durationIn(seconds, languageTag(language));
}

/** Seconds in the largest unit that says them whole. */
export function wholeDuration(seconds: number, language: Language): { unit: string; text: string } {
  const [unit, length] = timeUnits.find(([, each]) => seconds >= each && seconds % each === 0) ?? [
    "second",
    1,
  ];
  return { unit, text: unitText(seconds / length, unit, languageTag(language), "long") };
}

/** Bytes in the largest unit that fits: `12.3 MB`, of powers of 1000. */
export function sizeText(bytes: number, language: Language): string {
  const names = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(names.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return unitText(bytes / 1000 ** power, names[power] ?? "byte", languageTag(language), "short");
}

/** A share of one in whole per cent: 0.5 is `50%`. */
export function percentText(share: number, language: Language): string {
  const format = numberFormat(languageTag(language), {
    style: "percent",
    maximumFractionDigits: 0,
  });
  return format.format(share);
}
