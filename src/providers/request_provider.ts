import type { OutboundAnswer, OutboundErrorKind, OutboundRequest } from "../outbound/outbound.ts";
import { faultShownTo } from "../records/rules/outbound_reach.ts";
import type { SharedOutbound } from "./shared_fairly.ts";
import { UpstreamError, type UpstreamErrorKind } from "./upstream_error.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type JsonAnswer = Readonly<Record<string, unknown>>;

interface ProviderAnswer {
  readonly status: number;
  readonly headers: OutboundAnswer["headers"];
  readonly body: Buffer;
  readonly json: JsonAnswer | undefined;
}

export interface ProviderRequests {
  readonly outbound: SharedOutbound;
  readonly owner?: string | undefined;
  /** Milliseconds for one request (EP-17). */
  readonly timeout: number;
}

const mostBytes = 256_000;

const kinds: Readonly<Record<OutboundErrorKind, UpstreamErrorKind>> = {
  not_a_url: "address_refused",
  not_https: "address_refused",
  has_user_info: "address_refused",
  internal_address: "address_refused",
  unresolved: "unreachable",
  unreachable: "unreachable",
  proxy: "unreachable",
  busy: "busy",
  timeout: "timeout",
  tls: "tls",
  too_large: "too_large",
  encoded: "encoded",
};

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "the address";
}

/**
 * Returns only the host, because the rest of a redirect's target may contain values that this server sent.
 */
function targetOf({ location }: OutboundAnswer["headers"], from: string): string | undefined {
  return typeof location === "string" ? URL.parse(location, from)?.host : undefined;
}

/**
 * Sends one request and returns the response, whatever its status, except a redirect: following one could
 * send a credential to another host. Throws `UpstreamError` for a redirect or a failed request.
 */
export async function requestProvider(
  { outbound, timeout, owner }: ProviderRequests,
  request: Pick<OutboundRequest, "method" | "url" | "authorization" | "body">,
): Promise<ProviderAnswer> {
  const { url } = request;
  const whole = { accept: "application/json", max_bytes: mostBytes, timeout, owner, ...request };
  const { status, headers, body } = await outbound.send(whole).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== "OutboundError") throw error;
    const { kind } = error as Error & { kind: OutboundErrorKind };
    const shown = faultShownTo(owner ?? null, kind);
    const received = `${hostOf(url)}: ${shown}`;
    throw new UpstreamError(shown === kind ? kinds[kind] : "address_refused", { received }, error);
  });
  if (status >= 300 && status < 400) {
    const to = targetOf(headers, url) ?? "nowhere";
    throw new UpstreamError("redirect", { expected: hostOf(url), received: `${status} to ${to}` });
  }
  return { status, headers, body, json: objectOf(body) };
}

/**
 * Returns the JSON object in the response. Throws `UpstreamError` unless the status is 200 and the body is an
 * object.
 */
export async function requestObject(
  requests: ProviderRequests,
  request: Pick<OutboundRequest, "method" | "url" | "authorization" | "body">,
): Promise<JsonAnswer> {
  const { status, json } = await requestProvider(requests, request);
  if (status !== 200) throw new UpstreamError("status", { expected: "200", received: status });
  if (json === undefined) throw new UpstreamError("not_json", { expected: "a JSON object" });
  return json;
}

/**
 * Parses the text as a JSON object; undefined if it is not one. Bytes that are not UTF-8 are rejected (RFC
 * 8259, section 8.1), because with replacement characters two different identifiers could become equal
 * (EP-7).
 */
export function objectOf(text: Buffer | string): JsonAnswer | undefined {
  try {
    const whole = typeof text === "string" ? text : strict.decode(text);
    const value: unknown = JSON.parse(whole);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonAnswer)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes a form as the body of a request (RFC 6749, appendix B). */
export function formBody(members: Readonly<Record<string, string>>): { type: string; text: string } {
  return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(members).toString() };
}
