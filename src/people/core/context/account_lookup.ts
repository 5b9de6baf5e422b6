import type { User } from "../../../records/definition/definition.ts";

/** The legacy system of users who have not migrated yet (MG-9). */
export interface AccountLookup {
  /**
   * Returns how many milliseconds every refused sign-in takes at least; undefined if sign-ins do not query
   * the legacy system.
   */
  answerTime(): number | undefined;
  /**
   * Returns whether the legacy system accepts the password; the user then has an account here. Returns false
   * after `within` milliseconds, while the query continues. Throws an `OverloadedError` if too many hashes
   * are waiting.
   */
  byPassword(typed: {
    readonly email: string;
    readonly password: string;
    readonly user: User | undefined;
    /** The IPv4 address or IPv6 /64 of the request, whose hashes take turns in the queue (B-3). */
    readonly source: string;
    readonly within: number;
  }): Promise<boolean>;
  /**
   * Creates an account without a password, if no account has this email address and the legacy system knows
   * it. Never throws.
   */
  byAddress(email: string): Promise<void>;
}
