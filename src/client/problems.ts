import type { components } from "./generated/types.ts";

type Problem = components["schemas"]["Problem"];

/** The code of a problem; `unknown` if the response was not from this API, such as that of a proxy. */
export type ProblemCode = Problem["code"] | "unknown";

export type FieldError = NonNullable<Problem["errors"]>[number];

/** The requirements on a fresh sign-in (RFC 9470 3). */
export interface StepUp {
  /** Values for `acr_values` of the authorization request, separated by spaces. */
  readonly acr_values?: string;
  /** Seconds, for `max_age` of the authorization request. */
  readonly max_age?: number;
}

/** An error response of the API (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** ID of the request in the server's log; undefined if the response has none. */
  readonly requestId: string | undefined;
  /** Seconds after which a retry may succeed; undefined if the response does not state them. */
  readonly retryAfter: number | undefined;
  readonly stepUp: StepUp | undefined;

  constructor(status: number, headers: Headers, body: unknown) {
    const problem = problemIn(body);
    const detail = problem?.detail ?? "The response is not from the management API.";
    super(`${status} ${problem?.code ?? "unknown"}: ${detail}`);
    this.code = problem?.code ?? "unknown";
    this.status = status;
    this.title = problem?.title ?? "Unknown";
    this.detail = detail;
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.request_id;
    this.retryAfter = secondsOf(headers.get("retry-after"));
    this.stepUp =
      problem?.code === "insufficient_user_authentication"
        ? stepUpOf(headers.get("www-authenticate") ?? "")
        : undefined;
  }
}

/**
 * The call got no response, or the response was cut off; `cause` has the reason. The server may nevertheless
 * have made the change.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

export class TimeoutError extends ConnectionError {}

function problemIn(body: unknown): Problem | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { code, detail } = body as Partial<Problem>;
  return typeof code === "string" && typeof detail === "string" ? (body as Problem) : undefined;
}

function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}

function stepUpOf(challenge: string): StepUp {
  const acr_values = /\bacr_values="([^"]*)"/.exec(challenge)?.[1];
  const max_age = /\bmax_age="?(\d{1,9})/.exec(challenge)?.[1];
  return {
    ...(acr_values !== undefined && { acr_values }),
    ...(max_age !== undefined && { max_age: Number(max_age) }),
  };
}
