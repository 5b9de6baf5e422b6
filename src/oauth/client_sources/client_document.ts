/**
 * Documents in which clients say what they are (draft-ietf-oauth-client-id-metadata-document 4, 5): read from
 * the answer of a foreign host, without a word to it or to storage.
 */
import { sha256 } from "../../crypto/digest.ts";
import type { OutboundAnswer } from "../../outbound/outbound.ts";
import type { OAuthApp } from "../../records/definition.ts";
import { isObject, isStrings } from "../../records/json_shapes.ts";
import { clientProofs } from "../../records/names.ts";
import {
  clientAlgorithm,
  httpsUrl,
  readableName,
  usableKeys,
  usableRedirectUris,
} from "../client_metadata/members.ts";
import { repeatedMember } from "../client_metadata/repeated_member.ts";
import { hostOfIdentifier } from "./client_identifier.ts";
import { type DocumentFault, mostDocumentBytes } from "./document_faults.ts";

/** What a document says of its client, of all that this server reads. */
export interface ClientDocument
  extends Pick<
    OAuthApp,
    "name" | "redirect_uris" | "allowed_grants" | "jwks" | "jwks_uri" | "token_endpoint_auth_signing_alg"
  > {
  readonly token_endpoint_auth_method: DocumentMethod;
  readonly dpop_bound_access_tokens: boolean;
}

/** How such a client may authenticate itself: there is nobody to share a secret with (section 4). */
export const documentMethods = ["none", "private_key_jwt"] as const;
export type DocumentMethod = (typeof documentMethods)[number];

type Members = Readonly<Record<string, unknown>>;

/** A fault of a document is thrown within this file, and answered by it. */
class Unfit {
  readonly fault: DocumentFault;

  constructor(fault: DocumentFault) {
    this.fault = fault;
  }
}

function unfit(code: DocumentFault["code"], member?: string): never {
  throw new Unfit(member === undefined ? { code } : { code, member });
}

/**
 * The document that was answered for the address `client_id`. `offered` are the methods by which clients may
 * authenticate themselves at this server: of several that the client names, the first of these is its own.
 */
export function readClientDocument(
  answer: Pick<OutboundAnswer, "status" | "headers" | "body">,
  client_id: string,
  offered: readonly string[],
): ClientDocument | { readonly fault: DocumentFault } {
  try {
    return documentOf(membersOf(answer), client_id, offered);
  } catch (error) {
    if (error instanceof Unfit) return { fault: error.fault };
    throw error;
  }
}

/** `application/json`, or another type of JSON, with or without parameters (RFC 6839 3.1). */
const jsonType = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json\s*(?:;|$)/i;

function membersOf({ status, headers, body }: Pick<OutboundAnswer, "status" | "headers" | "body">): Members {
  // Redirects among them: another address is another client (section 5).
  if (status !== 200) unfit("status");
  const type = headers["content-type"];
  if (typeof type !== "string" || !jsonType.test(type)) unfit("content_type");
  if (body.length > mostDocumentBytes) unfit("too_large");
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    value = JSON.parse(text);
  } catch {
    return unfit("not_json");
  }
  if (!isObject(value)) unfit("not_object");
  const repeated = repeatedMember(text);
  if (repeated !== undefined) unfit("repeated_member", repeated);
  return value;
}

