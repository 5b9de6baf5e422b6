/**
 * What the management API says of its error codes: answers, OpenAPI and the page are made of it (RFC 9457).
 * The status of each stands in `errors.ts`.
 */
import { STATUS_CODES } from "node:http";
import type { FieldError } from "../errors/field_errors.ts";
import type { ProblemCode } from "../errors.ts";
import { english } from "../web/words/english.ts";
import { fieldErrorText } from "../web/words/error_text.ts";

export interface ProblemKind {
  /** RFC 9457 3.1.3: the same for every occurrence. */
  readonly title: string;
  /** What brings it about, and what the caller can do. */
  readonly meaning: string;
}

export type ApiProblemCode = ProblemCode;

export const problemKinds: Readonly<Record<ApiProblemCode, ProblemKind>> = {
  invalid_json: {
    title: "The body is not the JSON that is taken",
    meaning:
      "The body is no JSON object in UTF-8, is nested too deeply, repeats a member, or holds text or numbers that cannot be kept exactly (RFC 7493).",
  },
  invalid_request: {
    title: "The request is malformed",
    meaning: "The address, a header or the query cannot be read.",
  },
  unauthorized: {
    title: "The caller is not known",
    meaning:
      "No credential came, or it is wrong, expired or revoked. Send an access token or an API key as Authorization: Bearer.",
  },
  insufficient_user_authentication: {
    title: "The sign-in is too old or too weak for this",
    meaning:
      "What is sensitive takes a fresh sign-in at the highest level of the account. Send the user to the authorization endpoint with the acr_values and max_age of WWW-Authenticate, and repeat the request with the new token (RFC 9470).",
  },
  forbidden: {
    title: "The caller may not do this",
    meaning:
      "The record may be read, but this may not be done with it; or the credential's scopes do not reach so far; or a browser sent the request from another site.",
  },
  not_found: {
    title: "There is no such record or address",
    meaning: "Nothing is at this address that the caller may read. Records of others are answered alike.",
  },
  method_not_allowed: {
    title: "The method is not allowed here",
    meaning: "The header Allow names those that are.",
  },
  conflict: {
    title: "Another record stands in the way",
    meaning: "A value that must be unique is taken, or a record that this one refers to is gone.",
  },
  invalid_manifest: {
    title: "The manifest cannot be applied",
    meaning:
      "Nothing was written. errors names every fault by its place in the manifest, such as apps[2].redirect_uris[0].",
  },
  last_owner: {
    title: "An organization keeps its last owner",
    meaning: "Make somebody else an owner first.",
  },
  last_administrator: {
    title: "The server keeps its last platform administrator",
    meaning: "Make somebody else a platform administrator first.",
  },
  mail_off: {
    title: "This server sends no mail",
    meaning:
      "People are asked by mail whether they want to be members. Set up mail, or hand over a link that the invitation page of the organization makes.",
  },
  successor_required: {
    title: "Somebody must take over",
    meaning: "The user made what belongs to an organization. Name who takes it over.",
  },
  links_exist: {
    title: "Accounts are linked to the provider",
    meaning:
      "What decides whom they stand for is fixed while they are there. Deleting the provider takes `links=delete`.",
  },
  revoked: {
    title: "What is revoked stays so",
    meaning: "The record has ended for good. Make a new one.",
  },
  idempotency_in_progress: {
    title: "The first request of this key is under way",
    meaning: "Wait for as long as Retry-After says, then send the same request again.",
  },
  stale: {
    title: "The record has changed",
    meaning: "If-Match names another state than the record is in. Read it again.",
  },
  too_large: { title: "The body is too large", meaning: "The limit is 65,536 bytes." },
  address_too_long: {
    title: "The address is too long",
    meaning: "A step of the path is longer than any id.",
  },
  unsupported_media_type: {
    title: "The content type is not supported",
    meaning: "Send application/json, or application/merge-patch+json with PATCH.",
  },
  invalid_record: {
    title: "The record is not valid",
    meaning: "Every faulty member stands in errors with its path; nothing was written.",
  },
  too_many_secrets: {
    title: "The app would have too many secrets",
    meaning:
      "An app has at most 10 secrets that work. Revoke one, or let the others end with expire_others_in.",
  },
  invalid_filter: {
    title: "A filter is not valid",
    meaning: "A parameter of the query is unknown, repeated, or of the wrong kind.",
  },
  invalid_page: {
    title: "This page cannot be given",
    meaning:
      "limit is a whole number from 1 to 200, and cursor the next_cursor or previous_cursor of another page.",
  },
  idempotency_mismatch: {
    title: "The idempotency key was used for another request",
    meaning: "Take a new key for a new request.",
  },
  throttled: {
    title: "Too many attempts",
    meaning:
      "The current password was wrong too often, or too many invitations were sent. Come back after as many seconds as Retry-After says.",
  },
  quota_exceeded: {
    title: "The credential has used up its requests",
    meaning:
      "RateLimit-Policy says how many requests a minute it may send, RateLimit how many are left. Come back after as many seconds as Retry-After says.",
  },
  server_error: {
    title: "The server met an unexpected condition",
    meaning: "It is logged under the request_id.",
  },
  unavailable: {
    title: "The database cannot be used now",
    meaning:
      "It is away, too slow, full or read only. What a change asked for may or may not have been written: read the record, or send the request again with the same Idempotency-Key, after as many seconds as Retry-After says.",
  },
  temporarily_unavailable: {
    title: "The server is busy",
    meaning: "Come back after as many seconds as Retry-After says.",
  },
};

export const problemCodes = Object.keys(problemKinds) as readonly ApiProblemCode[];

function kindOf(code: string): ProblemKind | undefined {
  return Object.hasOwn(problemKinds, code) ? problemKinds[code as ApiProblemCode] : undefined;
}

export interface ProblemFacts {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[] | undefined;
}

/** RFC 9457 3. `type` leads to what the page of the API says of the code. */
export function problemDocument({ status, code, detail, request_id, errors = [] }: ProblemFacts) {
  const kind = kindOf(code);
  return {
    type: kind === undefined ? "about:blank" : `/api/docs#${code}`,
    title: kind?.title ?? STATUS_CODES[status] ?? "Unknown",
    status,
    detail,
    code,
    request_id,
    ...(errors.length > 0 && { errors: errors.map(errorBody) }),
  };
}

/** With the sentence for people beside what is for programs. */
function errorBody({ path, ...why }: FieldError): {
  path: string;
  message: string;
  code: string;
  params?: object;
} {
  return { path, message: fieldErrorText(why, english), ...why };
}

/** Seconds after which it is worth coming back. */
export function retryAfter(code: string): number | undefined {
  return code === "idempotency_in_progress" ? 1 : undefined;
}

export const problemType = "application/problem+json";
