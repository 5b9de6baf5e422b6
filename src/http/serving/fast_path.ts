/**
 * The fast path: answers the busiest endpoints without the framework, which would double the processor time
 * of a response. It handles only successful common requests, with the same bytes as the framework would send.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { EndpointRequest } from "../../oauth/core/server.ts";
import type { Representation } from "../conditional.ts";
import type { HttpLog, HttpMetrics } from "../context.ts";
import { bodyLimit, isFormType, type RawBody, readFormBytes } from "../form.ts";
import { namesOneHost, userAgentOf } from "../request_origin.ts";
import type { Admit } from "./admission.ts";
import type { Exchanges } from "./closing.ts";
import type { Answer } from "./listener.ts";

export interface FastRequest extends EndpointRequest {
  readonly method: string;
}

interface FastJson {
  readonly json: (request: FastRequest) => Promise<object>;
  readonly takenAsSent?: ReadonlySet<string>;
  readonly batched?: boolean;
}

interface FastDocument {
  readonly document: () => Representation | Promise<Representation>;
  readonly cache_control: string;
}

/** If `json` or `document` throws, the framework handles the request. */
type FastAnswer = FastJson | FastDocument;

declare module "fastify" {
  interface FastifyContextConfig {
    fast?: FastAnswer;
  }
}

export interface FastRoute {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: FastAnswer;
}

export interface HandedOver {
  readonly body: RawBody;
  readonly error: unknown;
}

interface FastPathParts {
  readonly otherwise: Answer;
  readonly handed_over: WeakMap<IncomingMessage, HandedOver>;
  readonly admit: Admit;
  readonly exchanges: Exchanges;
  readonly clientAddress: (request: IncomingMessage) => string | null;
  readonly isUnusual: (request: IncomingMessage) => boolean;
  readonly newRequestId: () => string;
  readonly log: Pick<HttpLog, "debug">;
  readonly metrics: HttpMetrics | undefined;
}

/** Answers common requests for these routes, and passes all others to the framework. */
export function fastPath(
  routes: readonly FastRoute[],
  { otherwise, handed_over, admit, exchanges, ...parts }: FastPathParts,
): Answer {
  const { clientAddress, isUnusual, newRequestId, log, metrics } = parts;
  const batch = batchReplies();
  const answers = new Map(routes.map((route) => [`${route.method} ${route.path}`, answerOf(route)]));

  function answerOf({ method, path: route, headers, answer }: FastRoute) {
    const first = Object.entries(headers).flat();
    const labels = { route, method, status: "200" };
    const send = (
      response: ServerResponse,
      [request_id, begun]: Begun,
      further: string[],
      body: string | Buffer,
    ) => {
      const length = Buffer.byteLength(body);
      response.writeHead(200, [...first, ...further, "content-length", String(length)]);
      // In ASCII, the bytes equal the characters and need no encoding.
      if (typeof body === "string" && length === body.length) response.end(body, "latin1");
      else response.end(body);
      if (response.socket !== null) exchanges.end(response.socket, response);
      const seconds = (performance.now() - begun) / 1000;
      metrics?.observe("postern_http_request_duration_seconds", labels, seconds);
      log.debug({ request_id, method, route, status: 200, seconds }, "answered");
    };
    return "json" in answer ? answerJson(method, answer, send) : answerDocument(answer, send);
  }

  function answerDocument({ document, cache_control }: FastDocument, send: Send): Answer {
    return (request, response) => {
      const begun: Begun = [newRequestId(), performance.now()];
      const respond = ({ type, body, etag }: Representation) => {
        const headers = ["cache-control", cache_control, "etag", etag, "content-type", type];
        batch(() => send(response, begun, headers, body));
      };
      const found = document();
      // An immediate result is sent without a promise, which would cost as much as the rest of the response.
      if (!(found instanceof Promise)) respond(found);
      else
        found.then(respond, (error: unknown) =>
          handOver(request, response, { body: { bytes: undefined }, error }),
        );
    };
  }

  function answerJson(method: string, { json, takenAsSent, batched = false }: FastJson, send: Send): Answer {
    const type = ["content-type", "application/json; charset=utf-8"];
    return (request, response) => {
      const begun: Begun = [newRequestId(), performance.now()];
      const client_ip = clientAddress(request);
      const respond = async (bytes: Buffer) => {
        let text: string;
        try {
          const { authorization, dpop } = request.headers;
          const made = await json({
            method,
            params: readFormBytes(bytes, takenAsSent),
            authorization,
            dpop: typeof dpop === "string" ? dpop : undefined,
            origin: { client_ip, user_agent: userAgentOf(request.headers), request_id: begun[0] },
          });
          text = JSON.stringify(made);
        } catch (error) {
          handOver(request, response, { body: { bytes }, error });
          return;
        }
        if (batched) batch(() => send(response, begun, type, text));
        else send(response, begun, type, text);
      };
      readAll(request, (bytes) =>
        admit(
          { request, response, client_ip },
          (leave) => void respond(bytes).finally(leave),
          (error) => handOver(request, response, { body: { bytes }, error }),
        ),
      );
    };
  }

  function handOver(request: IncomingMessage, response: ServerResponse, what: HandedOver): void {
    handed_over.set(request, what);
    otherwise(request, response);
  }

  return (request, response) => {
    const answer = answers.get(`${request.method} ${request.url}`);
    if (answer === undefined || exchanges.areEnding() || !isUsual(request) || isUnusual(request)) {
      otherwise(request, response);
      return;
    }
    exchanges.begin(request.socket, response);
    answer(request, response);
  };
}

/** `at` is in milliseconds of `performance.now`. */
type Begun = readonly [request_id: string, at: number];

type Send = (response: ServerResponse, begun: Begun, headers: string[], body: string | Buffer) => void;

function isUsual(request: IncomingMessage): boolean {
  const { method, headers } = request;
  if (headers["transfer-encoding"] !== undefined || !namesOneHost(request)) return false;
  const length = headers["content-length"];
  if (method === "GET") return length === undefined && headers["if-none-match"] === undefined;
  return Number(length) > 0 && Number(length) <= bodyLimit && isFormType(headers["content-type"]);
}

/** Never calls `use` if the body ends early. */
function readAll(request: IncomingMessage, use: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.once("end", () => use(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
}

/**
 * Returns a function that sends the responses of one event loop turn together at its end. The first response
 * to a socket wakes the process that reads it, which costs many times more than the write. A proxy is then
 * already awake for the other responses.
 */
export function batchReplies(): (send: () => void) => void {
  let ready: (() => void)[] = [];
  function sendAll(): void {
    const sending = ready;
    ready = [];
    for (const send of sending) send();
  }
  return (send) => {
    if (ready.length === 0) setImmediate(sendAll);
    ready.push(send);
  };
}
