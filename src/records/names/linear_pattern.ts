/**
 * Patterns of attribute values: characters, classes and counts, without groups and alternatives. Matching
 * takes time linear in the length of the text regardless of the pattern: there is no backtracking.
 */

interface Place {
  readonly fits: (character: string) => boolean;
  readonly optional: boolean;
  readonly repeats: boolean;
}

type LinearPattern = readonly Place[];

/** Maximum positions of a pattern after its counts are expanded. */
const mostPlaces = 256;

const part = /(\[\^?(?:[^\\\]]|\\.)+\]|\\.|[^\\[\](){}*+?|^$])([*+?]|\{\d{1,3}(?:,\d{0,3})?\})?/suy;

const namedClasses = "dDwWsS";

const isEscape = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text[1] ?? "") || namedClasses.includes(text[1] ?? "");

function fitting(text: string): Place["fits"] | undefined {
  const escapes = text.match(/\\./gsu) ?? [];
  if (!escapes.every(isEscape)) return undefined;
  try {
    const one = new RegExp(`^${text}$`, "su");
    return (character) => one.test(character);
  } catch {
    // The RegExp constructor throws if the ends of a range are reversed.
    return undefined;
  }
}

function countOf(text: string | undefined): { readonly least: number; readonly most: number } | undefined {
  if (text === undefined) return { least: 1, most: 1 };
  if (text === "*") return { least: 0, most: Number.POSITIVE_INFINITY };
  if (text === "+") return { least: 1, most: Number.POSITIVE_INFINITY };
  if (text === "?") return { least: 0, most: 1 };
  const [, low = "", comma, high = ""] = /^\{(\d+)(,?)(\d*)\}$/.exec(text) ?? [];
  const least = Number(low);
  const most = comma === "" ? least : high === "" ? Number.POSITIVE_INFINITY : Number(high);
  return most < least || most === 0 ? undefined : { least, most };
}

/** Parses a pattern such as `[a-z]{2}-\d+`; returns undefined if it has other syntax or is too large. */
export function parsePattern(text: string): LinearPattern | undefined {
  const places: Place[] = [];
  part.lastIndex = 0;
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at;
    const [, characters = "", count] = part.exec(text) ?? [];
    const fits = characters === "" ? undefined : fitting(characters);
    const times = countOf(count);
    if (fits === undefined || times === undefined) return undefined;
    const { least, most } = times;
    const bounded = most === Number.POSITIVE_INFINITY ? Math.max(least, 1) : most;
    if (places.length + bounded > mostPlaces) return undefined;
    for (let index = 0; index < bounded; index++) {
      const repeats = most === Number.POSITIVE_INFINITY && index === bounded - 1;
      places.push({ fits, optional: index >= least, repeats });
    }
  }
  return places.length === 0 ? undefined : places;
}

export function matchesPattern(pattern: LinearPattern, text: string): boolean {
  let reached = passed(pattern, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const at of reached) {
      const place = pattern[at];
      if (place?.fits(character)) next.push(...(place.repeats ? [at, at + 1] : [at + 1]));
    }
    if (next.length === 0) return false;
    reached = passed(pattern, next);
  }
  return reached.has(pattern.length);
}

function passed(pattern: LinearPattern, places: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const start of places) {
    for (let at = start; !reached.has(at); at++) {
      reached.add(at);
      if (!pattern[at]?.optional) break;
    }
  }
  return reached;
}
