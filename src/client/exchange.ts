import { etagOf, etagText, withEtag } from "./etags.ts";
import type { Call, CallOptions, State } from "./operation_types.ts";
import { ApiProblem, ConnectionError, TimeoutError } from "./problems.ts";

/**
 * An API key or an access token, or a function that returns one for each attempt. After the first 401
 * `unauthorized` of a call, the function is called with `refused: true`, and the request is sent again.
 */
export type Credential =
  | string
  | ((requested: { readonly refused: boolean; readonly signal?: AbortSignal }) => string | Promise<string>);

export interface ClientOptions {
  /**
   * The base URL of the server. It must be https, unless the server is on this machine or `allowHttp` is
   * true.
   */
  readonly url: string;
  readonly credential: Credential;
  /** Milliseconds for each attempt. Default: 30,000. */
  readonly timeout?: number;
  /**
   * Maximum number of retries of a call. Calls are retried only if that cannot change anything twice.
   * Default: 3.
   */
  readonly retries?: number;
  /** In milliseconds: a call fails if it would have to wait longer before a retry. Default: 30,000. */
  readonly longestWait?: number;
  /** Whether the credential may be sent over http to another machine. */
  readonly allowHttp?: boolean;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Receives the notices of a successful call, such as `/logo_url: pages do not show …`. */
  readonly onNotice?: (notice: string) => void;
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

interface Sent extends CallOptions {
  readonly body?: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly ifMatch?: State;
  readonly idempotencyKey?: string;
  readonly known?: object;
}

export type Send = (call: Call, values: readonly string[], sent: Sent) => Promise<unknown>;

/** Upper bounds of the random wait in milliseconds: before the first retry, and before any retry. */
const firstWait = 250;
const longestBackoff = 8000;

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

function baseOf({ url, allowHttp = false }: ClientOptions): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol))
    throw new TypeError("url must be the https address of the server");
  if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "" || parsed.hash !== "")
    throw new TypeError("url must have no user information, query or fragment");
  if (parsed.protocol === "http:" && !localHosts.includes(parsed.hostname) && !allowHttp)
    throw new TypeError(
      "url must be https, because http exposes the credential in transit (allowHttp permits it)",
    );
  return parsed.href.replace(/\/+$/, "");
}

function pathOf({ path }: Call, values: readonly string[]): string {
  let at = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[at++];
    // URL parsers resolve dot segments, even encoded ones, so the URL would name another record.
    if (typeof value !== "string" || value === "" || value === "." || value === "..")
      throw new TypeError(`${name} must name a record`);
    return encodeURIComponent(value);
  });
}

function searchOf(query: Sent["query"]): string {
  const input = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(input.map(([name, value]) => [name, String(value)]));
  return input.length === 0 ? "" : `?${search}`;
}

function timer(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(waiting);
      reject(signal?.reason);
    };
    const waiting = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/**
 * Returns a function that sends calls to the server at `options.url`. Throws `TypeError` for an invalid URL.
 */
export function exchange(options: ClientOptions): Send {
  const base = baseOf(options);
  const { credential, wait = timer, longestWait = 30_000, onNotice } = options;
  const send = options.fetch ?? ((request: Request) => fetch(request));

  async function authorization(refused: boolean, signal: AbortSignal | undefined): Promise<string> {
    const bearer =
      typeof credential === "string" ? credential : await credential({ refused, ...(signal && { signal }) });
    // The platform's own error message would contain the credential.
    if (!/^[\x21-\x7e]+$/.test(bearer))
      throw new TypeError("the credential must be visible ASCII characters");
    return `Bearer ${bearer}`;
  }

  return async (call, values, sent) => {
    const url = `${base}${pathOf(call, values)}${searchOf(sent.query)}`;
    const { signal, timeout = options.timeout ?? 30_000, retries = options.retries ?? 3 } = sent;
    const headers = headersOf(call, sent);
    const isRepeatable = call.method === "GET" || call.keyed === true;
    const body = sent.body === undefined ? null : JSON.stringify(sent.body);
    let refused = false;
    for (let tried = 0; ; tried += 1) {
      signal?.throwIfAborted();
      headers.set("authorization", await authorization(refused, signal));
      const request = { method: call.method, headers, body, redirect: "manual" } as const;
      let failure: unknown;
      let delay: number | undefined;
      try {
        const answer = await attempt(send, {
          call,
          url,
          request,
          timeout,
          signal,
          known: sent.known,
          onNotice,
        });
        if (!(answer instanceof ApiProblem)) return answer.value;
        failure = answer;
        if (answer.code === "unauthorized" && typeof credential === "function" && !refused) {
          refused = true;
          tried -= 1;
          continue;
        }
        delay = delayAfter(answer, isRepeatable, tried);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ConnectionError) || !isRepeatable) throw error;
        failure = error;
        delay = backoff(tried);
      }
      if (delay === undefined || delay > longestWait || tried >= retries) throw failure;
      await wait(delay, signal);
    }
  };
}

