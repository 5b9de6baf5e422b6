import { type ProviderFindingMessage, providerFinding } from "../../errors/provider_findings.ts";
import type { ProviderPreset } from "../../records/names/names.ts";
import type { ClaimNames, ProviderEndpoints, ProviderSettings } from "./provider_settings.ts";

/** The merged claims of an id_token and of userinfo, as the provider spells them. */
export type UpstreamClaims = Readonly<Record<string, unknown>>;

/** The `prompt` that can be requested at the provider (OpenID Connect Core 1.0, section 3.1.2.1). */
export type UpstreamPrompt = "login" | "select_account";

export interface ReadClaims {
  /**
   * The ID of the account at the provider, compared byte for byte (EP-7); undefined if a part of it is
   * missing.
   */
  readonly subject: string | undefined;
  readonly email: string | undefined;
  /** Whether the provider claims that the email address is verified; undefined if it makes no claim. */
  readonly email_verified: boolean | undefined;
  readonly name: string | undefined;
  readonly picture: string | undefined;
  /** The provider's customer, such as a company, to which the user belongs. */
  readonly tenant: string | undefined;
}

type ProviderMember =
  | "issuer"
  | "endpoints"
  | "client_secret"
  | "private_key"
  | "key_id"
  | "team_id"
  | "allowed_tenants"
  | "claim_names"
  | "pkce";

export type TakenMember = ProviderMember | "revocation_endpoint";

/** The metadata that a provider publishes, or that a preset states instead. */
export interface ProviderMetadata {
  /** Undefined for OAuth 2.0 providers without an issuer. */
  readonly issuer: string | undefined;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint?: string;
  readonly jwks_uri?: string;
  readonly revocation_endpoint?: string;
  /** Whether every authorization response contains `iss` (RFC 9207, section 3). */
  readonly iss_parameter: boolean;
  /** `code_challenge_methods_supported` (RFC 8414); undefined if not published. */
  readonly pkce_methods?: readonly string[];
  readonly id_token_algorithms?: readonly string[];
  /** `token_endpoint_auth_methods_supported`; undefined if not published. */
  readonly authentication_methods?: readonly string[];
}

export interface Preset {
  readonly name: ProviderPreset;
  readonly label: string;
  readonly protocol: "oidc" | "oauth2";
  readonly issuer?: string;
  /** Metadata that the preset supplies, because the provider publishes none or publishes incorrect metadata. */
  readonly metadata?: (settings: ProviderSettings) => ProviderMetadata | undefined;
  /** The `issuer` in the discovery document, if it differs from that of the provider's record. */
  readonly discoveredIssuer?: (issuer: string) => string;
  /** The allowed `iss` values of an id_token, if they differ from the issuer in the metadata. */
  readonly tokenIssuers?: (issuer: string, claims: UpstreamClaims) => readonly string[];
  readonly needs: readonly ProviderMember[];
  readonly takes: readonly TakenMember[];
  /** The initial claim names in the form for a new provider. */
  readonly usual_claim_names?: ClaimNames;
  /**
   * The format of `allowed_tenants` entries. If it is set, entries are stored in lower case; otherwise an
   * entry is stored as the provider spells it.
   */
  readonly tenants_are?: "uuids" | "domains";
  /** Returns whether an issuer in a record is the provider's own, such as that of a tenant. */
  readonly runsIssuer?: (issuer: string) => boolean;
  readonly scopes: readonly string[];
  /** Accepted JWS algorithms of id_tokens. They are asymmetric, so a client secret cannot forge a token. */
  readonly id_token_algorithms: readonly string[];
  readonly pkce: "always" | "switchable" | "refused";
  /**
   * Whether the id_token contains the nonce of the request: `always`, or not (`ignored`); `none` if there is
   * no id_token.
   */
  readonly nonce: "always" | "ignored" | "none";
  /** The response mode of the authorization request; by default the query. */
  readonly response_mode?: "form_post";
  readonly client_authentication: "client_secret_basic" | "client_secret_post" | "signed_secret";
  readonly parameters?: (settings: ProviderSettings) => Readonly<Record<string, string>>;
  /**
   * The values of `prompt` that the provider honors, and whether it honors `max_age`. Other values are not
   * sent (EP-15).
   */
  readonly honours: { readonly prompts: readonly UpstreamPrompt[]; readonly max_age: boolean };
  /** Whether the userinfo endpoint returns claims that the id_token lacks. */
  readonly userinfo: boolean;
  /**
   * URLs of further endpoints with claims. Each key is the name under which the response is merged into the
   * claims.
   */
  readonly further_claims?: (metadata: ProviderMetadata) => Readonly<Record<string, string>>;
  readonly read: (claims: UpstreamClaims, settings: ProviderSettings) => ReadClaims;
  /**
   * Returns whether the provider runs the mailbox itself, so its claim proves as much as an email to that
   * mailbox.
   */
  readonly runsMailbox?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * Returns whether the provider may be trusted for all email addresses of `email_domains`, because one
   * organization controls who has an account.
   */
  readonly speaksForDomains?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * Returns whether `email_verified` counts: the provider is known to verify email addresses, or
   * `email_trust` is `claim`.
   */
  readonly checksEmail: (settings: ProviderSettings) => boolean;
  /** The revocation method: RFC 7009 at the endpoint in the metadata, or GitHub's own. */
  readonly revocation?: "rfc7009" | "github";
}

/**
 * Returns a warning for each protection that the preset lacks or the provider's record disables; empty for
 * most providers.
 */
export function presetWarnings(preset: Preset, settings: ProviderSettings): ProviderFindingMessage[] {
  const { label: provider } = preset;
  const warnings: ProviderFindingMessage[] = [];
  if (preset.nonce === "ignored") warnings.push(providerFinding("no_nonce", { provider }));
  if (!sendsPkce(preset, settings)) {
    warnings.push(
      preset.pkce === "refused"
        ? providerFinding("pkce_refused", { provider })
        : providerFinding("pkce_switched_off"),
    );
  }
  return warnings;
}

/** Returns whether the provider reauthenticates users on request and proves it with `auth_time` (EP-15). */
export function provesFreshSignIn({ honours }: Preset): boolean {
  return honours.max_age && honours.prompts.includes("login");
}

/**
 * Returns whether PKCE is used. It is, unless the preset refuses PKCE, or the provider's record disables it
 * and the preset allows that (EP-3).
 */
export function sendsPkce(preset: Preset, { pkce = true }: ProviderSettings): boolean {
  return preset.pkce === "always" || (preset.pkce === "switchable" && pkce);
}

/**
 * Returns the metadata of a provider without a discovery document, with the endpoints of its record or of the
 * preset. Undefined if neither has endpoints.
 */
export function statedMetadata(
  own: ProviderEndpoints | undefined,
  { endpoints = own, issuer }: ProviderSettings,
  ownIssuer?: string,
): ProviderMetadata | undefined {
  if (endpoints === undefined) return undefined;
  return {
    issuer: issuer ?? ownIssuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    ...(endpoints.userinfo !== undefined && { userinfo_endpoint: endpoints.userinfo }),
    ...(endpoints.revocation !== undefined && { revocation_endpoint: endpoints.revocation }),
    iss_parameter: false,
  };
}
