import { type ProviderFindingMessage, providerFinding } from "../../errors/provider_findings.ts";
import type { ProviderPreset } from "../../records/names/names.ts";
import type { ClaimNames, ProviderEndpoints, ProviderSettings } from "./provider_settings.ts";

/** Claims of an id_token and of userinfo together, as the provider spells them. */
export type UpstreamClaims = Readonly<Record<string, unknown>>;

/** The interaction that can be requested at the provider (OpenID Connect Core 3.1.2.1 `prompt`). */
export type UpstreamPrompt = "login" | "select_account";

/** The parts of a person's claims that a preset reads. */
export interface ReadClaims {
  /** The key of the account, compared byte for byte (EP-7); undefined if a part of it is missing. */
  readonly subject: string | undefined;
  /** One that mail can be sent to. */
  readonly email: string | undefined;
  /** The provider's claim about the address; undefined if it makes none. */
  readonly email_verified: boolean | undefined;
  readonly name: string | undefined;
  readonly picture: string | undefined;
  /** The customer of the provider that the person belongs to. */
  readonly tenant: string | undefined;
}

/** Members of a provider record that a preset needs. */
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

/** Values that a record may have. */
export type TakenMember = ProviderMember | "revocation_endpoint";

/** The metadata that a provider publishes, or a preset states in its place. */
export interface ProviderMetadata {
  /** Undefined for OAuth 2.0 providers without one. */
  readonly issuer: string | undefined;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint?: string;
  readonly jwks_uri?: string;
  readonly revocation_endpoint?: string;
  /** Whether every authorization response carries `iss` (RFC 9207 section 3). */
  readonly iss_parameter: boolean;
  /** `code_challenge_methods_supported` (RFC 8414); undefined if it says nothing. */
  readonly pkce_methods?: readonly string[];
  readonly id_token_algorithms?: readonly string[];
  /** `token_endpoint_auth_methods_supported`; undefined if it says nothing. */
  readonly authentication_methods?: readonly string[];
}

/**
 * One kind of provider: everything in which it differs from the others (section 4 of the requirements).
 */
export interface Preset {
  readonly name: ProviderPreset;
  /** The provider's own name: the label of a new record. */
  readonly label: string;
  readonly protocol: "oidc" | "oauth2";
  /** The default issuer of the preset. */
  readonly issuer?: string;
  /** Stated here where the provider publishes no document, or one that was wrong before. */
  readonly metadata?: (settings: ProviderSettings) => ProviderMetadata | undefined;
  /** The `issuer` that the discovery document has, where it is not that of the record. */
  readonly discoveredIssuer?: (issuer: string) => string;
  /** The allowed `iss` values of an id_token, if there are several. */
  readonly tokenIssuers?: (issuer: string, claims: UpstreamClaims) => readonly string[];
  readonly needs: readonly ProviderMember[];
  readonly takes: readonly TakenMember[];
  /** The names of claims that a form for a new record begins with, where a record states them. */
  readonly usual_claim_names?: ClaimNames;
  /**
   * The format of `allowed_tenants` entries, stored in lower case; when absent, text as the provider writes
   * it.
   */
  readonly tenants_are?: "uuids" | "domains";
  /** Whether an issuer that a record states is still the provider's own host, such as a tenant of it. */
  readonly runsIssuer?: (issuer: string) => boolean;
  readonly scopes: readonly string[];
  /** JWS algorithms of id_tokens; only asymmetric ones, so the client secret cannot forge one. */
  readonly id_token_algorithms: readonly string[];
  readonly pkce: "always" | "switchable" | "refused";
  /** Whether the id_token carries the nonce that was sent; `none` where there is no id_token. */
  readonly nonce: "always" | "ignored" | "none";
  /** How the authorization response comes: in the query, when absent. */
  readonly response_mode?: "form_post";
  readonly client_authentication: "client_secret_basic" | "client_secret_post" | "signed_secret";
  /** Further parameters of the authorization request. */
  readonly parameters?: (settings: ProviderSettings) => Readonly<Record<string, string>>;
  /** Which of these parameters it acts on; one that it ignores is not sent (EP-15). */
  readonly honours: { readonly prompts: readonly UpstreamPrompt[]; readonly max_age: boolean };
  /** Whether the userinfo endpoint has claims that the id_token lacks. */
  readonly userinfo: boolean;
  /** Claims from one further endpoint each, merged under the name given here. */
  readonly further_claims?: (metadata: ProviderMetadata) => Readonly<Record<string, string>>;
  readonly read: (claims: UpstreamClaims, settings: ProviderSettings) => ReadClaims;
  /** Whether the provider runs the mailbox itself, so that its word is as good as a mail to it. */
  readonly runsMailbox?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * Whether it may be trusted for all addresses of `email_domains`: one organization decides who is in it.
   */
  readonly speaksForDomains?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * Whether `email_verified` counts without `email_trust` `claim`: for providers that are known to check.
   */
  readonly checksEmail: (settings: ProviderSettings) => boolean;
  /** How tokens are revoked: RFC 7009 at the endpoint of the metadata, or GitHub's own way. */
  readonly revocation?: "rfc7009" | "github";
}

/** The warning of `postern doctor` and the console about a preset that lacks a protection; empty for most. */
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

/** Whether it reauthenticates on request, and proves by `auth_time` that it did (EP-15). */
export function provesFreshSignIn({ honours }: Preset): boolean {
  return honours.max_age && honours.prompts.includes("login");
}

/** PKCE goes with each request unless the provider refuses it (EP-3). */
export function sendsPkce(preset: Preset, { pkce = true }: ProviderSettings): boolean {
  return preset.pkce === "always" || (preset.pkce === "switchable" && pkce);
}

/** The endpoints of a provider without a document: those of the record, or the preset's own. */
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
