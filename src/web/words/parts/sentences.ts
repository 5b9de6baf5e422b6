import type { DetailCodes } from "../../../errors/details.ts";
import type { FieldErrorCodes } from "../../../errors/field_errors.ts";
import type { Codes, ParamsOf } from "../../../errors/messages.ts";
import type { ProviderFindingCodes } from "../../../errors/provider_findings.ts";

/** A sentence for each code. A sentence with parameters is a function of them. */
type Sentences<C extends Codes> = {
  readonly [Code in keyof C]: keyof C[Code] extends never ? string : (params: ParamsOf<C, Code>) => string;
};

// Interfaces, because the compiler writes out aliases wherever they are inferred (TS7056).

/** Without their subject, which is the field. */
export interface FieldErrorSentences extends Sentences<FieldErrorCodes> {}

export interface DetailSentences extends Sentences<DetailCodes> {}

/** The sentences about findings, and the parts that follow them. */
export interface ProviderFindingSentences {
  readonly expected: (value: string) => string;
  readonly received: (value: string) => string;
  readonly sentences: Sentences<ProviderFindingCodes>;
}
