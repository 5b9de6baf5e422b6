/** A time span as entered in forms: a number and its unit, such as `15 min`. Records store seconds. */

/** ISO 80000-3 symbols, with their lengths in seconds. */
export const durationUnits = { s: 1, min: 60, h: 3600, d: 86_400 } as const;
type DurationUnit = keyof typeof durationUnits;

const all = Object.entries(durationUnits) as readonly [DurationUnit, number][];

/** Formats seconds in the largest unit that divides them: `90 s`, `15 min`, `7 d`. */
export function durationEntry(seconds: number): string {
  const [unit, length] = all.findLast(([, each]) => seconds !== 0 && seconds % each === 0) ?? ["s", 1];
  return `${seconds / length} ${unit}`;
}

/** Returns the number and the unit; a string without a unit is in seconds. */
export function durationParts(text: string): { number: string; unit: DurationUnit } {
  const [unit] = all.find(([symbol]) => text.endsWith(` ${symbol}`)) ?? [];
  return unit === undefined ? { number: text, unit: "s" } : { number: text.slice(0, -unit.length - 1), unit };
}

/** Returns the seconds of an integer with or without a unit; undefined for any other string. */
export function durationSeconds(text: string): number | undefined {
  const { number, unit } = durationParts(text);
  return /^[+-]?\d{1,10}$/.test(number.trim()) ? Number(number) * durationUnits[unit] : undefined;
}
