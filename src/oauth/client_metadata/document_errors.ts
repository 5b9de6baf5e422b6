import { type IdentifierError, longestIdentifier } from "./client_identifier.ts";
import { memberErrors } from "./metadata_reader.ts";

/** Bytes (draft-ietf-oauth-client-id-metadata-document 8.7). */
export const mostDocumentBytes = 5120;

export interface DocumentError {
  readonly code: keyof typeof documentErrors;
  readonly member?: string;
}

/**
 * Each string is the rest of a sentence that begins with the field's name or "the client metadata document".
 */
const documentErrors = {
  status: "must be served with status 200 and without a redirect",
  content_type: "must have the content type application/json or a type that ends in +json",
  too_large: `must be at most ${mostDocumentBytes} bytes`,
  encoded: "must not be compressed",
  not_json: "must be JSON in UTF-8",
  not_object: "must be a JSON object",
  not_storable: "must have at most eight levels of nesting, and no NUL or invalid Unicode",
  repeated_member: "must not be repeated",
  ...memberErrors,
  client_id_differs: "must be identical to the URL of the document",
  secret: "must be absent: a client with a metadata document cannot have a secret",
  no_name: "is required, and must be non-empty text",
  no_redirect_uri:
    "must contain a URI that this server can redirect to: https, http on loopback, or a private-use scheme",
  no_code:
    "must include the authorization code flow: authorization_code in grant_types, code in response_types",
  method: "must be none or private_key_jwt",
  method_not_offered: "must be a method that this server supports",
  algorithm: "must be an assertion signing algorithm that this server supports",
  no_keys: "must contain a public key for private_key_jwt, unless jwks_uri is set",
  private_key: "must contain public keys only: this private key has been published and must be replaced",
} as const;

export function documentErrorText({ code, member }: DocumentError): string {
  const subject =
    member === undefined ? "the client metadata document" : `${member} in the client metadata document`;
  return `${subject} ${documentErrors[code]}`;
}

/** Each string is the rest of a sentence that begins with `client_id`. */
export const identifierErrors: Readonly<Record<IdentifierError, string>> = {
  too_long: `must be at most ${longestIdentifier} characters`,
  not_https_url: "must be an https URL with a host",
  fragment: "must not contain a fragment",
  user_information: "must not contain a username or password",
  not_normal: "must be normalized: no dot segments, no spaces, and the host in lowercase",
  no_path: "must have a path other than /",
};
