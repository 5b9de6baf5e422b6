import { numberFormat, pluralRules } from "../../html/formats.ts";

/**
 * A message with a count. `figure` replaces the number, for a text such as "more than 100".
 */
export interface Plural {
  (count: number, figure?: string): string;
  /** For translators and tests. */
  readonly forms: PluralForms;
}

type Form = (figure: string) => string;

/** One form for each category of CLDR that a language has. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, Form>>> & { readonly other: Form };

/** Returns the forms of a message with a count; undefined for any other message. */
export function formsOf(message: object): PluralForms | undefined {
  return "forms" in message ? (message.forms as PluralForms) : undefined;
}

/** Returns the plural categories of a language by its tag (CLDR), in the order of `Intl`. */
export function categoriesOf(tag: string): Intl.LDMLPluralRule[] {
  return pluralRules(tag).resolvedOptions().pluralCategories;
}

/**
 * Makes messages with a count for a language, with one form for each of its CLDR categories: those that
 * `Intl.PluralRules` returns for its `tag`.
 */
export function pluralsOf<Category extends Intl.LDMLPluralRule>(
  tag: string,
  categories: readonly Category[],
  type: Intl.PluralRuleType = "cardinal",
) {
  return (forms: Readonly<Record<Category | "other", Form>>): Plural => {
    const say = (count: number, figure = numberFormat(tag).format(count)) => {
      const category = pluralRules(tag, { type }).select(count);
      return forms[categories.find((known) => known === category) ?? "other"](figure);
    };
    return Object.assign(say, { forms });
  };
}
