import { type ProviderFindingMessage, providerFinding } from "../../errors/provider_findings.ts";
import type { ProviderPreset } from "../../records/names/names.ts";
import type { ClaimNames, ProviderEndpoints, ProviderSettings } from "./provider_settings.ts";

/** The merged claims of an id_token and of userinfo, as the provider spells them. */
export type UpstreamClaims = Readonly<Record<string, unknown>>;

/** The interaction that can be requested at the provider (OpenID Connect Core 3.1.2.1 `prompt`). */
export type UpstreamPrompt = "login" | "select_account";

/** The user's data that a preset reads from the claims. */
export interface ReadClaims {
  /** The key of the account, compared byte for byte (EP-7); undefined if a part of it is missing. */
  readonly subject: string | undefined;
  /** A valid email address. */
  readonly email: string | undefined;
  /** Whether the provider claims that the address is verified; undefined if it makes no claim. */
  readonly email_verified: boolean | undefined;
  readonly name: string | undefined;
  readonly picture: string | undefined;
  /** The provider's customer that the user belongs to. */
  readonly tenant: string | undefined;
}

/** Members of a provider record that a preset requires. */
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

/** The values that a record may have. */
export type TakenMember = ProviderMember | "revocation_endpoint";

/** The metadata that a provider publishes, or that a preset states instead. */
export interface ProviderMetadata {
  /** Undefined for OAuth 2.0 providers without one. */
  readonly issuer: string | undefined;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint?: string;
  readonly jwks_uri?: string;
  readonly revocation_endpoint?: string;
  /** Whether every authorization response contains `iss` (RFC 9207 section 3). */
  readonly iss_parameter: boolean;
  /** `code_challenge_methods_supported` (RFC 8414); undefined if not published. */
  readonly pkce_methods?: readonly string[];
  readonly id_token_algorithms?: readonly string[];
  /** `token_endpoint_auth_methods_supported`; undefined if not published. */
  readonly authentication_methods?: readonly string[];
}

/** One kind of provider, with all its differences from others. */
export interface Preset {
  readonly name: ProviderPreset;
  /** The provider's own name: the label of a new record. */
  readonly label: string;
  readonly protocol: "oidc" | "oauth2";
  /** The default issuer of the preset. */
  readonly issuer?: string;
  /** Stated here if the provider publishes no document, or has published a wrong one. */
  readonly metadata?: (settings: ProviderSettings) => ProviderMetadata | undefined;
  /** The `issuer` in the discovery document, if it differs from the record's. */
  readonly discoveredIssuer?: (issuer: string) => string;
  /** The allowed `iss` values of an id_token, if there are several. */
  readonly tokenIssuers?: (issuer: string, claims: UpstreamClaims) => readonly string[];
  readonly needs: readonly ProviderMember[];
  readonly takes: readonly TakenMember[];
  /** The initial claim names in the form for a new record, if records state them. */
  readonly usual_claim_names?: ClaimNames;
  /**
   * The format of `allowed_tenants` entries, which are stored in lower case. By default, text as the
   * provider spells it.
   */
  readonly tenants_are?: "uuids" | "domains";
  /**
   * Returns whether an issuer from a record is still the provider's own host, such as one of its tenants.
   */
  readonly runsIssuer?: (issuer: string) => boolean;
  readonly scopes: readonly string[];
  /** Accepted JWS algorithms of id_tokens; only asymmetric ones, so the client secret cannot forge one. */
  readonly id_token_algorithms: readonly string[];
  readonly pkce: "always" | "switchable" | "refused";
  /** Whether the id_token contains the sent nonce; `none` if there is no id_token. */
  readonly nonce: "always" | "ignored" | "none";
  /** The response mode of the authorization response; by default the query. */
  readonly response_mode?: "form_post";
  readonly client_authentication: "client_secret_basic" | "client_secret_post" | "signed_secret";
  /** Returns additional parameters of the authorization request. */
  readonly parameters?: (settings: ProviderSettings) => Readonly<Record<string, string>>;
  /** The request parameters that the provider honors; other parameters are not sent (EP-15). */
  readonly honours: { readonly prompts: readonly UpstreamPrompt[]; readonly max_age: boolean };
  /** Whether the userinfo endpoint returns claims that the id_token lacks. */
  readonly userinfo: boolean;
  /** Further endpoints with claims, each merged under the name given here. */
  readonly further_claims?: (metadata: ProviderMetadata) => Readonly<Record<string, string>>;
  readonly read: (claims: UpstreamClaims, settings: ProviderSettings) => ReadClaims;
  /**
   * Returns whether the provider runs the mailbox itself, so its claim proves the same as a mail to the
   * address.
   */
  readonly runsMailbox?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * Whether the provider may be trusted for all addresses of `email_domains`, because one organization
   * controls its membership.
   */
  readonly speaksForDomains?: (claims: UpstreamClaims, settings: ProviderSettings) => boolean;
  /**
   * Whether `email_verified` counts without `email_trust` `claim`: for providers that are known to verify
   * addresses.
   */
  readonly checksEmail: (settings: ProviderSettings) => boolean;
  /** The revocation method: RFC 7009 at the endpoint of the metadata, or GitHub's own. */
  readonly revocation?: "rfc7009" | "github";
}

/**
 * Returns the warning of `postern doctor` and the console about a preset that lacks a protection; empty for
 * most.
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

/** Returns whether the provider reauthenticates users on request and proves this with `auth_time` (EP-15). */
export function provesFreshSignIn({ honours }: Preset): boolean {
  return honours.max_age && honours.prompts.includes("login");
}

/** Returns whether PKCE is used: with every request unless the provider refuses it (EP-3). */
export function sendsPkce(preset: Preset, { pkce = true }: ProviderSettings): boolean {
  return preset.pkce === "always" || (preset.pkce === "switchable" && pkce);
}

/** Returns the endpoints of a provider without a document: those of the record, or the preset's own. */
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
