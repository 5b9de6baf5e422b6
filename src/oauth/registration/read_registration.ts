/** The metadata of a client that registers itself (RFC 7591 2), read into what it is registered with. */
import type { NewRow, OAuthApp } from "../../records/definition.ts";
import type { JsonObject } from "../../records/field.ts";
import { isStrings } from "../../records/json_shapes.ts";
import {
  type ClientAuthenticationName,
  clientKeyAlgorithms,
  clientProofs,
  isReservedScope,
  isScopeToken,
} from "../../records/names.ts";
import { isUnverifiableRedirect } from "../../records/redirect_uris.ts";
import {
  type ClientMembers,
  clientAlgorithm,
  httpsUrl,
  type KeySetFault,
  readableName,
  usableKeys,
  usableRedirectUris,
} from "../client_metadata/members.ts";
import { refuse } from "../refusals/refuse.ts";
import { mostOf } from "./registration_limits.ts";

/** What a registration gives an app, of its columns. */
export type RegisteredMembers = Required<
  Pick<
    NewRow<"oauth_apps">,
    | "name"
    | "app_type"
    | "redirect_uris"
    | "allowed_grants"
    | "allowed_response_types"
    | "allowed_scopes"
    | "public"
    | "token_endpoint_auth_method"
    | "token_endpoint_auth_signing_alg"
    | "jwks"
    | "jwks_uri"
    | "dpop_bound_access_tokens"
    | "registration"
  >
>;

/** What this server has for clients that register themselves. */
export interface Offered {
  /** Names of the methods by which clients may authenticate. */
  readonly methods: readonly string[];
  /** The scopes of what any client may ask for. */
  readonly scopes: readonly string[];
}

/** What can be wrong with one member, as the rest of a sentence that begins with its name. */
const faults = {
  not_string: "must be a string",
  not_boolean: "must be true or false",
  not_strings: "must be a list of strings",
  too_long: "is longer than this server takes",
  too_many: "names more than this server takes",
  not_scope: "must hold scopes with single spaces between them",
  not_key_set: "must be a JSON Web Key Set with one kid for each key",
  private_key: "must hold public keys alone: a private key that was sent has to be replaced",
  no_keys: "must hold a public key with which a signature can be verified",
  two_key_sets: "must not stand beside jwks",
  not_https_url: "must be an https URL",
} as const satisfies Record<KeySetFault | string, string>;

function wrong(member: string, fault: keyof typeof faults): never {
  throw refuse("registration_member", { member, why: faults[fault] });
}

/**
 * What the client is registered with. Redirect URIs that cannot be used are left out of several, values that
 * are not supported are replaced where there is a like one, and members that mean nothing here are passed
 * over (RFC 7591 2, 3.2.1). Throws `invalid_redirect_uri` and `invalid_client_metadata`.
 */
