import { numberFormat, pluralRules } from "../../html/formats.ts";

/** `figure` replaces the number, for text such as "more than 100". */
export interface Plural {
  (count: number, figure?: string): string;
  readonly forms: PluralForms;
}

type Form = (figure: string) => string;

export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, Form>>> & { readonly other: Form };

/** Returns the plural forms of a message; undefined for one without a count. */
export function formsOf(message: object): PluralForms | undefined {
  return "forms" in message ? (message.forms as PluralForms) : undefined;
}

/** Returns the plural categories of a language tag (CLDR), in the order of `Intl`. */
export function categoriesOf(tag: string): Intl.LDMLPluralRule[] {
  return pluralRules(tag).resolvedOptions().pluralCategories;
}

/** Returns a function that makes messages with a count, from one form for each CLDR category. */
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
