import type { EmailTrust, ProviderPreset } from "../../records/names/names.ts";

/** Addresses of a provider that publishes no discovery document. */
export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly userinfo?: string;
  readonly revocation?: string;
}

/** The claim names of a generic OAuth 2.0 provider: `a.b` is a nested member. */
export interface ClaimNames {
  /** The claim with an identifier that the provider declares immutable and never reassigns. */
  readonly subject: string;
  readonly email?: string;
  readonly email_verified?: string;
  readonly name?: string;
  readonly picture?: string;
}

/** The provider client's settings from the record (EP-1), with decrypted secrets. */
export interface ProviderSettings {
  readonly slug: string;
  readonly preset: ProviderPreset;
  /** The organization that owns the provider; undefined for a provider of the server. */
  readonly owner?: string;
  /** Set if the preset does not define the issuer; compared character by character. */
  readonly issuer?: string;
  /** Those of the preset if omitted. */
  readonly endpoints?: ProviderEndpoints;
  readonly client_id: string;
  readonly client_secret?: string;
  /** Apple's key for the curve P-256, as PKCS #8 in PEM. */
  readonly private_key?: string;
  readonly key_id?: string;
  readonly team_id?: string;
  /** Those of the preset if omitted. */
  readonly scopes?: readonly string[];
  readonly email_trust: EmailTrust;
  /** The domains that `email_trust` `domains` covers, in lower case as A-labels. */
  readonly email_domains: readonly string[];
  /**
   * The accepted tenants; empty accepts all. The preset defines a tenant: `tid` of Entra and `hd` of Google
   * in lower case, a workspace as Slack spells it.
   */
  readonly allowed_tenants: readonly string[];
  readonly trust_amr: boolean;
  /** Refresh tokens are requested if tokens are stored (EP-19). */
  readonly keep_tokens: boolean;
  readonly claim_names?: ClaimNames;
  /** The claims of attributes, by attribute; `a.b` is a nested member if no claim has that name. */
  readonly attribute_claims?: Readonly<Record<string, unknown>>;
  /** `false` disables PKCE if the preset allows that. */
  readonly pkce?: boolean;
}