function headersOf(call: Call, { body, ifMatch, idempotencyKey, known }: Sent): Headers {
  const headers = new Headers({
    accept: call.answer === "lines" ? "application/x-ndjson" : "application/json",
  });
  if (body !== undefined)
    headers.set(
      "content-type",
      call.method === "PATCH" ? "application/merge-patch+json" : "application/json",
    );
  if (ifMatch !== undefined) headers.set("if-match", etagText(ifMatch));
  const etag = known === undefined ? undefined : etagOf(known);
  if (etag !== undefined) headers.set("if-none-match", etag);
  // All attempts of a call have the same key, so the server repeats the response of the attempt that
  // succeeded.
  if (call.keyed) headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
  return headers;
}

/**
 * A random number of milliseconds (full jitter), so that callers that failed together do not retry together.
 */
function backoff(tried: number): number {
  return Math.random() * Math.min(longestBackoff, firstWait * 2 ** tried);
}

/** In milliseconds; undefined if a retry is useless, or might change something twice. */
function delayAfter(problem: ApiProblem, isRepeatable: boolean, tried: number): number | undefined {
  const { status, code, retryAfter } = problem;
  const wasNotDone = code === "quota_exceeded";
  const mayPass = [502, 503, 504].includes(status) || code === "idempotency_in_progress";
  if (!wasNotDone && !(mayPass && isRepeatable)) return undefined;
  return retryAfter === undefined ? backoff(tried) : retryAfter * 1000;
}

interface Attempt {
  readonly call: Call;
  readonly url: string;
  readonly request: RequestInit;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly known: object | undefined;
  readonly onNotice: ClientOptions["onNotice"];
}

async function attempt(
  send: (request: Request) => Promise<Response>,
  { call, url, request, timeout, signal, known, onNotice }: Attempt,
): Promise<{ readonly value: unknown } | ApiProblem> {
  const late = new AbortController();
  const waiting = setTimeout(() => late.abort(new TimeoutError(`no response within ${timeout} ms`)), timeout);
  const ends = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  try {
    const response = await send(new Request(url, { ...request, signal: ends }));
    if (response.status === 304 && known !== undefined) return { value: known };
    if (!response.ok) return new ApiProblem(response.status, response.headers, await jsonOf(response));
    for (const notice of noticesIn(response.headers)) onNotice?.(notice);
    if (call.answer === "nothing") return { value: undefined };
    if (call.answer === "lines") return { value: lines(response, signal) };
    const value = await jsonOf(response);
    // Any server can answer 200, so the body is checked as well.
    if (!fits(value, call.answer)) return new ApiProblem(response.status, response.headers, undefined);
    return { value: call.answer === "record" ? withEtag(value, response.headers) : value };
  } catch (error) {
    signal?.throwIfAborted();
    if (late.signal.aborted) throw late.signal.reason;
    throw new ConnectionError("the server could not be reached, or its response was cut off", {
      cause: error,
    });
  } finally {
    clearTimeout(waiting);
  }
}

function fits(value: unknown, answer: Call["answer"]): value is object {
  if (typeof value !== "object" || value === null) return false;
  return answer === "page" ? "data" in value && Array.isArray(value.data) : !Array.isArray(value);
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? ""))
    return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* lines(response: Response, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      const parts = `${rest}${decoder.decode(read.value, { stream: true })}`.split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) if (line !== "") yield JSON.parse(line);
    }
    if (rest !== "") yield JSON.parse(rest);
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionError("the export was cut off: it is incomplete", { cause: error });
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/**
 * A notice starts with the path of a field, such as `/logo_url` or `apps[0]`. The last notice may only state
 * how many were omitted.
 */
const betweenNotices = /, (?=\/[a-z]|[a-z_]+\[\d+\]|and \d+ more$)/;

function noticesIn(headers: Headers): string[] {
  return headers.get("postern-notice")?.split(betweenNotices) ?? [];
}
