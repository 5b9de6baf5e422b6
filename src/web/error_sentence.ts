import type { Detail } from "../errors/details.ts";
import type { FieldError } from "../errors/field_errors.ts";
import { detailText, fieldErrorText } from "./words/error_text.ts";
import type { Words } from "./words/words.ts";

/** A form error that no field shows: an error of the whole form, or of a member without a field. */
export type FormError = Detail | FieldError;

export function formErrorSentence(error: FormError, words: Words): string {
  if (!("path" in error)) return detailText(error, words);
  return `${error.path.slice(1).replaceAll("/", ".")}: ${fieldErrorText(error, words)}`;
}

/**
 * Returns the error shown at the field itself. For a list, it names the entry, counted from one; for an
 * object, the member.
 */
export function fieldErrorSentence(error: FieldError, words: Words): string {
  const text = fieldErrorText(error, words);
  const steps = error.path.split("/").slice(2);
  if (steps.length === 0) return text;
  const place = countedSteps(steps).join(".");
  const [first = ""] = steps;
  return `${steps.length === 1 && /^\d+$/.test(first) ? words.records.entry(place) : place}: ${text}`;
}

/**
 * Returns the segments of a JSON pointer for users. The first entry of a list is 1, where the pointer has 0
 * (RFC 6901).
 */
export function countedSteps(steps: readonly string[]): string[] {
  return steps.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step));
}
