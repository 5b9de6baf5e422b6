import { type ProviderFindingMessage, providerFinding } from "../../errors/provider_findings.ts";
import type { ProviderPreset } from "../../records/names/names.ts";
import type { ClaimNames, ProviderEndpoints, ProviderSettings } from "./provider_settings.ts";

export type UpstreamClaims = Readonly<Record<string, unknown>>;

/** See OpenID Connect Core 1.0, section 3.1.2.1. */
export type UpstreamPrompt = "login" | "select_account";

export interface ReadClaims {
  /** Compared byte for byte (EP-7); undefined if a part of it is missing. */
  readonly subject: string | undefined;
  readonly email: string | undefined;
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

export interface ProviderMetadata {
  readonly issuer: string | undefined;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint?: string;
  readonly jwks_uri?: string;
  readonly revocation_endpoint?: string;
  /** Every authorization response contains `iss` (RFC 9207, section 3). */
  readonly iss_parameter: boolean;
  /** `code_challenge_methods_supported` (RFC 8414). */
  readonly pkce_methods?: readonly string[];
  readonly id_token_algorithms?: readonly string[];
  /** `token_endpoint_auth_methods_supported`. */
  readonly authentication_methods?: readonly string[];
}

export interface Preset {
  readonly name: ProviderPreset;
  readonly label: string;
  readonly protocol: "oidc" | "oauth2";
  readonly issuer?: string;
  /** For a provider that publishes no metadata, or incorrect metadata. */
  readonly metadata?: (settings: ProviderSettings) => ProviderMetadata | undefined;
  /** The `issuer` in the discovery document, if it differs from that of the provider's record. */
  readonly discoveredIssuer?: (issuer: string) => string;
  /** The allowed `iss` values of an id_token, if they differ from the issuer in the metadata. */
  readonly tokenIssuers?: (issuer: string, claims: UpstreamClaims) => readonly string[];
  readonly needs: readonly ProviderMember[];
  readonly takes: readonly TakenMember[];
  readonly usual_claim_names?: ClaimNames;
  /** If set, entries of `allowed_tenants` are stored in lower case. */
  readonly tenants_are?: "uuids" | "domains";
  readonly runsIssuer?: (issuer: string) => boolean;
  readonly scopes: readonly string[];
  /** Asymmetric, so that a client secret cannot forge an id_token. */
  readonly id_token_algorithms: readonly string[];
  readonly pkce: "always" | "switchable" | "refused";
  /** Whether the id_token contains the nonce of the request; `none` if there is no id_token. */
  readonly nonce: "always" | "ignored" | "none";
  readonly response_mode?: "form_post";
  readonly client_authentication: "client_secret_basic" | "client_secret_post" | "signed_secret";
  readonly parameters?: (settings: ProviderSettings) => Readonly<Record<string, string>>;
  /** Values that the provider does not honor are not sent (EP-15). */
  readonly honours: { readonly prompts: readonly UpstreamPrompt[]; readonly max_age: boolean };
  readonly userinfo: boolean;
  /** URLs of further endpoints, by the name under which the response is merged into the claims. */
  readonly further_claims?: (metadata: ProviderMetadata) => Readonly<Record<string, string>>;
  readonly read: (claims: UpstreamClaims, settings: ProviderSettings) => ReadClaims;
  /** If true, the provider's claim proves as much as an email to the mailbox. */
  readonly runsMailbox?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * One organization controls who has an account, so the provider may be trusted for all of `email_domains`.
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

/** Returns a warning for each protection that the preset lacks or the provider's record disables. */
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

/** Returns whether PKCE is used (EP-3). */
export function sendsPkce(preset: Preset, { pkce = true }: ProviderSettings): boolean {
  return preset.pkce === "always" || (preset.pkce === "switchable" && pkce);
}

/** Returns the metadata of a provider without a discovery document; undefined if it has no endpoints. */
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
