import type { PasswordHasher } from "../../../crypto/passwords.ts";
import type { Sealer } from "../../../crypto/sealing.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { LeakyBuckets } from "../../../records/names/leaky_buckets.ts";
import type { ExtraSignIn, SelfService, SignUpPolicy } from "../../../records/names/names.ts";
import type { Clients, Codes, Consents, Outbox, Providers, Rows, Sessions } from "../../../storage/ports.ts";
import type { AccountLookup } from "./account_lookup.ts";
import type { ProviderClient } from "./provider_client.ts";

type PeopleStore = Rows & Clients & Codes & Sessions & Consents & Providers & Outbox;

export interface IdentityContext {
  readonly store: PeopleStore;
  readonly passwords: PasswordHasher;
  readonly sealer: Sealer;
  readonly now: () => Date;
  readonly report: (event: IdentityEvent) => void;
  readonly memory: { readonly limits: Readonly<Record<"mails" | "provider_sign_ins", LeakyBuckets>> };
  readonly throttle: boolean;
  readonly address_limits?: AddressLimits;
  readonly sends_mail?: boolean;
  readonly settings?: IdentitySettings;
  readonly provider_client?: ProviderClient | undefined;
  readonly account_lookup?: AccountLookup | undefined;
}

/** Limits for one IPv4 address or IPv6 /64 within 15 minutes. */
export interface AddressLimits {
  /** Maximum sign-in attempts that do not succeed. */
  readonly sign_ins: number;
  readonly mails: number;
  /** The operator exempts this IP address from the limits. */
  readonly isShared: (client_ip: string) => boolean;
}

export interface IdentitySettings {
  /**
   * Methods that are offered in addition to the password. Authenticators that are already enrolled remain
   * required even if their method is not listed.
   */
  readonly extra_sign_in?: readonly ExtraSignIn[];
  readonly sign_up?: SignUpPolicy;
  readonly sign_up_domains?: readonly string[];
  readonly self_service?: readonly SelfService[];
  readonly remember_device_days?: number;
  /** In seconds; `session_idle` counts from the last use. */
  readonly session_max_age?: number;
  readonly session_idle?: number;
  /** 0 hides the choice to stay signed in. */
  readonly session_remember_days?: number;
  readonly password_length?: number;
  /** 0 disables recovery. */
  readonly recovery_delay_hours?: number;
  /** When passwords hashed by another program stop working. */
  readonly foreign_passwords_until?: Date | undefined;
  readonly related_origins?: readonly string[];
}

/** Sign-in events (H-8). They never contain a password, nor an email address that no account has. */
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
