import type { User } from "../../../records/definition/definition.ts";

/** An old system that is asked about people who have not moved yet (MG-9). */
export interface AccountLookup {
  /**
   * Milliseconds after which every failed sign-in is answered; undefined while sign-ins do not ask the old
   * system.
   */
  answerTime(): number | undefined;
  /**
   * Whether the old system says that the password is right. The person then has an account here, with this
   * password. Asks only for an address without an account and for a person who was imported without a
   * password; false without asking otherwise, and once the milliseconds are over, while the rest goes on.
   * Throws an OverloadedError if too many hashes wait.
   */
  byPassword(typed: {
    readonly email: string;
    readonly password: string;
    /** The account of the address. */
    readonly user: User | undefined;
    /** Whose turn the hash takes. */
    readonly source: string;
    readonly within: number;
  }): Promise<boolean>;
  /** Makes the account of a person whom the old system knows, without a password. Never throws. */
  byAddress(email: string): Promise<void>;
}
