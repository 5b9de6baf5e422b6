import { durationIn, numberFormat, timeUnits, unitText } from "./html/formats.ts";
import { type Language, languageTag } from "./words/language.ts";

/** Formats seconds in this language, as `durationIn` does: `90 minutes`, `1 day`. */
export function durationText(seconds: number, language: Language): string {
  return durationIn(seconds, languageTag(language));
}

/** Formats seconds in the largest unit that divides them. */
export function wholeDuration(seconds: number, language: Language): { unit: string; text: string } {
  const [unit, length] = timeUnits.find(([, each]) => seconds >= each && seconds % each === 0) ?? [
    "second",
    1,
  ];
  return { unit, text: unitText(seconds / length, unit, languageTag(language), "long") };
}

/** Formats bytes in the largest unit of which there is at least one: `12.3 MB`, with powers of 1000. */
export function sizeText(bytes: number, language: Language): string {
  const names = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = Math.min(names.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return unitText(bytes / 1000 ** power, names[power] ?? "byte", languageTag(language), "short");
}

/** Formats a fraction of one in whole percent: 0.5 is `50%`. */
export function percentText(share: number, language: Language): string {
  const format = numberFormat(languageTag(language), {
    style: "percent",
    maximumFractionDigits: 0,
  });
  return format.format(share);
}
