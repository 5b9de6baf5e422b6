/** The parts that sign-in and accounts work with. */
import type { PasswordHasher } from "../../../crypto/passwords.ts";
import type { Sealer } from "../../../crypto/sealing.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { LeakyBuckets } from "../../../records/names/leaky_buckets.ts";
import type { ExtraSignIn, SelfService, SignUpPolicy } from "../../../records/names/names.ts";
import type { Clients, Codes, Consents, Outbox, Providers, Rows, Sessions } from "../../../storage/ports.ts";
import type { AccountLookup } from "./account_lookup.ts";
import type { ProviderClient } from "./provider_client.ts";

/** The ports of the storage that signing in uses. */
type PeopleStore = Rows & Clients & Codes & Sessions & Consents & Providers & Outbox;

/**
 * Everything that signing in needs; passed to each operation, so that a test can exchange any part of it.
 */
export interface IdentityContext {
  readonly store: PeopleStore;
  readonly passwords: PasswordHasher;
  readonly sealer: Sealer;
  readonly now: () => Date;
  readonly report: (event: IdentityEvent) => void;
  /** The limits that are counted in the memory of this process. */
  readonly memory: { readonly limits: Readonly<Record<"mails" | "provider_sign_ins", LeakyBuckets>> };
  /** False lifts the limits on guessing. */
  readonly throttle: boolean;
  /** The limits by address; the usual ones if omitted. */
  readonly address_limits?: AddressLimits;
  /** Whether mail can be sent; not, if omitted. */
  readonly sends_mail?: boolean;
  /** The features switched on beyond the specification; none if absent. */
  readonly settings?: IdentitySettings;
  /** Access to external providers; without it, provider sign-in is off. */
  readonly provider_client?: ProviderClient | undefined;
  /** The old system of people who have not moved yet; absent if none is asked. */
  readonly account_lookup?: AccountLookup | undefined;
}

/** How much one IPv4 address or IPv6 /64 has within 15 minutes. */
export interface AddressLimits {
  /** Attempts to sign in that did not end in a sign-in. */
  readonly sign_ins: number;
  /** Requests for a mail of one kind. */
  readonly mails: number;
  /** Whether no such limit holds there. */
  readonly isShared: (client_ip: string) => boolean;
}

/** Features for people beyond signing in with a password; each is off by default. */
export interface IdentitySettings {
  /**
   * Authenticators that people may enroll in addition to the password. Enrolled ones are required regardless.
   */
  readonly extra_sign_in?: readonly ExtraSignIn[];
  /** Who may register an account. */
  readonly sign_up?: SignUpPolicy;
  readonly sign_up_domains?: readonly string[];
  /** Self-service features of an account. */
  readonly self_service?: readonly SelfService[];
  /** Days for which a browser may skip the second factor; 0 is never. */
  readonly remember_device_days?: number;
  /** Seconds from a sign-in, and from the last use, to the end of a session; the usual ones when not said. */
  readonly session_max_age?: number;
  readonly session_idle?: number;
  /** Days that a session lasts whose user chose to stay signed in; 0 offers no such choice. */
  readonly session_remember_days?: number;
  /** Characters of a new password, at least; 8 by default. */
  readonly password_length?: number;
  /** Hours that a recovery of lost second factors waits; 0 is never. */
  readonly recovery_delay_hours?: number;
  /** When passwords that another program hashed stop working; never by default. */
  readonly foreign_passwords_until?: Date | undefined;
  /** Origins, in addition to this server's own, that may use its passkeys. */
  readonly related_origins?: readonly string[];
}

/** The events of a person's sign-in (H-8). Never holds a password, nor an email without an account. */
export interface IdentityEvent {
  readonly type:
    | "sign_in"
    | "sign_out"
    | "step_up"
    | "password_reset_request"
    | "registration_request"
    | "password_reset"
    | "passkey.refused";
  readonly outcome: "success" | "failure";
  readonly actor: { readonly kind: "user" | "anonymous" | "client" | "system"; readonly id?: string };
  readonly target?: { readonly table: string; readonly id: string };
  readonly origin: RequestOrigin;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}
