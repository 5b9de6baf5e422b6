import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Endpoint, type Failure, pathOf, type RecordedRequest, type Values } from "./kit_types.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type OpenRecord = Mutable<RecordedRequest>;

function valuesOf(pairs: URLSearchParams): Values {
  const names = new Set(pairs.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const [first = "", ...more] = pairs.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

const text = (value: string | readonly string[] | undefined) =>
  typeof value === "string" ? value : undefined;

/**
 * Decodes a client ID or secret of HTTP Basic authentication, which is form-encoded (RFC 6749, section
 * 2.3.1).
 */
function unescaped(half: string): string {
  try {
    return decodeURIComponent(half.replaceAll("+", " "));
  } catch {
    return half;
  }
}

function clientOf(
  headers: IncomingHttpHeaders,
  parameters: Values,
): NonNullable<RecordedRequest["client"]> | undefined {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? "")?.[1];
  if (basic !== undefined) {
    const [client_id = "", ...secret] = Buffer.from(basic, "base64").toString().split(":");
    return {
      method: "client_secret_basic",
      client_id: unescaped(client_id),
      client_secret: unescaped(secret.join(":")),
    };
  }
  const client_id = text(parameters.client_id);
  const client_secret = text(parameters.client_secret);
  if (client_secret !== undefined) return { method: "client_secret_post", client_id, client_secret };
  if (parameters.client_assertion !== undefined) return { method: "private_key_jwt", client_id };
  return client_id === undefined ? undefined : { method: "none", client_id };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

interface Requested {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly failure?: Failure | undefined;
}

export function recorder(now: () => Date) {
  const entries: OpenRecord[] = [];
  return {
    begin({ method, url, headers, body, failure }: Requested): OpenRecord {
      const { pathname, searchParams } = new URL(url, "http://localhost");
      const type = headers["content-type"] ?? "";
      const isForm = type.startsWith("application/x-www-form-urlencoded");
      if (isForm)
        for (const [name, value] of new URLSearchParams(body.toString())) searchParams.append(name, value);
      const parameters = valuesOf(searchParams);
      const json = /[/+]json\b/.test(type) ? parsed(body.toString()) : undefined;
      const client = clientOf(headers, parameters);
      const token = /^(?:Bearer|DPoP) (.+)$/i.exec(headers.authorization ?? "")?.[1];
      const entry: OpenRecord = {
        ...{ method, path: pathname, at: now(), headers: { ...headers }, parameters },
        ...(json !== undefined && { json }),
        ...(client !== undefined && { client }),
        ...(token !== undefined && { token }),
        ...(failure !== undefined && { failure }),
      };
      entries.push(entry);
      return entry;
    },
    list: (endpoint?: Endpoint): RecordedRequest[] =>
      endpoint === undefined ? [...entries] : entries.filter(({ path }) => path === pathOf(endpoint)),
    forget(): void {
      entries.length = 0;
    },
  };
}

export type Recorder = ReturnType<typeof recorder>;

/** Records the response when it ends. The sent bytes do not change. */
export function recordAnswer(response: ServerResponse, entry: OpenRecord): void {
  const chunks: Buffer[] = [];
  let sent: Record<string, unknown> = {};
  const { writeHead, write, end } = response;
  const keep = (chunk: unknown) => {
    if (typeof chunk === "string" || Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk as string));
  };
  response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    const headers = args.at(-1);
    // Node.js also accepts the headers as an array of alternating names and values.
    const pairs = Array.isArray(headers)
      ? headers.flatMap((name, at) => (at % 2 === 0 ? [[String(name), headers[at + 1]] as const] : []))
      : typeof headers === "object" && headers !== null
        ? Object.entries(headers)
        : [];
    sent = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
    return Reflect.apply(writeHead, this, args);
  };
  response.write = function (this: ServerResponse, ...args: unknown[]) {
    keep(args[0]);
    return Reflect.apply(write, this, args);
  };
  response.end = function (this: ServerResponse, ...args: unknown[]) {
    keep(args[0]);
    const header = (name: string) => String(sent[name] ?? this.getHeader(name) ?? "");
    entry.status = this.statusCode;
    if (header("location") !== "") entry.location = header("location");
    const body = Buffer.concat(chunks).toString();
    const isJson = /[/+]json\b/.test(header("content-type"));
    // A compressed body is useless to a test, so it is omitted.
    if (header("content-encoding") === "") entry.answer = isJson ? parsed(body) : body;
    return Reflect.apply(end, this, args);
  };
}

/**
 * Reads the whole body of a request. `giveBack` makes it readable again for the server; the request must
 * not have been read before.
 */
export function gatherBody(request: IncomingMessage): { whole: Promise<Buffer>; giveBack: () => void } {
  const whole = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const { push } = request;
  // Node's parser delivers data through `push`; null is the end.
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) whole.resolve(Buffer.concat(chunks));
    else chunks.push(chunk);
    return true;
  };
  return {
    whole: whole.promise,
    giveBack() {
      request.push = push;
      for (const chunk of chunks) request.push(chunk);
      request.push(null);
    },
  };
}
