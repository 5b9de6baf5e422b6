import type { DetailCodes } from "../../errors/details.ts";
import type { FieldErrorCodes } from "../../errors/field_errors.ts";
import type { Codes, ParamsOf } from "../../errors/messages.ts";

/** A sentence for each code; one that has parameters is a function of them. */
type Sentences<C extends Codes> = {
  readonly [Code in keyof C]: keyof C[Code] extends never ? string : (params: ParamsOf<C, Code>) => string;
};

/** Without their subject, which is the field. */
export type FieldErrorSentences = Sentences<FieldErrorCodes>;

export type DetailSentences = Sentences<DetailCodes>;
