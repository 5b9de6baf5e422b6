/**
 * What the fields of records, and those of their values that are few, are called, and what to know to fill
 * them in.
 */
import { type FieldHelp, fieldHelp } from "./field_help.ts";
import { type FieldLabels, fieldLabels } from "./field_labels.ts";
import { type FieldValues, fieldValues } from "./field_values.ts";
import type { Language } from "./language.ts";

export type FieldWords = {
  readonly label: FieldLabels;
  readonly help: FieldHelp;
  readonly value: FieldValues;
};

export const fieldWords: Readonly<Record<Language, FieldWords>> = {
  en: { label: fieldLabels.en, help: fieldHelp.en, value: fieldValues.en },
  es: { label: fieldLabels.es, help: fieldHelp.es, value: fieldValues.es },
  zh: { label: fieldLabels.zh, help: fieldHelp.zh, value: fieldValues.zh },
};
