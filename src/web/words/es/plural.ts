import { pluralsOf } from "../parts/plural.ts";

/** `many` applies to whole millions: 1.000.000 de personas. */
export const categories = ["one", "many", "other"] as const;

const pluralOf = pluralsOf("es", categories);

type Form = (figure: string) => string;

/** After whole millions, Spanish puts `de` before the noun. */
export const plural = (forms: { readonly one: Form; readonly other: Form }) =>
  pluralOf({ ...forms, many: (figure) => forms.other(`${figure} de`) });
