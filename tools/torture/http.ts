/** Sends requests to the tested server. Each results in a response, or in a kind of failure. */
import { Agent, request } from "node:http";

export interface Answer {
  /** The HTTP status, or the kind of failure if there is none. */
  readonly status: number | "refused" | "reset" | "timeout";
  readonly retry_after: boolean;
  readonly location: string | undefined;
  readonly body: string;
  readonly milliseconds: number;
}

interface Ask {
  readonly path: string;
  /** Sent by POST; without a form, the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

export interface Requester {
  ask(what: Ask): Promise<Answer>;
  close(): void;
}

/**
 * Sends requests over persistent connections, as a client library does. A request without a response
 * after `maxWait` milliseconds is a `timeout`.
 */
export function requesterOf(port: number, maxWait = 20_000): Requester {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  function ask({ path, form, headers, timeout = maxWait }: Ask): Promise<Answer> {
    const began = performance.now();
    const body = form && new URLSearchParams(form).toString();
    return new Promise((resolve) => {
      const failed = (status: "refused" | "reset" | "timeout") =>
        resolve({ ...none, status, milliseconds: performance.now() - began });
      const requested = request(
        {
          ...{ host: "127.0.0.1", port, path, agent, method: body === undefined ? "GET" : "POST" },
          headers: {
            ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
            ...headers,
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => {
            text += chunk;
          });
          response.on("end", () => {
            clearTimeout(timer);
            resolve({
              status: response.statusCode ?? 0,
              retry_after: response.headers["retry-after"] !== undefined,
              location: response.headers.location,
              body: text,
              milliseconds: performance.now() - began,
            });
          });
          response.on("error", () => failed("reset"));
        },
      );
      const timer = setTimeout(() => {
        failed("timeout");
        requested.destroy();
      }, timeout);
      requested.on("error", (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        failed(error.code === "ECONNREFUSED" ? "refused" : "reset");
      });
      requested.end(body);
    });
  }

  return { ask, close: () => agent.destroy() };
}

const none = { retry_after: false, location: undefined, body: "" };

/** Returns a field of the JSON response; undefined if it is not a string. */
export function textOf({ body }: Answer, member: string): string | undefined {
  const value = memberOf(body, member);
  return typeof value === "string" ? value : undefined;
}

/** Returns the result of an introspection (RFC 7662 2.2); undefined for any other response. */
export function activeOf({ status, body }: Answer): boolean | undefined {
  const value = status === 200 ? memberOf(body, "active") : undefined;
  return typeof value === "boolean" ? value : undefined;
}

function memberOf(body: string, member: string): unknown {
  try {
    return (JSON.parse(body) as Record<string, unknown>)[member];
  } catch {
    return undefined;
  }
}
