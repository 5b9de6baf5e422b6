import type { Detail } from "../errors/details.ts";
import type { FieldError } from "../errors/field_errors.ts";
import { detailText, fieldErrorText } from "./words/error_text.ts";
import type { Words } from "./words/words.ts";

export type FormError = Detail | FieldError;

export function formErrorSentence(error: FormError, words: Words): string {
  if (!("path" in error)) return detailText(error, words);
  return `${error.path.slice(1).replaceAll("/", ".")}: ${fieldErrorText(error, words)}`;
}

/** Returns the sentence that is shown at the input of the field. */
export function fieldErrorSentence(error: FieldError, words: Words): string {
  const text = fieldErrorText(error, words);
  const steps = error.path.split("/").slice(2);
  if (steps.length === 0) return text;
  const place = countedSteps(steps).join(".");
  const [first = ""] = steps;
  return `${steps.length === 1 && /^\d+$/.test(first) ? words.records.entry(place) : place}: ${text}`;
}

/** Returns the segments of a JSON pointer for users, who count the entries of a list from 1 (RFC 6901). */
export function countedSteps(steps: readonly string[]): string[] {
  return steps.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step));
}
