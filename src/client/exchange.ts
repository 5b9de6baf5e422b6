/** One call over the wire: its address, its credential, its attempts, and what comes back. */
import { etagOf, etagText, withEtag } from "./etags.ts";
import { noticesIn } from "./notices.ts";
import type { Call, CallOptions, State } from "./operation_types.ts";
import { ApiProblem, ConnectionError, TimeoutError } from "./problems.ts";

/**
 * An API key or an access token, or a function that gives one for each attempt. After an answer of 401 it is
 * asked once more with `refused`, and the call is sent again.
 */
export type Credential =
  | string
  | ((requested: { readonly refused: boolean; readonly signal?: AbortSignal }) => string | Promise<string>);

export interface ClientOptions {
  /** `{base_url}` of the server: https, or http on this machine. */
  readonly url: string;
  readonly credential: Credential;
  /** Milliseconds for each attempt; 30,000 without it. */
  readonly timeout?: number;
  /** How often a call is tried again where that is safe; 3 without it. */
  readonly retries?: number;
  /** Milliseconds that the client waits before it tries again, at most; 30,000 without it. */
  readonly longestWait?: number;
  /** Whether the credential may go over http to another machine. */
  readonly allowHttp?: boolean;
  /** What sends a request; the `fetch` of the platform without it. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Hears what the server says of a call that it carried out, such as `/logo_url: pages do not show …`. */
  readonly onNotice?: (notice: string) => void;
  /** Waits for so many milliseconds; by a timer without it. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

interface Sent extends CallOptions {
  readonly body?: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly ifMatch?: State;
  readonly idempotencyKey?: string;
  readonly known?: object;
}

/** Sends a call with the values of its path, and answers what came back. */
export type Send = (call: Call, values: readonly string[], sent: Sent) => Promise<unknown>;

/** Milliseconds. */
const firstWait = 250;
const longestBackoff = 8000;

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Throws `TypeError` for an address that is none, or that would show the credential on its way. */
function baseOf({ url, allowHttp = false }: ClientOptions): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol))
    throw new TypeError("url must be the https address of the server");
  if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "" || parsed.hash !== "")
    throw new TypeError("url must have no user, no query and no fragment");
  if (parsed.protocol === "http:" && !localHosts.includes(parsed.hostname) && !allowHttp)
    throw new TypeError("url must be https: the credential could be read on its way (allowHttp permits it)");
  return parsed.href.replace(/\/+$/, "");
}

/** The path with its values, each one segment. Throws `TypeError` for a value that is no segment. */
function pathOf({ path }: Call, values: readonly string[]): string {
  let at = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[at++];
    // URLs resolve dots away, encoded ones too: another record would be meant.
    if (typeof value !== "string" || value === "" || value === "." || value === "..")
      throw new TypeError(`${name} must name a record`);
    return encodeURIComponent(value);
  });
}

function searchOf(query: Sent["query"]): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? "" : `?${search}`;
}

/** Waits by a timer; rejects with the reason of the signal. */
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

/** What sends calls to the server of these options. Throws `TypeError` for an address that is none. */
export function exchange(options: ClientOptions): Send {
  const base = baseOf(options);
  const { credential, wait = timer, longestWait = 30_000, onNotice } = options;
  const send = options.fetch ?? ((request: Request) => fetch(request));

  async function authorization(refused: boolean, signal: AbortSignal | undefined): Promise<string> {
    const bearer =
      typeof credential === "string" ? credential : await credential({ refused, ...(signal && { signal }) });
    // The platform's own message would repeat it.
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
  // One key for all attempts: whichever the server carried out, it answers.
  if (call.keyed) headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
  return headers;
}

/** Full jitter: callers that failed together do not come back together. */
function backoff(tried: number): number {
  return Math.random() * Math.min(longestBackoff, firstWait * 2 ** tried);
}

/** Milliseconds to wait; undefined where sending again is of no use, or might do something twice. */
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
  /** Milliseconds. */
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
  const waiting = setTimeout(() => late.abort(new TimeoutError(`no answer within ${timeout} ms`)), timeout);
  const ends = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  try {
    const response = await send(new Request(url, { ...request, signal: ends }));
    if (response.status === 304 && known !== undefined) return { value: known };
    if (!response.ok) return new ApiProblem(response.status, response.headers, await jsonOf(response));
    for (const notice of noticesIn(response.headers)) onNotice?.(notice);
    if (call.answer === "nothing") return { value: undefined };
    if (call.answer === "lines") return { value: lines(response, signal) };
    const value = await jsonOf(response);
    // What answers 200 may be any server.
    if (!fits(value, call.answer)) return new ApiProblem(response.status, response.headers, undefined);
    return { value: call.answer === "record" ? withEtag(value, response.headers) : value };
  } catch (error) {
    signal?.throwIfAborted();
    if (late.signal.aborted) throw late.signal.reason;
    throw new ConnectionError("the server could not be reached, or its answer broke off", { cause: error });
  } finally {
    clearTimeout(waiting);
  }
}

function fits(value: unknown, answer: Call["answer"]): value is object {
  if (typeof value !== "object" || value === null) return false;
  return answer === "page" ? "data" in value && Array.isArray(value.data) : !Array.isArray(value);
}

/** The JSON of the answer; undefined where it is none, such as the page of a proxy. */
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

/** Each line of an export as a value. Throws `ConnectionError` where it breaks off. */
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
    throw new ConnectionError("the export broke off: it is not whole", { cause: error });
  } finally {
    // A caller that reads no further wants no more of it.
    await reader?.cancel().catch(() => {});
  }
}
