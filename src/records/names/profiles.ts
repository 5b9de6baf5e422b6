import { perObject } from "../../lazily.ts";
import {
  type AppProfile,
  type ClientAuthenticationName,
  type ClientKeyAlgorithm,
  type ExtraSignIn,
  extraClientAuthentication,
  type Feature,
  type Profile,
  type SigningAlgorithm,
} from "./names.ts";

export interface Demands {
  readonly features: readonly Feature[];
  /** The allowed client authentication methods; null allows all offered ones. */
  readonly authentication_methods: readonly ClientAuthenticationName[] | null;
  readonly pushed_requests: boolean;
  /** Whether every client must use PKCE, rather than only public ones (RFC 7636). */
  readonly pkce: boolean;
  readonly bound_tokens: boolean;
  /** The algorithms of this server's tokens, the default for apps first; null allows all. */
  readonly token_algorithms: readonly [SigningAlgorithm, ...SigningAlgorithm[]] | null;
  readonly client_algorithms: readonly ClientKeyAlgorithm[] | null;
  /**
   * Whether an assertion that is used as a grant must have the issuer as its audience, rather than the token
   * endpoint.
   */
  readonly issuer_as_audience: boolean;
  /**
   * `issuer`: client assertions must have only the issuer as their audience (RFC 10070). `issuer_as_string`:
   * the audience must also be a string rather than a list. Null: the app's setting applies.
   */
  readonly client_audience: "issuer" | "issuer_as_string" | null;
  /** Maximum lifetime of a code in seconds; if null, only the setting limits it. */
  readonly longest_code_ttl: number | null;
  /** Whether refresh tokens are not rotated, so a lost response never forces a user to sign in again. */
  readonly no_rotation: boolean;
  /** Whether redirect URIs must use https and may not point to the device itself. */
  readonly https_redirects: boolean;
  /** Whether the token request may omit the redirect URI, because PKCE binds the code (OAuth 2.1 10.2). */
  readonly redirect_uri_once: boolean;
  /**
   * Whether the server publishes metadata about itself as a resource (RFC 9728), to which its 401 responses
   * link.
   */
  readonly resource_metadata: boolean;
  readonly open_clients: boolean;
}

const nothing: Demands = {
  features: [],
  authentication_methods: null,
  pushed_requests: false,
  pkce: false,
  bound_tokens: false,
  token_algorithms: null,
  client_algorithms: null,
  issuer_as_audience: false,
  client_audience: null,
  longest_code_ttl: null,
  no_rotation: false,
  https_redirects: false,
  redirect_uri_once: false,
  resource_metadata: false,
  open_clients: false,
};

export const profileDemands: Readonly<Record<Profile, Demands>> = {
  mcp: { ...nothing, resource_metadata: true, open_clients: true },
  /** FAPI 2.0 Security Profile, sections 5.3.2 and 5.4. */
  fapi2: {
    features: ["dpop", "par"],
    authentication_methods: ["private_key_jwt"],
    pushed_requests: true,
    pkce: true,
    bound_tokens: true,
    token_algorithms: ["ES256", "PS256", "EdDSA"],
    client_algorithms: ["PS256", "ES256", "EdDSA", "Ed25519"],
    issuer_as_audience: true,
    client_audience: "issuer_as_string",
    longest_code_ttl: 60,
    no_rotation: true,
    https_redirects: true,
    redirect_uri_once: false,
    resource_metadata: false,
    open_clients: false,
  },
  /** OAuth 2.1 (draft-ietf-oauth-v2-1). */
  oauth21: { ...nothing, pkce: true, client_audience: "issuer", redirect_uri_once: true },
};

/** Returns the entries of `all` that `demanded` contains; all of them if `demanded` is null. */
export function among<T extends string>(all: readonly T[], demanded: readonly string[] | null): readonly T[] {
  return demanded === null ? all : all.filter((each) => demanded.includes(each));
}

function common<T>(one: readonly T[] | null, other: readonly T[] | null): readonly T[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((each) => other.includes(each));
}

const either = (one: boolean, other: boolean) => one || other;

const together: { readonly [K in keyof Demands]: (one: Demands[K], other: Demands[K]) => Demands[K] } = {
  features: (one, other) => [...new Set([...one, ...other])],
  authentication_methods: common,
  pushed_requests: either,
  pkce: either,
  bound_tokens: either,
  token_algorithms: (one, other) => {
    const [first, ...others] = common<SigningAlgorithm>(one, other) ?? [];
    return first === undefined ? null : [first, ...others];
  },
  client_algorithms: common,
  issuer_as_audience: either,
  client_audience: (one, other) => (one === "issuer_as_string" ? one : (other ?? one)),
  longest_code_ttl: (one, other) => (one === null || other === null ? (one ?? other) : Math.min(one, other)),
  no_rotation: either,
  https_redirects: either,
  redirect_uri_once: either,
  resource_metadata: either,
  open_clients: either,
};

export type AppDemand = Exclude<keyof Demands, "features" | "resource_metadata" | "open_clients">;

/** Returns the names of the requirements on apps that go beyond what applies without a profile. */
export function demandsMade(demands: Demands): readonly AppDemand[] {
  const { features: _, resource_metadata: __, open_clients: ___, ...usual } = nothing;
  return (Object.keys(usual) as AppDemand[]).filter((name) => demands[name] !== usual[name]);
}

export interface Switches {
  readonly profiles?: readonly Profile[];
  readonly extra_client_auth?: readonly string[];
  readonly extra_features?: readonly Feature[];
  readonly extra_sign_in?: readonly ExtraSignIn[];
  readonly extra_grants?: readonly string[];
  /** Seconds of the reuse window after a rotation, for apps without a value of their own. */
  readonly refresh_reuse_window?: number;
  readonly password_length?: number;
  /** Hours before a recovery of lost second factors takes effect; 0 or unset switches it off. */
  readonly recovery_delay_hours?: number;
  /** When passwords hashed by another program stop working; never by default. */
  readonly foreign_passwords_until?: Date | undefined;
}

const none: readonly Profile[] = [];

/** Returns the requirements of the server's profiles on every app. */
export function demandsOnAll({ profiles = none }: Switches): Demands {
  return demandsOf(profiles);
}

/** Returns the requirements of the server's and the app's profiles. */
export function demandsOn({ profile }: { readonly profile: AppProfile | null }, switches: Switches): Demands {
  const all = demandsOnAll(switches);
  return profile === null ? all : bothDemands(all, profileDemands[profile]);
}

/** Returns whether settings, or a profile of the server, switch on this part of the protocol. */
export function isFeatureOn(feature: Feature, switches: Switches): boolean {
  return (
    (switches.extra_features?.includes(feature) ?? false) || demandsOnAll(switches).features.includes(feature)
  );
}

/**
 * Returns whether this client authentication method needs no switch, or settings or a profile of the server
 * switch it on.
 */
export function isMethodOn(method: string, switches: Switches): boolean {
  const { authentication_methods } = demandsOnAll(switches);
  if (!extraClientAuthentication.some((extra) => extra === method)) return true;
  return [...(switches.extra_client_auth ?? []), ...(authentication_methods ?? [])].includes(method);
}

const demandsOf = perObject(
  (profiles: readonly Profile[]): Demands =>
    profiles.map((profile) => profileDemands[profile]).reduce(bothDemands, nothing),
);

function bothDemands(one: Demands, other: Demands): Demands {
  const entries = Object.keys(together).map((name) => {
    const key = name as keyof Demands;
    return [key, (together[key] as (one: unknown, other: unknown) => unknown)(one[key], other[key])];
  });
  return Object.fromEntries(entries) as Demands;
}
