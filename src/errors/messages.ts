/**
 * What is told to people in their language: a code, and what is put into its sentence. The sentences stand in
 * `web/words`, one catalogue for each language, English like the others.
 */

/** What one record of each kind is called. */
export const recordNouns = [
  "user",
  "organization",
  "membership",
  "linked account",
  "API key",
  "app",
  "app secret",
  "token",
  "authorization code",
  "consent",
  "session",
  "service account",
  "key pair",
  "signing key",
  "audit event",
  "refusal",
  "invitation",
  "record",
] as const;

export type RecordNoun = (typeof recordNouns)[number];

/** The types of parameters, by their kinds. */
interface Kinds {
  readonly text: string;
  readonly texts: readonly string[];
  readonly number: number;
  readonly record: RecordNoun;
}

export type ParamKind = keyof Kinds;

/** The parameters of each code, with their kinds. */
export type Codes = Readonly<Record<string, Readonly<Record<string, ParamKind>>>>;

export type ParamsOf<C extends Codes, Code extends keyof C> = {
  readonly [Name in keyof C[Code]]: Kinds[C[Code][Name]];
};

/** Codes whose sentences take no parameters. */
export function plain<const Code extends string>(...codes: readonly Code[]) {
  return Object.fromEntries(codes.map((code) => [code, {}])) as {
    readonly [Each in Code]: Record<never, never>;
  };
}

/** A code of the table with its parameters. */
export type MessageOf<C extends Codes, Code extends keyof C = keyof C> = {
  readonly [Each in Code]: { readonly code: Each; readonly params: ParamsOf<C, Each> };
}[Code];

/** The parameters as an argument, which a code without any does not take. */
export type GivenParams<C extends Codes, Code extends keyof C> = keyof C[Code] extends never
  ? []
  : [params: ParamsOf<C, Code>];
