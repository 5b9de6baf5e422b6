/**
 * The error codes of the management API, from which responses, OpenAPI and the reference page derive (RFC
 * 9457).
 */
import { STATUS_CODES } from "node:http";
import type { FieldError } from "../errors/field_errors.ts";
import type { ProblemCode } from "../errors.ts";
import { english } from "../web/words/english.ts";
import { fieldErrorText } from "../web/words/error_text.ts";

interface ProblemKind {
  /** The same for every occurrence (RFC 9457, section 3.1.3). */
  readonly title: string;
  readonly meaning: string;
}

type ApiProblemCode = ProblemCode;

export const problemKinds: Readonly<Record<ApiProblemCode, ProblemKind>> = {
  invalid_json: {
    title: "Invalid JSON body",
    meaning:
      "The body is not a JSON object in UTF-8, is nested too deeply, contains a duplicate field, or contains text or numbers that cannot be stored exactly (RFC 7493).",
  },
  invalid_request: {
    title: "The request is malformed",
    meaning: "The path, a header or the query cannot be parsed.",
  },
  unauthorized: {
    title: "Authentication required",
    meaning:
      "The credential is missing, invalid, expired or revoked. Send an access token or an API key as Authorization: Bearer.",
  },
  insufficient_user_authentication: {
    title: "A more recent or stronger sign-in is required",
    meaning:
      "Sensitive operations require a recent sign-in at the highest level of the account. Send the user to the authorization endpoint with the acr_values and max_age of WWW-Authenticate, then repeat the request with the new token (RFC 9470).",
  },
  forbidden: {
    title: "Permission denied",
    meaning:
      "The caller may read the record but not perform this operation, the credential lacks a scope, or a browser sent the request from another site.",
  },
  not_found: {
    title: "Not found",
    meaning: "The record does not exist or you may not read it.",
  },
  method_not_allowed: {
    title: "Method not allowed",
    meaning: "The Allow header lists the allowed methods.",
  },
  conflict: {
    title: "Conflict with an existing record",
    meaning:
      "The current records do not allow the operation. For example, another record has the same unique value, or a record that this one refers to was deleted.",
  },
  invalid_manifest: {
    title: "The manifest cannot be applied",
    meaning:
      "Nothing was written. The field `errors` lists every error by its path in the manifest, such as apps[2].redirect_uris[0].",
  },
  last_owner: {
    title: "An organization needs an owner",
    meaning: "This is the last owner. Make another member an owner first.",
  },
  last_administrator: {
    title: "The server needs a platform administrator",
    meaning: "This is the last active platform administrator. Appoint another one first.",
  },
  mail_off: {
    title: "This server does not send email",
    meaning:
      "The operation sends an email. Configure a mail server or, for an invitation, create a link on the organization's invitation page and send it yourself.",
  },
  successor_required: {
    title: "A successor is required",
    meaning:
      "The user created apps or service accounts of organizations. Send `successor`: the user who takes them over.",
  },
  links_exist: {
    title: "Accounts are linked to the provider",
    meaning:
      "While accounts are linked to the provider, the settings that identify these accounts cannot change. To delete the provider together with the links, send `links=delete`.",
  },
  revoked: {
    title: "A revocation cannot be undone",
    meaning: "The record is revoked. Create a new one.",
  },
  idempotency_in_progress: {
    title: "A request with this idempotency key is in progress",
    meaning: "Wait for the seconds in Retry-After, then send the same request again.",
  },
  stale: {
    title: "The record has changed",
    meaning:
      "If-Match does not match the current version of the record. Read the record and repeat the change.",
  },
  too_large: {
    title: "The body is too large",
    meaning: "The limit is 65,536 bytes, unless the operation states another.",
  },
  address_too_long: {
    title: "The URL is too long",
    meaning: "A segment of the path is longer than any ID.",
  },
  unsupported_media_type: {
    title: "The content type is not supported",
    meaning: "Send application/json, or application/merge-patch+json with PATCH.",
  },
  invalid_record: {
    title: "The record is not valid",
    meaning: "The field `errors` lists every invalid field with its path. Nothing was written.",
  },
  too_many_secrets: {
    title: "The app would have too many secrets",
    meaning:
      "An app has at most 10 valid secrets. Revoke one, or let the others expire with `expire_others_in`.",
  },
  invalid_filter: {
    title: "A filter is not valid",
    meaning: "A query parameter is unknown or repeated, or its value is not valid.",
  },
  invalid_page: {
    title: "Invalid page parameters",
    meaning:
      "The parameter `limit` must be a whole number from 1 to 200, and `cursor` must be the `next_cursor` or `previous_cursor` of another page.",
  },
  events_gone: {
    title: "Events after this position were deleted",
    meaning:
      "The feed keeps events for a limited time. Read your records again, then send `after` with the oldest position minus one. The field `errors` contains the oldest position.",
  },
  feed_restored: {
    title: "The server was restored from a backup",
    meaning:
      "The feed has no event with this cursor. Request `after=latest`, read your records again, then continue with the cursor of the response to `after=latest`.",
  },
  idempotency_mismatch: {
    title: "The idempotency key was used for another request",
    meaning: "Use a new key for each new request.",
  },
  throttled: {
    title: "Too many attempts",
    meaning:
      "The caller did something too often, such as inviting people or sending a wrong current password. Try again after the seconds in Retry-After.",
  },
  quota_exceeded: {
    title: "Rate limit exceeded",
    meaning:
      "RateLimit-Policy contains the number of requests that the credential may send per minute (`q`), and RateLimit the number left (`r`). Try again after the seconds in Retry-After.",
  },
  server_error: {
    title: "Unexpected server error",
    meaning: "The server's log has the details under the request_id.",
  },
  unavailable: {
    title: "The database is unavailable",
    meaning:
      "The database is unreachable, too slow, full or read-only. A requested change may or may not have been written. After the seconds in Retry-After, read the record or repeat the request with the same Idempotency-Key.",
  },
  temporarily_unavailable: {
    title: "The server is busy",
    meaning: "Try again after the seconds in Retry-After.",
  },
};

export const problemCodes = Object.keys(problemKinds) as readonly ApiProblemCode[];

function kindOf(code: string): ProblemKind | undefined {
  return Object.hasOwn(problemKinds, code) ? problemKinds[code as ApiProblemCode] : undefined;
}

interface ProblemFacts {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[] | undefined;
}

/** `type` links to the explanation of the code on the reference page (RFC 9457, section 3). */
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

export function errorBody({ path, ...why }: FieldError): {
  path: string;
  message: string;
  code: string;
  params?: object;
} {
  return { path, message: fieldErrorText(why, english), ...why };
}

/** Returns the seconds after which a retry may succeed; undefined for codes without a fixed time. */
export function retryAfter(code: string): number | undefined {
  return code === "idempotency_in_progress" ? 1 : undefined;
}

export const problemType = "application/problem+json";
