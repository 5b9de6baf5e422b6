/**
 * The requirements of each profile, as data: the protocol reads them through `rulesFor`, management when an
 * app is saved, and metadata and `postern doctor` report them.
 */
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

/** Requirements of profiles beyond the unconditional ones. */
export interface Demands {
  /** Parts of the protocol that are switched on by it. */
  readonly features: readonly Feature[];
  /** The allowed client authentication methods; all offered ones when null. */
  readonly authentication_methods: readonly ClientAuthenticationName[] | null;
  /** Every authorization request is pushed (RFC 9126). */
  readonly pushed_requests: boolean;
  /** Every client uses PKCE, and not the public ones alone (RFC 7636). */
  readonly pkce: boolean;
  /** Every token is bound to a key of its client (RFC 9449). */
  readonly bound_tokens: boolean;
  /** The algorithms of this server's tokens, the default of apps first; all when null. */
  readonly token_algorithms: readonly [SigningAlgorithm, ...SigningAlgorithm[]] | null;
  /** The algorithms of assertions and proofs; all when null. */
  readonly client_algorithms: readonly ClientKeyAlgorithm[] | null;
  /** Assertions that are grants are meant for the issuer, too, and for no endpoint. */
  readonly issuer_as_audience: boolean;
  /**
   * Client assertions are meant for the issuer alone, whatever the app says (RFC 10070): in any form, or as a string.
   * As the app says when null.
   */
  readonly client_audience: "issuer" | "issuer_as_string" | null;
  /** Seconds that a code lives at most; as long as the setting says when null. */
  readonly longest_code_ttl: number | null;
  /** Refresh tokens do not rotate: a lost answer costs no user a sign-in. */
  readonly no_rotation: boolean;
  /** Redirect URIs are https, and none is of the device itself. */
  readonly https_redirects: boolean;
  /** The token request may leave the redirect URI out: the code is bound by PKCE (OAuth 2.1 10.2). */
  readonly redirect_uri_once: boolean;
  /**
   * The server describes itself as a resource (RFC 9728), and its refusals link to the description. Clients
   * need no prior configuration and may run on pages of any origin.
   */
  readonly resource_metadata: boolean;
  /** Self-registered clients are allowed. */
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
  /** FAPI 2.0 Security Profile 5.3.2, 5.4. */
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
  /** draft-ietf-oauth-v2-1. */
  oauth21: { ...nothing, pkce: true, client_audience: "issuer", redirect_uri_once: true },
};

/** Those of a list that are demanded; null demands nothing. */
export function among<T extends string>(all: readonly T[], demanded: readonly string[] | null): readonly T[] {
  return demanded === null ? all : all.filter((each) => demanded.includes(each));
}

/** Those in both lists; null is every one. */
function common<T>(one: readonly T[] | null, other: readonly T[] | null): readonly T[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((each) => other.includes(each));
}

const either = (one: boolean, other: boolean) => one || other;

/** How the demands of two profiles become those of both. */
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

/** Requirements on an app, which a page explains one by one. */
export type AppDemand = Exclude<keyof Demands, "features" | "resource_metadata" | "open_clients">;

/** Requirements on an app beyond the unconditional ones. */
export function demandsMade(demands: Demands): readonly AppDemand[] {
  const { features: _, resource_metadata: __, open_clients: ___, ...usual } = nothing;
  return (Object.keys(usual) as AppDemand[]).filter((name) => demands[name] !== usual[name]);
}

/** The settings that profiles refer to. */
export interface Switches {
  readonly profiles?: readonly Profile[];
  readonly extra_client_auth?: readonly string[];
  readonly extra_features?: readonly Feature[];
  readonly extra_sign_in?: readonly ExtraSignIn[];
  readonly extra_grants?: readonly string[];
  /** Seconds of idempotent rotation for apps that say nothing of it. */
  readonly refresh_reuse_window?: number;
  /** Characters of a new password, at least; 8 by default. */
  readonly password_length?: number;
  /** Hours that the recovery of lost second factors waits; 0 or nothing is never. */
  readonly recovery_delay_hours?: number;
  /** When passwords that another program hashed stop working; never by default. */
  readonly foreign_passwords_until?: Date | undefined;
}

const none: readonly Profile[] = [];

/** The requirements of the server's profiles on every app. */
export function demandsOnAll({ profiles = none }: Switches): Demands {
  return demandsOf(profiles);
}

/** The requirements of the server's and the app's profiles. */
export function demandsOn({ profile }: { readonly profile: AppProfile | null }, switches: Switches): Demands {
  const all = demandsOnAll(switches);
  return profile === null ? all : bothDemands(all, profileDemands[profile]);
}

/** Whether settings, or a profile of the server, switch on this part of the protocol. */
export function isFeatureOn(feature: Feature, switches: Switches): boolean {
  return (
    (switches.extra_features?.includes(feature) ?? false) || demandsOnAll(switches).features.includes(feature)
  );
}

/** Whether settings, or a profile of the server, switch on this method of client authentication. */
export function isMethodOn(method: string, switches: Switches): boolean {
  const { authentication_methods } = demandsOnAll(switches);
  if (!extraClientAuthentication.some((extra) => extra === method)) return true;
  return [...(switches.extra_client_auth ?? []), ...(authentication_methods ?? [])].includes(method);
}

/** The combined requirements of these profiles. */
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
