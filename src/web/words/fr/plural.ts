import { pluralsOf } from "../parts/plural.ts";

/** `one` also applies to 0, and `many` to whole millions: 1 000 000 de personnes. */
export const categories = ["one", "many", "other"] as const;

const pluralOf = pluralsOf("fr", categories);

type Form = (figure: string) => string;

/** After whole millions, French puts `de` before the noun. */
export const plural = (forms: { readonly one: Form; readonly other: Form }) =>
  pluralOf({ ...forms, many: (figure) => forms.other(`${figure} de`) });
