/**
 * Parses client ID metadata documents, in which a client describes itself at a URL of its own
 * (draft-ietf-oauth-client-id-metadata-document 4, 5).
 */
import { sha256 } from "../../crypto/digest.ts";
import type { OutboundAnswer } from "../../outbound/outbound.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import { hostOfIdentifier } from "./client_identifier.ts";
import { type DocumentError, mostDocumentBytes } from "./document_errors.ts";
import { type ClientMembers, isStorable, repeatedMember, usableRedirectUris } from "./members.ts";
import { type MetadataReader, metadataReader } from "./metadata_reader.ts";

export interface ClientDocument
  extends Pick<
    OAuthApp,
    "name" | "redirect_uris" | "allowed_grants" | "jwks" | "jwks_uri" | "token_endpoint_auth_signing_alg"
  > {
  readonly token_endpoint_auth_method: DocumentMethod;
  readonly dpop_bound_access_tokens: boolean;
}

/**
 * The client authentication methods that a document may name. Client and server have no way to agree on a
 * shared secret, so no method with one is listed (section 4).
 */
export const documentMethods = ["none", "private_key_jwt"] as const;
type DocumentMethod = (typeof documentMethods)[number];

class Unfit {
  readonly error: DocumentError;

  constructor(error: DocumentError) {
    this.error = error;
  }
}

function unfit(code: DocumentError["code"], member?: string): never {
  throw new Unfit(member === undefined ? { code } : { code, member });
}

/**
 * Parses the document that was fetched from the URL `client_id`, or returns why it is not valid. `offered`
 * lists this server's client authentication methods.
 */
export function readClientDocument(
  answer: Pick<OutboundAnswer, "status" | "headers" | "body">,
  client_id: string,
  offered: readonly string[],
): ClientDocument | { readonly error: DocumentError } {
  try {
    return documentOf(membersOf(answer), client_id, offered);
  } catch (error) {
    if (error instanceof Unfit) return { error: error.error };
    throw error;
  }
}

/** The media type `application/json`, or one that ends in `+json` (RFC 6839 3.1). */
const jsonType = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json\s*(?:;|$)/i;

function membersOf({
  status,
  headers,
  body,
}: Pick<OutboundAnswer, "status" | "headers" | "body">): ClientMembers {
  // Redirects are refused too, because another URL is another client (section 5).
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
  if (!isStorable(value)) unfit("not_storable");
  const repeated = repeatedMember(text);
  if (repeated !== undefined) unfit("repeated_member", repeated);
  return value;
}

function documentOf(members: ClientMembers, client_id: string, offered: readonly string[]): ClientDocument {
  if (members.client_id !== client_id) unfit("client_id_differs", "client_id");
  const secret = Object.keys(members).find((name) => name.startsWith("client_secret"));
  if (secret !== undefined) unfit("secret", secret);
  const read = metadataReader(members, ({ code, member }) => unfit(code, member));
  // The Model Context Protocol requires a client name.
  if (typeof members.client_name !== "string" || members.client_name.trim() === "")
    unfit("no_name", "client_name");
  const token_endpoint_auth_method = methodOf(read, members, offered);
  return {
    name: read.name() ?? hostOfIdentifier(client_id).slice(0, 255),
    redirect_uris: redirectUrisOf(read),
    allowed_grants: read.grants(),
    token_endpoint_auth_method,
    ...read.keys(token_endpoint_auth_method),
    token_endpoint_auth_signing_alg: read.algorithm(token_endpoint_auth_method),
    dpop_bound_access_tokens: read.flag("dpop_bound_access_tokens"),
  };
}

function redirectUrisOf(read: MetadataReader): readonly string[] {
  const usable = usableRedirectUris(read.list("redirect_uris") ?? unfit("not_strings", "redirect_uris"));
  return usable.length === 0 ? unfit("no_redirect_uri", "redirect_uris") : usable;
}

/** Some clients list alternatives in `token_endpoint_auth_methods_supported`. */
function methodOf(
  read: MetadataReader,
  { token_endpoint_auth_methods_supported: others }: ClientMembers,
  offered: readonly string[],
): DocumentMethod {
  const named = read.text("token_endpoint_auth_method") ?? "none";
  const chosen = documentMethods.find((name) => name === named);
  if (chosen === undefined) return unfit("method", "token_endpoint_auth_method");
  const choices = [chosen, ...documentMethods.filter((name) => isStrings(others) && others.includes(name))];
  return (
    choices.find((name) => offered.includes(name)) ??
    unfit("method_not_offered", "token_endpoint_auth_method")
  );
}

/** If one of these fields changes, earlier consents of users to the client no longer apply (PR-20). */
export const securityMembers = [
  "name",
  "redirect_uris",
  "token_endpoint_auth_method",
  "jwks",
  "jwks_uri",
] as const satisfies readonly (keyof ClientDocument & keyof OAuthApp)[];

/** Returns the SHA-256 hash of the fields in `securityMembers`, in base64url. */
export function securityHash(document: Pick<ClientDocument, (typeof securityMembers)[number]>): string {
  const { redirect_uris, jwks } = document;
  const said = { ...document, redirect_uris: redirect_uris.toSorted(), jwks: jwks && canonical(jwks) };
  return sha256(JSON.stringify(securityMembers.map((name) => said[name]))).toString("base64url");
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name) => [name, canonical(value[name])]);
}
