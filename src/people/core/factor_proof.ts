import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { CommitProof } from "./sessions.ts";

/** The result of checking a second factor. */
export type FactorProof =
  | {
      readonly type: "proved";
      readonly method: SignInMethod;
      readonly codes_left?: number;
      /** Uses up the proof, with the session that it opens; false if it was used meanwhile. */
      readonly commitProof?: CommitProof;
    }
  | { readonly type: "wrong" }
  /** A right code of some minutes ago: the clock of the device is slow. Counts as wrong (MF-3). */
  | { readonly type: "late" }
  /** The question was too old, or was answered before: nothing was learnt. */
  | { readonly type: "expired" };

/** Why a person is asked again. */
export type FactorError = "wrong" | "late" | "expired" | "throttled" | "out_of_date";

/** The field of a form for a code. */
export type FactorField = {
  name: string;
  error?: FactorError | undefined;
  /** Its form has no other fields. */
  required?: boolean | undefined;
};
