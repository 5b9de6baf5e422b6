/**
 * The errors that callers see. Any other thrown error is answered with `server_error` and a fixed sentence
 * (design, section 4).
 */
import type { Detail } from "./errors/details.ts";
import type { FieldError } from "./errors/field_errors.ts";

/** HTTP status of each OAuth error code (spec section 7), grouped by the document that registers the code. */
export const statusOf = {
  // The token endpoint (RFC 6749 5.2).
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  // The authorization endpoint (RFC 6749 4.1.2.1).
  access_denied: 403,
  unsupported_response_type: 400,
  server_error: 500,
  temporarily_unavailable: 503,
  // Resource servers (RFC 6750 3.1, RFC 9470 3).
  invalid_token: 401,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  // Resource indicators (RFC 8707 2).
  invalid_target: 400,
  // DPoP: proofs of possession (RFC 9449 12.2).
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  // Authentication requests (OpenID Connect Core 3.1.2.6).
  interaction_required: 400,
  login_required: 400,
  account_selection_required: 400,
  consent_required: 400,
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
  unmet_authentication_requirements: 400,
  // Parameters of authentication requests that are not supported (OpenID Connect Core 3.1.2.6).
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  // Client registration (RFC 7591 3.2.2).
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  // Requests passed by reference (RFC 9101 7, RFC 9126 4).
  invalid_request_uri: 400,
} as const;

export type OAuthErrorCode = keyof typeof statusOf;

/** All except printable ASCII without `"` and `\` (RFC 6749 4.1.2.1 and 5.2). */
const outsideDescription = /[^\x20-\x21\x23-\x5B\x5D-\x7E]/g;

/** Replaces each character that `error_description` does not allow by `?`. */
export const asDescription = (text: string): string => text.replaceAll(outsideDescription, "?");

/**
 * A value of a refused request, and the value that was expected, for administrators. Never contains a secret.
 */
export type Evidence = {
  readonly name: string;
  readonly received: string | readonly string[] | null;
  readonly expected: string | readonly string[] | null;
  /** One of `evidenceKinds` in records/names/evidence.ts. */
  readonly kind: string;
};

/** Called after the response, and only if the refusal is stored. */
export type EvidenceSource = () => readonly Evidence[] | Promise<readonly Evidence[]>;

export interface ConcernedApp {
  readonly id: string;
  readonly organization_id: string | null;
  /** Set if the app has no row in the database. */
  readonly unstored?: true;
}

/** A refusal of one request, as described by an entry of the catalog (oauth/refusals/refuse.ts). */
export interface Refused {
  readonly kind: string;
  readonly code: OAuthErrorCode;
  /** For the developer of the client. Never quotes a secret. */
  readonly description: string;
  readonly status?: number | undefined;
  /** Seconds after which the client may retry. */
  readonly retry_after?: number | undefined;
  readonly evidence: EvidenceSource;
}

/** A refusal that is returned to the OAuth client; only `refuse` creates one. */
export class OAuthError extends Error implements Refused {
  readonly kind: string;
  readonly code: OAuthErrorCode;
  status: number;
  readonly evidence: EvidenceSource;
  readonly retry_after: number | undefined;
  app: ConcernedApp | undefined;

  constructor({ kind, code, description, status, retry_after, evidence }: Refused) {
    super(asDescription(description));
    this.name = "OAuthError";
    this.kind = kind;
    this.code = code;
    this.status = status ?? statusOf[code];
    this.evidence = evidence;
    this.retry_after = retry_after;
    this.app = undefined;
  }

  get description(): string {
    return this.message;
  }

  /**
   * A protected resource returns 401 for errors of DPoP proofs (RFC 9449 7.1), which are 400 at the token
   * endpoint.
   */
  atResource(): this {
    this.status = 401;
    return this;
  }

  about(app: ConcernedApp | undefined): this {
    if (app !== undefined && !app.unstored) this.app ??= { id: app.id, organization_id: app.organization_id };
    return this;
  }
}

/**
 * Thrown when a used authorization code or refresh token, which may be stolen, is presented again. After the
 * rollback, the caller revokes all tokens of the same authorization (`family_id`; RFC 6749 4.1.2, RFC 9700
 * 4.14.2).
 */
export class ReplayError extends OAuthError {
  readonly family_id: string;

  constructor(family_id: string, refused: Refused) {
    super(refused);
    this.name = "ReplayError";
    this.family_id = family_id;
  }
}

export const statusOfProblem = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_filter: 400,
  invalid_page: 400,
  unauthorized: 401,
  insufficient_user_authentication: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  last_owner: 409,
  last_administrator: 409,
  mail_off: 409,
  successor_required: 409,
  links_exist: 409,
  revoked: 409,
  idempotency_in_progress: 409,
  events_gone: 410,
  feed_restored: 410,
  stale: 412,
  too_large: 413,
  address_too_long: 414,
  unsupported_media_type: 415,
  invalid_record: 422,
  invalid_manifest: 422,
  too_many_secrets: 422,
  idempotency_mismatch: 422,
  throttled: 429,
  quota_exceeded: 429,
  server_error: 500,
  unavailable: 503,
  temporarily_unavailable: 503,
} as const;

export type ProblemCode = keyof typeof statusOfProblem;

/**
 * An error of the management API and the command line (RFC 9457). `code` is stable; `detail` and
 * `errors` are translated with the response.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: Detail;
  readonly errors: readonly FieldError[];
  /** Seconds after which the caller may retry; undefined if that does not help or the time is unknown. */
  readonly retry_after: number | undefined;

  constructor(
    code: ProblemCode,
    detail: Detail,
    errors: readonly FieldError[] = [],
    options: { retry_after?: number } = {},
  ) {
    super(detail.code);
    this.name = "Problem";
    this.code = code;
    this.status = statusOfProblem[code];
    this.detail = detail;
    this.errors = errors;
    this.retry_after = options.retry_after;
  }
}

/** The server is overloaded (L-12, C-10). The caller may retry after `retry_after` seconds. */
export class OverloadedError extends Error {
  readonly retry_after: number;

  constructor(retry_after: number, message = "too many password hashes are waiting") {
    super(message);
    this.name = "OverloadedError";
    this.retry_after = retry_after;
  }
}

/**
 * Why the database cannot serve a request. Waiting does not help if it is `damaged` or if it `refused` this
 * server.
 */
export type UnavailableKind = "away" | "slow" | "read_only" | "full" | "gone" | "damaged" | "refused";

export class UnavailableError extends Error {
  readonly kind: UnavailableKind;
  /** Seconds after which the client may retry. */
  readonly retry_after = 2;
  readonly code: string | undefined;

  constructor(kind: UnavailableKind, message: string, cause: unknown) {
    super(message, { cause });
    this.name = "UnavailableError";
    this.kind = kind;
    this.code = (cause as { code?: string } | undefined)?.code;
  }
}

export interface WhereToListen {
  readonly host: string;
  readonly port: number;
  readonly host_setting: string;
  readonly port_setting: string;
}

/**
 * Returns an error that tells the operator how to change the host or the port. Any other error is returned
 * unchanged.
 */
export function cannotListen(
  error: NodeJS.ErrnoException,
  { host, port, host_setting, port_setting }: WhereToListen,
): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is taken by another process: stop it, or choose another port with ${port_setting}`,
    EACCES: `port ${port} of ${host} is only for privileged users: choose one from 1024 on with ${port_setting}`,
    EADDRNOTAVAIL: `this machine has no address ${host}: choose another with ${host_setting}`,
    ENOTFOUND: `the host name ${host} cannot be resolved: choose another with ${host_setting}`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new Error(reason, { cause: error });
}
