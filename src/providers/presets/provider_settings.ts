import type { EmailTrust, ProviderPreset } from "../../records/names/names.ts";

export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly userinfo?: string;
  readonly revocation?: string;
}

/** `a.b` names a nested field. */
export interface ClaimNames {
  /** The provider must declare that this identifier is immutable and never reassigned. */
  readonly subject: string;
  readonly email?: string;
  readonly email_verified?: string;
  readonly name?: string;
  readonly picture?: string;
}

/** From the provider's record (EP-1), with decrypted secrets. */
export interface ProviderSettings {
  readonly slug: string;
  readonly preset: ProviderPreset;
  readonly owner?: string;
  /**
   * Compared character by character with the provider's metadata and tokens; undefined means the issuer of
   * the preset.
   */
  readonly issuer?: string;
  /** Undefined means the endpoints of the preset or of the discovery document. */
  readonly endpoints?: ProviderEndpoints;
  readonly client_id: string;
  readonly client_secret?: string;
  /** Apple's private key for the curve P-256, as PKCS #8 in PEM. */
  readonly private_key?: string;
  readonly key_id?: string;
  readonly team_id?: string;
  /** Undefined means the scopes of the preset. */
  readonly scopes?: readonly string[];
  readonly email_trust: EmailTrust;
  /** In lower case, as A-labels. */
  readonly email_domains: readonly string[];
  /**
   * The accepted tenants; empty accepts all. A tenant is `tid` of Entra or `hd` of Google, in lower case, or
   * a Slack workspace as Slack spells it.
   */
  readonly allowed_tenants: readonly string[];
  readonly trust_amr: boolean;
  /** If true, refresh tokens are requested (EP-19). */
  readonly keep_tokens: boolean;
  readonly claim_names?: ClaimNames;
  /** `a.b` names a nested field, unless a claim has that very name. */
  readonly attribute_claims?: Readonly<Record<string, unknown>>;
  readonly pkce?: boolean;
}
