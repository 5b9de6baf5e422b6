import type { Detail } from "../../errors/details.ts";
import type { Reason } from "../../errors/field_errors.ts";
import type { DetailSentences, FieldErrorSentences } from "./sentences.ts";

type Sentence = string | ((params: never) => string);

function filled(sentence: Sentence, params: object): string {
  // A code and its parameters belong together by the type of the message.
  return typeof sentence === "string" ? sentence : sentence(params as never);
}

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