export function readRegistration(given: ClientMembers, { methods, scopes }: Offered): RegisteredMembers {
  // Some libraries write null for what they leave out.
  const members = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const redirect_uris = redirectUrisOf(members);
  const token_endpoint_auth_method = methodOf(members, methods);
  return {
    name: nameOf(members, redirect_uris),
    app_type: typeOf(members, redirect_uris),
    redirect_uris,
    allowed_grants: grantsOf(members),
    allowed_response_types: ["code"],
    allowed_scopes: scopesOf(members, scopes),
    public: clientProofs[token_endpoint_auth_method] === "none",
    token_endpoint_auth_method,
    ...keysOf(members, token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: algorithmOf(members, token_endpoint_auth_method),
    dpop_bound_access_tokens: flagOf(members, "dpop_bound_access_tokens"),
    registration: describingMembers(members),
  };
}

function redirectUrisOf({ redirect_uris }: ClientMembers): readonly string[] {
  if (!isStrings(redirect_uris)) throw refuse("registration_redirect_uris", { received: [] });
  if (redirect_uris.length > mostOf.redirect_uris) {
    throw refuse("registration_redirect_uris_too_many", { most: mostOf.redirect_uris });
  }
  const usable = usableRedirectUris(redirect_uris);
  if (usable.length === 0) throw refuse("registration_redirect_uris", { received: redirect_uris });
  return usable;
}

/** The name that it gives itself, where people can read it; else where its people return to. */
function nameOf(members: ClientMembers, [first = ""]: readonly string[]): string {
  const said = textOf(members, "client_name");
  const { host = "", protocol = "" } = URL.parse(first) ?? {};
  return (
    readableName(said) ??
    (isUnverifiableRedirect(first) && host === "" ? protocol : host || protocol).slice(0, 255)
  );
}

/** OpenID Connect Registration 2. Redirect URIs are judged by themselves, whatever stands here (PR-10). */
function typeOf(members: ClientMembers, redirect_uris: readonly string[]): OAuthApp["app_type"] {
  const said = textOf(members, "application_type");
  if (said === "web" || said === "native") return said;
  return redirect_uris.some(isUnverifiableRedirect) ? "native" : "web";
}

/** A client that names no grant types uses authorization codes alone; others are not for it (PR-25). */
function grantsOf(members: ClientMembers): string[] {
  const grants = listOf(members, "grant_types") ?? ["authorization_code"];
  const types = listOf(members, "response_types") ?? ["code"];
  if (!grants.includes("authorization_code")) {
    throw refuse("registration_unsupported", {
      member: "grant_types",
      received: grants,
      supported: ["authorization_code", "refresh_token"],
    });
  }
  if (!types.includes("code")) {
    throw refuse("registration_unsupported", {
      member: "response_types",
      received: types,
      supported: ["code"],
    });
  }
  return grants.includes("refresh_token") ? ["auth_code", "refresh"] : ["auth_code"];
}

/** A secret is what RFC 7591 2 has for a client that names no method, and for one that would sign with it. */
function methodOf(members: ClientMembers, methods: readonly string[]): ClientAuthenticationName {
  const said = textOf(members, "token_endpoint_auth_method") ?? "client_secret_basic";
  const name = said === "client_secret_jwt" ? "client_secret_basic" : said;
  if (methods.includes(name)) return name as ClientAuthenticationName;
  throw refuse("registration_unsupported", {
    member: "token_endpoint_auth_method",
    received: [said],
    supported: methods,
  });
}

/** What its assertions are signed by (OpenID Connect Registration 2); nothing where it signs none. */
function algorithmOf(
  members: ClientMembers,
  method: ClientAuthenticationName,
): OAuthApp["token_endpoint_auth_signing_alg"] {
  const said = textOf(members, "token_endpoint_auth_signing_alg");
  if (said === undefined || clientProofs[method] !== "key") return null;
  const known = clientAlgorithm(said);
  if (known !== undefined) return known;
  throw refuse("registration_unsupported", {
    member: "token_endpoint_auth_signing_alg",
    received: [said],
    supported: clientKeyAlgorithms,
  });
}

/** Those that any client may ask for; all of them where it names none (RFC 7591 2). */
function scopesOf(members: ClientMembers, offered: readonly string[]): readonly string[] {
  const said = textOf(members, "scope");
  if (said !== undefined && said.length > mostOf.scope) return wrong("scope", "too_long");
  const named = (said ?? "").split(" ").filter((name) => name !== "");
  if (named.length > mostOf.scopes) return wrong("scope", "too_many");
  if (!named.every(isScopeToken)) return wrong("scope", "not_scope");
  const open = offered.filter((scope) => !isReservedScope(scope));
  return named.length === 0 ? open : [...new Set(named)].filter((scope) => open.includes(scope));
}

function keysOf(
  members: ClientMembers,
  method: ClientAuthenticationName,
): { jwks: JsonObject | null; jwks_uri: string | null } {
  const { jwks, jwks_uri } = members;
  const keys = jwks === undefined ? undefined : usableKeys(jwks);
  if (keys === "private_key" || keys === "not_key_set") return wrong("jwks", keys);
  if (clientProofs[method] !== "key") return { jwks: null, jwks_uri: null };
  if (jwks !== undefined && jwks_uri !== undefined) return wrong("jwks_uri", "two_key_sets");
  if (jwks_uri !== undefined) {
    return { jwks: null, jwks_uri: httpsUrl(jwks_uri) ?? wrong("jwks_uri", "not_https_url") };
  }
  return keys === undefined || keys === "no_keys" ? wrong("jwks", "no_keys") : { jwks: keys, jwks_uri: null };
}

const addresses = ["client_uri", "logo_uri", "tos_uri", "policy_uri"] as const;
const software = ["software_id", "software_version"] as const;

/**
 * What describes the client and decides nothing: kept as text and shown as such. An address that is none is
 * left out.
 */
function describingMembers(members: ClientMembers): JsonObject {
  const kept: Record<string, string | readonly string[]> = {};
  for (const name of addresses) {
    const address = httpsUrl(textOf(members, name));
    if (address !== undefined) kept[name] = address;
  }
  for (const name of software) {
    const text = readableName(textOf(members, name));
    if (text !== undefined && text.length <= mostOf.software) kept[name] = text;
  }
  const contacts = listOf(members, "contacts");
  if (contacts !== undefined) {
    if (contacts.length > mostOf.contacts) return wrong("contacts", "too_many");
    const readable = contacts.filter((text) => text.length <= mostOf.contact && readableName(text) === text);
    if (readable.length > 0) kept.contacts = readable;
  }
  return kept;
}

function textOf(members: ClientMembers, name: string): string | undefined {
  const value = members[name];
  return value === undefined || typeof value === "string" ? value : wrong(name, "not_string");
}

function listOf(members: ClientMembers, name: string): readonly string[] | undefined {
  const value = members[name];
  return value === undefined || isStrings(value) ? value : wrong(name, "not_strings");
}

function flagOf(members: ClientMembers, name: string): boolean {
  const value = members[name] ?? false;
  return typeof value === "boolean" ? value : wrong(name, "not_boolean");
}
