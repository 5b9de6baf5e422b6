/** What can be wrong with the document of a client, each with a sentence for its developer. */

import { type IdentifierError, longestIdentifier } from "./client_identifier.ts";
import { memberErrors } from "./metadata_reader.ts";

/** Bytes of a document (section 8.7). */
export const mostDocumentBytes = 5120;

/** The rule that was broken, and the member of the document that broke it. */
export interface DocumentError {
  readonly code: keyof typeof documentErrors;
  readonly member?: string;
}

/** Each goes on from the name of the member, or from "the document of this client". */
const documentErrors = {
  // Of the answer.
  status: "must be answered with the status 200, without a redirect",
  content_type: "must have the type application/json, or another that ends in +json",
  too_large: `must have at most ${mostDocumentBytes} bytes`,
  encoded: "must not be compressed",
  not_json: "must be JSON in UTF-8",
  not_object: "must be a JSON object",
  not_storable: "must hold text of whole characters without NUL, and no more than eight levels",
  repeated_member: "must stand once",
  // Of its members.
  ...memberErrors,
  client_id_differs: "must be the address of the document, character by character",
  secret: "must not be there: nobody shares a secret with this server",
  no_redirect_uri:
    "must hold an address that this server can redirect to: https, http on loopback, or a private scheme",
  no_code: "must hold the authorization code flow",
  method: "must be none or private_key_jwt",
  method_not_offered: "must be one that this server offers",
  algorithm: "must be an algorithm by which this server verifies assertions",
  no_keys: "must hold a public key, or jwks_uri name where they are, for private_key_jwt",
  private_key: "must hold public keys alone: this private key was published and has to be replaced",
} as const;

/** The fault in a sentence. */
export function documentErrorText({ code, member }: DocumentError): string {
  const subject =
    member === undefined ? "the document of this client" : `${member} in the document of this client`;
  return `${subject} ${documentErrors[code]}`;
}

/** What an identifier must be that names a document; each goes on from `client_id`. */
export const identifierErrors: Readonly<Record<IdentifierError, string>> = {
  too_long: `must have at most ${longestIdentifier} characters`,
  not_https_url: "must be an https URL with a host",
  fragment: "must not hold a fragment",
  user_information: "must not hold user information",
  not_normal:
    "must be written as a browser would write it: no dot segments, no spaces, the host in lower case",
  no_path: "must have a path",
};
