import type { EmailTrust, ProviderPreset } from "../../records/names/names.ts";

/** The endpoints of a provider that publishes no discovery document. */
export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly userinfo?: string;
  readonly revocation?: string;
}

/** The claim names of a generic OAuth 2.0 provider; `a.b` names a nested field. */
export interface ClaimNames {
  /** The claim with an identifier that the provider declares to be immutable and never reassigned. */
  readonly subject: string;
  readonly email?: string;
  readonly email_verified?: string;
  readonly name?: string;
  readonly picture?: string;
}

/** The settings of the provider client, from the provider's record (EP-1), with decrypted secrets. */
export interface ProviderSettings {
  readonly slug: string;
  readonly preset: ProviderPreset;
  readonly owner?: string;
  /**
   * Undefined means the issuer of the preset. The issuer is compared character by character with that in the
   * provider's metadata and tokens.
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
  /** The domains to which `email_trust: domains` applies, in lower case as A-labels. */
  readonly email_domains: readonly string[];
  /**
   * The accepted tenants; empty accepts all. A tenant is `tid` of Entra or `hd` of Google, in lower case, or
   * a Slack workspace as Slack spells it.
   */
  readonly allowed_tenants: readonly string[];
  readonly trust_amr: boolean;
  /** Whether tokens are stored; refresh tokens are then requested (EP-19). */
  readonly keep_tokens: boolean;
  readonly claim_names?: ClaimNames;
  /** The claim names by attribute; `a.b` names a nested field, unless a claim has that very name. */
  readonly attribute_claims?: Readonly<Record<string, unknown>>;
  /** `false` disables PKCE if the preset allows that. */
  readonly pkce?: boolean;
}
