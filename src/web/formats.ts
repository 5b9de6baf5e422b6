/**
 * The formatters of `Intl`, each made once and kept. Making one costs as much as a table row, and the
 * collector does not see the memory behind it, so that a busy server would grow by hundreds of megabytes.
 */

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

function kept<T>(formats: Map<string, T>, key: string, make: () => T): T {
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

// The keys stay few: every caller's options come from a closed list.
const keyOf = (tag: string, options: object) => `${tag} ${JSON.stringify(options)}`;

export function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, keyOf(tag, options), () => new Intl.DateTimeFormat(tag, options));
}

export function numberFormat(tag: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return kept(numbers, keyOf(tag, options), () => new Intl.NumberFormat(tag, options));
}

export function pluralRules(tag: string, options: Intl.PluralRulesOptions = {}): Intl.PluralRules {
  return kept(plurals, keyOf(tag, options), () => new Intl.PluralRules(tag, options));
}
