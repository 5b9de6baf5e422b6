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
  /** Of those of one name (`NewProof.newest_of`) only the newest is good. */
  readonly only_newest?: true;
}

export const purposes = {
  /** A person who gave a first factor and still has to give a second one (MF-5). */
  half_sign_in: { bound_to: ["browser"], minutes: 10 },
  /** A link that sets a new password, in any browser (docs/decisions/0061). */
  password_reset: { bound_to: [], minutes: 30, only_newest: true },
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
  password_reset: {
    /** The address that the link was mailed to, as accounts are found by it. */
    readonly email_key: string;
  };
}

/** The values that a proof of this purpose is bound to. */
export type Bonds<P extends ProofPurpose> = {
  readonly [B in (typeof purposes)[P]["bound_to"][number]]: string;
};

/** The name of which only the newest proof is good, where the purpose asks for one. */
export type NewestOf<P extends ProofPurpose> = (typeof purposes)[P] extends { readonly only_newest: true }
  ? { readonly newest_of: string }
  : { readonly newest_of?: undefined };
