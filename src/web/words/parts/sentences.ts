import type { DetailCodes } from "../../../errors/details.ts";
import type { FieldErrorCodes } from "../../../errors/field_errors.ts";
import type { Codes, ParamsOf } from "../../../errors/messages.ts";
import type { ProviderFindingCodes } from "../../../errors/provider_findings.ts";

type Sentences<C extends Codes> = {
  readonly [Code in keyof C]: keyof C[Code] extends never ? string : (params: ParamsOf<C, Code>) => string;
};

// The compiler expands type aliases wherever it infers them, unlike interfaces (TS7056).

/** Each sentence begins with its verb, because its subject is the name of the field. */
export interface FieldErrorSentences extends Sentences<FieldErrorCodes> {}

export interface DetailSentences extends Sentences<DetailCodes> {}

export interface ProviderFindingSentences {
  readonly expected: (value: string) => string;
  readonly received: (value: string) => string;
  readonly sentences: Sentences<ProviderFindingCodes>;
}
