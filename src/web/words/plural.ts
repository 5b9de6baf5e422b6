import { numberFormat, pluralRules } from "../formats.ts";

/**
 * A message about a number of things; `figure` replaces the number where more is said of it, such as "more
 * than 100".
 */
export type Plural = (count: number, figure?: string) => string;

/**
 * How a language says messages with a count: one form for each of its categories of CLDR, which are all that
 * `Intl.PluralRules` answers for its `tag`.
 */
export function pluralsOf<Category extends Intl.LDMLPluralRule>(
  tag: string,
  categories: readonly Category[],
  type: Intl.PluralRuleType = "cardinal",
) {
  return (forms: Readonly<Record<Category | "other", (figure: string) => string>>): Plural =>
    (count, figure = numberFormat(tag).format(count)) => {
      const category = pluralRules(tag, { type }).select(count);
      return forms[categories.find((known) => known === category) ?? "other"](figure);
    };
}
