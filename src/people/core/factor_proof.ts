import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { CommitProof } from "./sessions.ts";

export type FactorProof =
  | {
      readonly type: "proved";
      readonly method: SignInMethod;
      readonly codes_left?: number;
      /** Consumes the proof in the transaction that uses it; false if it was already used. */
      readonly commitProof?: CommitProof;
    }
  | { readonly type: "wrong" }
  /**
   * The code was correct some minutes ago, so the clock of the device may be slow. Counts as wrong (MF-3).
   */
  | { readonly type: "late" }
  | { readonly type: "expired" };

export type FactorError = "wrong" | "late" | "expired" | "throttled" | "out_of_date";

export type FactorField = {
  name: string;
  error?: FactorError | undefined;
  required?: boolean | undefined;
};