function documentOf(members: Members, client_id: string, offered: readonly string[]): ClientDocument {
  if (members.client_id !== client_id) unfit("client_id_differs", "client_id");
  const secret = Object.keys(members).find((name) => name.startsWith("client_secret"));
  if (secret !== undefined) unfit("secret", secret);
  const token_endpoint_auth_method = methodOf(members, offered);
  return {
    name: nameOf(members, client_id),
    redirect_uris: redirectUrisOf(members),
    allowed_grants: grantsOf(members),
    token_endpoint_auth_method,
    ...keysOf(members, token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: algorithmOf(members, token_endpoint_auth_method),
    dpop_bound_access_tokens: members.dpop_bound_access_tokens === true,
  };
}

/** The name that the client gives itself, where people can read it; else its host. */
function nameOf({ client_name }: Members, client_id: string): string {
  return readableName(client_name) ?? hostOfIdentifier(client_id).slice(0, 255);
}

/** Those that can be used; one that cannot does not spoil the others (PR-10). */
function redirectUrisOf({ redirect_uris }: Members): readonly string[] {
  if (!isStrings(redirect_uris)) return unfit("not_strings", "redirect_uris");
  const usable = usableRedirectUris(redirect_uris);
  return usable.length === 0 ? unfit("no_redirect_uri", "redirect_uris") : usable;
}

/** RFC 7591 2: a client that names no grant types uses authorization codes alone. */
function grantsOf({ grant_types = ["authorization_code"], response_types = ["code"] }: Members): string[] {
  if (!isStrings(grant_types)) return unfit("not_strings", "grant_types");
  if (!isStrings(response_types)) return unfit("not_strings", "response_types");
  if (!grant_types.includes("authorization_code")) return unfit("no_code", "grant_types");
  if (!response_types.includes("code")) return unfit("no_code", "response_types");
  return grant_types.includes("refresh_token") ? ["auth_code", "refresh"] : ["auth_code"];
}

/**
 * The method that the client names, or one of `token_endpoint_auth_methods_supported`, as clients name those
 * that would do as well. One that names none has nothing to prove itself with.
 */
function methodOf(members: Members, offered: readonly string[]): DocumentMethod {
  const { token_endpoint_auth_method: named = "none", token_endpoint_auth_methods_supported: others = [] } =
    members;
  if (!isStrings([named])) return unfit("not_string", "token_endpoint_auth_method");
  const chosen = documentMethods.find((name) => name === named);
  if (chosen === undefined) return unfit("method", "token_endpoint_auth_method");
  const choices = [chosen, ...documentMethods.filter((name) => isStrings(others) && others.includes(name))];
  return (
    choices.find((name) => offered.includes(name)) ??
    unfit("method_not_offered", "token_endpoint_auth_method")
  );
}

/** What its assertions are signed by (OpenID Connect Registration 2); nothing where it signs none. */
function algorithmOf(
  { token_endpoint_auth_signing_alg: named }: Members,
  method: DocumentMethod,
): ClientDocument["token_endpoint_auth_signing_alg"] {
  if (named === undefined || clientProofs[method] !== "key") return null;
  return clientAlgorithm(named) ?? unfit("algorithm", "token_endpoint_auth_signing_alg");
}

/** A private key is refused wherever it stands: it was published. */
function keysOf(
  { jwks, jwks_uri }: Members,
  method: DocumentMethod,
): Pick<ClientDocument, "jwks" | "jwks_uri"> {
  const keys = jwks === undefined ? undefined : usableKeys(jwks);
  if (keys === "private_key" || keys === "not_key_set") return unfit(keys, "jwks");
  if (clientProofs[method] !== "key") return { jwks: null, jwks_uri: null };
  if (jwks !== undefined && jwks_uri !== undefined) return unfit("two_key_sets", "jwks_uri");
  if (jwks_uri !== undefined) {
    return { jwks: null, jwks_uri: httpsUrl(jwks_uri) ?? unfit("not_https_url", "jwks_uri") };
  }
  return keys === undefined || keys === "no_keys" ? unfit("no_keys", "jwks") : { jwks: keys, jwks_uri: null };
}

/** The members by which a person knows a client again: a consent counts for no others (PR-20). */
export const securityMembers = [
  "name",
  "redirect_uris",
  "token_endpoint_auth_method",
  "jwks",
  "jwks_uri",
] as const satisfies readonly (keyof ClientDocument & keyof OAuthApp)[];

/** The hash of the security members: SHA-256 in base64url. The order of redirect URIs means nothing. */
export function securityHash(document: Pick<ClientDocument, (typeof securityMembers)[number]>): string {
  const { redirect_uris, jwks } = document;
  const said = { ...document, redirect_uris: redirect_uris.toSorted(), jwks: jwks && canonical(jwks) };
  return sha256(JSON.stringify(securityMembers.map((name) => said[name]))).toString("base64url");
}

/** The same value with the members of its objects in one order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name) => [name, canonical(value[name])]);
}
