import type { Detail } from "../../errors/details.ts";
import type { Reason } from "../../errors/field_errors.ts";
import type { ProviderFindingMessage } from "../../errors/provider_findings.ts";
import type { DetailSentences, FieldErrorSentences, ProviderFindingSentences } from "./parts/sentences.ts";

type Sentence = string | ((params: never) => string);

function filled(sentence: Sentence, params: object): string {
  // The type of a message guarantees that its parameters belong to its code.
  return typeof sentence === "string" ? sentence : sentence(params as never);
}

/** Returns the message of a field error, a sentence whose subject is the field. */
export function fieldErrorText(
  { code, params }: Reason,
  { fieldErrors }: { readonly fieldErrors: FieldErrorSentences },
): string {
  return filled(fieldErrors[code], params);
}

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

/** Returns a finding about a provider, with the expected and the received value, as one line. */
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
