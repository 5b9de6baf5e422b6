import type { Reason } from "../../errors/field_errors.ts";
import type { ProviderPreset } from "../../records/names/names.ts";

export interface MovedPerson {
  readonly external_id: string;
  /** Set if the user's identifier in the other system is a UUID; the user's `sub` then stays the same. */
  readonly id?: string;
  readonly email: string;
  readonly email_verified_at?: string;
  readonly name?: string;
  readonly avatar_url?: string;
  readonly active?: boolean;
  readonly created_at?: string;
  readonly password?: { readonly hash: string } | { readonly argon2id: string };
  readonly totp?: readonly { readonly otpauth: string; readonly name: string }[];
  readonly passkeys?: readonly MovedPasskey[];
  readonly linked_accounts?: readonly LinkedAccount[];
  readonly memberships?: readonly MovedMembership[];
  /** Values by attribute name; they are stored only if the attribute is defined on this server. */
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
}

export interface LinkedAccount {
  readonly provider?: string;
  /**
   * A preset's name instead of `provider`: the account may be linked only to a provider of that preset that
   * belongs to no organization.
   */
  readonly preset?: ProviderPreset;
  readonly provider_user_id: string;
}

export interface MovedPasskey {
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly rp_id: string;
  readonly name: string;
  readonly transports: readonly string[];
  readonly aaguid: string | null;
  readonly discoverable: boolean;
}

export interface MovedMembership {
  readonly organization: string;
  readonly role: string;
  /** Names of roles in addition to the membership's main one. */
  readonly role_ids?: readonly string[];
  readonly groups?: readonly string[];
}

/** An entry of a manifest, which the server validates. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * Data that is not imported, or is changed by the import. `reason` is English text, or the field error with
 * which Postern refuses a value.
 */
export interface Loss {
  readonly object: string;
  readonly member: string;
  readonly reason: string | Reason;
}

export interface Sink {
  person(person: MovedPerson): void;
  /** `object` is for example `user ada@example.com`. */
  omit(object: string, reason: string): void;
  organization(entry: Entry & { readonly slug: string }): void;
  role(entry: Entry & { readonly organization: string; readonly name: string }): void;
  group(entry: Entry & { readonly organization: string; readonly display_name: string }): void;
  provider(entry: Entry & { readonly slug: string }): void;
  app(entry: Entry & { readonly client_id: string }): void;
  lose(loss: Loss): void;
}

/** Information from the operator that the export does not contain (`--map`). */
export interface ImportMap {
  /**
   * For CSV: maps a column of the file to Postern's column, such as `Mail: email`. For other files: maps the
   * path of a user's field to an attribute, such as `app_metadata.plan: plan`.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** Maps the other system's name for a provider to the slug of that provider on this server. */
  readonly providers: Readonly<Record<string, string>>;
  /** The slug or ID of the organization that all users join. Slugs can change between imports. */
  readonly organization: string | undefined;
  /** The host of passkeys, if the file does not contain it. */
  readonly rp_id: string | undefined;
  /**
   * When the file was created. Email addresses that the file only marks as verified count as verified since
   * the user's creation or, if unknown, this time.
   */
  readonly exported_at: string;
  /** For Firebase: the parameters of the project's password hashes; the key and the separator are base64. */
  readonly firebase: FirebaseParameters | undefined;
}

interface FirebaseParameters {
  readonly signer_key: string;
  readonly salt_separator: string;
  readonly rounds: number;
  readonly mem_cost: number;
}
