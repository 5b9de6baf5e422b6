import type { User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { IdentityContext } from "./context/context.ts";
import type { ProvedFactor } from "./proofs/purposes.ts";

export interface EnrolledFactor {
  readonly kind: ProvedFactor["kind"];
  readonly id: string;
  readonly name: string;
  readonly method: SignInMethod;
}

export type StoreError = "too_many" | "taken";

/** Stores a verified factor. The caller must hold the user's lock. */
export type StoreFactor = (
  tx: Transaction,
  user: Pick<User, "id">,
  factor: ProvedFactor,
  origin: RequestOrigin,
  context: IdentityContext,
) => Promise<EnrolledFactor | { readonly error: StoreError }>;
