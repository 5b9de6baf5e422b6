/**
 * What a proof may be for. A proof opens for its purpose alone, and only together with all that the purpose
 * binds it to. A new way to verify, link, reset or step up is an entry here.
 */
import type { SignInMethod } from "../../records/sign_in_methods.ts";

/** What a proof may be bound to: each is compared when it is presented. */
export type Bond =
  /** The form cookie of the browser that asked. */
  | "browser"
  /** The id of the session that asked. */
  | "session"
  /** The path and query of the request that waits. */
  | "request"
  /** The slug of a provider. */
  | "provider"
  /** The account at that provider. */
  | "subject";

interface Purpose {
  readonly bound_to: readonly Bond[];
  /** How long it is good, minutes. */
  readonly minutes: number;
  /** A newer one for the same place takes its place. */
  readonly only_newest?: true;
}

export const purposes = {
  /** A person who gave a first factor and still has to give a second one (MF-5). */
  half_sign_in: { bound_to: ["browser"], minutes: 10 },
} as const satisfies Readonly<Record<string, Purpose>>;

export type ProofPurpose = keyof typeof purposes;

/** What a proof of each purpose carries, sealed. */
export interface ProofData {
  half_sign_in: {
    readonly methods: readonly SignInMethod[];
    /** Where the person goes on, path and query. */
    readonly request: string;
    /** Wrong second factors so far. */
    readonly wrong: number;
  };
}

/** The values that a proof of this purpose is bound to. */
export type Bonds<P extends ProofPurpose> = {
  readonly [B in (typeof purposes)[P]["bound_to"][number]]: string;
};
