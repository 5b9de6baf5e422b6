import type { Detail } from "../../errors/details.ts";
import type { Reason } from "../../errors/field_errors.ts";
import type { ProviderFindingMessage } from "../../errors/provider_findings.ts";
import type { DetailSentences, FieldErrorSentences, ProviderFindingSentences } from "./parts/sentences.ts";

type Sentence = string | ((params: never) => string);

/** The sentence of a code with its parameters. */
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

export interface FoundAtProvider {
  readonly found: ProviderFindingMessage;
  readonly expected?: string | undefined;
  readonly received?: string | undefined;
}

/** What was found at a provider, with what was expected and what came, as one line. */
export function providerFindingText(
  { found: { code, params }, expected, received }: FoundAtProvider,
  { providerFindings: say }: { readonly providerFindings: ProviderFindingSentences },
): string {
  return [
    filled(say.sentences[code], params),
    ...(expected ? [say.expected(expected)] : []),
    ...(received ? [say.received(received)] : []),
  ].join("; ");
}
