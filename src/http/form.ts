/**
 * Bodies are read here whatever their type, and judged by the endpoint: each has its own answer to a wrong
 * one.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Params, paramsOf, readForm } from "../oauth/core/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";

/** Bytes (T-5). */
export const bodyLimit = 65_536;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Bytes of a body, where the route takes more than `bodyLimit`: of callers that it knows already. */
    most_body?: number;
  }
}

/** A body as it was received; undefined if it is larger than the limit. */
export interface RawBody {
  readonly bytes: Buffer | undefined;
}

/**
 * Reads every body up to the limit of its route, or up to `least` bytes where that is more. The excess is
 * drained unread, so that the caller still gets its answer. `bodyRead` has the bodies that were read before
 * the framework got the request.
 */
export function readBodies(
  app: FastifyInstance,
  least = 0,
  bodyRead: (request: IncomingMessage) => RawBody | undefined = () => undefined,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, stream, done) => {
    const known = bodyRead(request.raw);
    if (known !== undefined) {
      done(null, known);
      return;
    }
    const most = Math.max(least, request.routeOptions.config.most_body ?? bodyLimit);
    const chunks: Buffer[] = [];
    let length = 0;
    let finished = false;
    const finish = (error: Error | null, body?: RawBody) => {
      if (finished) return;
      finished = true;
      done(error, body);
    };
    stream.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      finish(null, { bytes: undefined });
    });
    stream.on("end", () => {
      const [first] = chunks;
      finish(null, { bytes: chunks.length === 1 ? first : Buffer.concat(chunks) });
    });
    stream.on("error", () => finish(refuse("body_ended_early")));
  });
}

const formType = "application/x-www-form-urlencoded";

/** The header's media type without parameters, if it looks like one. */
export function mediaTypeOf({ headers }: FastifyRequest): string | undefined {
  return /^\s*([a-z]{1,20}\/[a-z0-9.+-]{1,60})\s*(?:;|$)/i.exec(headers["content-type"] ?? "")?.[1];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Puts U+FFFD where the bytes are not UTF-8. */
const anyBytes = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The parameters of an `application/x-www-form-urlencoded` body; none if there is no body. Throws
 * `invalid_request`: status 415 for another type, 413 for a body over the limit, 400 for broken UTF-8 or
 * percent-encoding, but in values of parameters in `takenAsSent`: the endpoint has an answer to those of any
 * form. More than `most` parameters are refused, a hundred when absent.
 */
export function formOf(
  request: FastifyRequest,
  takenAsSent: ReadonlySet<string> = new Set(),
  most?: number,
): Params {
  const { body } = request;
  if (body === undefined) return paramsOf([]);
  if (!isFormType(request.headers["content-type"])) {
    throw refuse("body_not_form", { received: mediaTypeOf(request), expected: formType });
  }
  const { bytes } = body as RawBody;
  if (bytes === undefined) throw refuse("body_too_large", { most: bodyLimit });
  return readFormBytes(bytes, takenAsSent, most);
}

/** The parameters of a body that is a form. Throws as `formOf` does. */
export function readFormBytes(
  bytes: Buffer,
  takenAsSent: ReadonlySet<string> = new Set(),
  most?: number,
): Params {
  return readForm(textOf(bytes, takenAsSent), takenAsSent, most);
}

function textOf(bytes: Buffer, takenAsSent: ReadonlySet<string>): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const text = anyBytes.decode(bytes);
    const isBroken = (part: string) =>
      part.includes("\uFFFD") && !takenAsSent.has(part.split("=", 1)[0] ?? "");
    if (!text.split("&").some(isBroken)) return text;
    throw refuse("body_not_utf8");
  }
}

/** Whether a body came at all, and as a form. */
export function hasForm(request: FastifyRequest): boolean {
  return request.body !== undefined && isFormType(request.headers["content-type"]);
}

export function isFormType(type: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type ?? "");
}
