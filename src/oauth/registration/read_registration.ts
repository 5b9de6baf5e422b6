/** Parses the metadata that a client sends to register itself (RFC 7591 2). */

import type { NewRow, OAuthApp } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { isUnverifiableRedirect } from "../../records/formats/redirect_uris.ts";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import {
  type ClientAuthenticationName,
  clientProofs,
  isReservedScope,
  isScopeToken,
} from "../../records/names/names.ts";
import {
  type ClientMembers,
  httpsUrl,
  isStorable,
  readableName,
  repeatedMember,
  usableRedirectUris,
} from "../client_metadata/members.ts";
import {
  type MemberError,
  type MetadataReader,
  memberErrors,
  metadataReader,
} from "../client_metadata/metadata_reader.ts";
import { refuse } from "../refusals/refuse.ts";
import { mostOf } from "./registration_limits.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the fields of a registration's JSON object (RFC 7591 3.1). Throws `invalid_client_metadata`, also
 * for a repeated field, because parsers differ in which of its values they use.
 */
export function readMembers(bytes: Uint8Array): ClientMembers {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw refuse("registration_not_json");
  }
  if (!isObject(value) || !isStorable(value)) throw refuse("registration_not_json");
  const name = repeatedMember(text);
  if (name !== undefined) throw refuse("registration_member_repeated", { name });
  return value;
}

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

interface Offered {
  readonly methods: readonly string[];
  readonly scopes: readonly string[];
}

/** Each string is the rest of a sentence that begins with the field's name. */
const errors = {
  ...memberErrors,
  too_long: "is longer than this server accepts",
  too_many: "has more values than this server accepts",
  not_scope: "must be a list of scopes separated by single spaces",
  private_key: "must contain public keys only: the private key that was sent must be replaced",
  no_keys: "must contain a public key that can verify signatures",
} as const;

function wrong(member: string, code: keyof typeof errors): never {
  throw refuse("registration_member", { member, why: errors[code] });
}

function refuseMember(error: MemberError): never {
  if ("supported" in error) throw refuse("registration_unsupported", error);
  return wrong(error.member, error.code);
}

/**
 * Reads the client's registration. Unsupported redirect URIs, scopes and keys are left out, and unknown
 * fields are ignored (RFC 7591 2, 3.2.1). Throws `invalid_redirect_uri` and `invalid_client_metadata`.
 */
export function readRegistration(members: ClientMembers, { methods, scopes }: Offered): RegisteredMembers {
  const read = metadataReader(members, refuseMember);
  const redirect_uris = redirectUrisOf(members);
  const token_endpoint_auth_method = methodOf(read, methods);
  return {
    name: nameOf(read, redirect_uris),
    app_type: typeOf(read, redirect_uris),
    redirect_uris,
    allowed_grants: read.grants(),
    allowed_response_types: ["code"],
    allowed_scopes: scopesOf(read, scopes),
    public: clientProofs[token_endpoint_auth_method] === "none",
    token_endpoint_auth_method,
    ...read.keys(token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: read.algorithm(token_endpoint_auth_method),
    dpop_bound_access_tokens: read.flag("dpop_bound_access_tokens"),
    registration: describingMembers(read),
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

function nameOf(read: MetadataReader, [first = ""]: readonly string[]): string {
  const { host = "", protocol = "" } = URL.parse(first) ?? {};
  return (
    read.name() ?? (isUnverifiableRedirect(first) && host === "" ? protocol : host || protocol).slice(0, 255)
  );
}

/** Redirect URIs are checked separately, whatever the type is (OpenID Connect Registration 2, PR-10). */
function typeOf(read: MetadataReader, redirect_uris: readonly string[]): OAuthApp["app_type"] {
  const said = read.text("application_type");
  if (said === "web" || said === "native") return said;
  return redirect_uris.some(isUnverifiableRedirect) ? "native" : "web";
}

/** A client that names no method uses `client_secret_basic` (RFC 7591 2). */
function methodOf(read: MetadataReader, methods: readonly string[]): ClientAuthenticationName {
  const said = read.text("token_endpoint_auth_method") ?? "client_secret_basic";
  const name = said === "client_secret_jwt" ? "client_secret_basic" : said;
  if (methods.includes(name)) return name as ClientAuthenticationName;
  throw refuse("registration_unsupported", {
    member: "token_endpoint_auth_method",
    received: [said],
    supported: methods,
  });
}

/** A client that requests no scopes gets all scopes that any client may have (RFC 7591 2). */
function scopesOf(read: MetadataReader, offered: readonly string[]): readonly string[] {
  const said = read.text("scope");
  if (said !== undefined && said.length > mostOf.scope) return wrong("scope", "too_long");
  const named = (said ?? "").split(" ").filter((name) => name !== "");
  if (named.length > mostOf.scopes) return wrong("scope", "too_many");
  if (!named.every(isScopeToken)) return wrong("scope", "not_scope");
  const open = offered.filter((scope) => !isReservedScope(scope));
  return named.length === 0 ? open : [...new Set(named)].filter((scope) => open.includes(scope));
}

const addresses = ["client_uri", "logo_uri", "tos_uri", "policy_uri"] as const;
const software = ["software_id", "software_version"] as const;

/** These fields have no effect and are only stored and shown, so an invalid URL is dropped. */
function describingMembers(read: MetadataReader): JsonObject {
  const kept: Record<string, string | readonly string[]> = {};
  for (const name of addresses) {
    const address = httpsUrl(read.text(name));
    if (address !== undefined) kept[name] = address;
  }
  for (const name of software) {
    const text = readableName(read.text(name));
    if (text !== undefined && text.length <= mostOf.software) kept[name] = text;
  }
  const contacts = read.list("contacts");
  if (contacts !== undefined) {
    if (contacts.length > mostOf.contacts) return wrong("contacts", "too_many");
    const readable = contacts.filter((text) => text.length <= mostOf.contact && readableName(text) === text);
    if (readable.length > 0) kept.contacts = readable;
  }
  return kept;
}
