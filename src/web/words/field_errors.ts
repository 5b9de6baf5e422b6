import type { Detail } from "../../errors/details.ts";
import type { Reason } from "../../errors/field_errors.ts";
import { filled } from "./filled.ts";
import type { DetailSentences, FieldErrorSentences } from "./sentences.ts";

/** What is wrong with a field, as a sentence whose subject is the field. */
export function fieldErrorText(
  { code, params }: Reason,
  { fieldErrors }: { readonly fieldErrors: FieldErrorSentences },
): string {
  return filled(fieldErrors[code], params);
}

/** What a refusal says as a whole. */
export function detailText(
  { code, params }: Detail,
  { details }: { readonly details: DetailSentences },
): string {
  return filled(details[code], params);
}
