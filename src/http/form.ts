/** Reads bodies of any media type, because each endpoint answers a body of the wrong type in its own way. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Params, paramsOf, readForm } from "../oauth/core/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";

/** The usual limit, in bytes (T-5). */
export const bodyLimit = 65_536;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Bytes, for a route that accepts more than `bodyLimit` because its callers are authenticated. */
    most_body?: number;
  }
}

/** `bytes` is undefined if the body exceeds the limit. */
export interface RawBody {
  readonly bytes: Buffer | undefined;
}

/**
 * Reads every body up to the limit of its route, or up to `least` bytes if that is more. The rest of a longer
 * body is discarded, so the caller still gets a response. `bodyRead` returns a body that was read before the
 * framework received the request.
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

export function mediaTypeOf({ headers }: FastifyRequest): string | undefined {
  return /^\s*([a-z]{1,20}\/[a-z0-9.+-]{1,60})\s*(?:;|$)/i.exec(headers["content-type"] ?? "")?.[1];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const anyBytes = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the parameters of a form body. Throws `invalid_request` with status 415 for another type, 413 for a
 * body over the limit, and 400 otherwise. The parameters in `takenAsSent` may have an invalid encoding and
 * contain NULs.
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
  const { most_body = bodyLimit } = request.routeOptions.config;
  if (bytes === undefined) throw refuse("body_too_large", { most: most_body });
  return readFormBytes(bytes, takenAsSent, most);
}

const mostParts = 100;

/**
 * Returns the parameters of a form that may be `multipart/form-data` (RFC 7578); the value of a file is its
 * text. Throws as `formOf` does.
 */
export async function uploadOf(request: FastifyRequest): Promise<Params> {
  const { body, headers } = request;
  if (body === undefined || mediaTypeOf(request)?.toLowerCase() !== "multipart/form-data")
    return formOf(request);
  const { bytes } = body as RawBody;
  const { most_body: most = bodyLimit } = request.routeOptions.config;
  if (bytes === undefined) throw refuse("body_too_large", { most });
  const type = headers["content-type"] ?? "";
  const parts = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } })
    .formData()
    .then((form) => [...form])
    .catch(() => {
      throw refuse("body_not_form", { received: mediaTypeOf(request), expected: formType });
    });
  if (parts.length > mostParts) throw refuse("too_many_parameters", { most: mostParts });
  return paramsOf(
    await Promise.all(
      parts.map(async ([name, value]): Promise<[string, string]> => {
        if (typeof value === "string") return [name, value];
        try {
          return [name, utf8.decode(await value.arrayBuffer())];
        } catch {
          throw refuse("body_not_utf8");
        }
      }),
    ),
  );
}

/** Returns the parameters of a form body. Throws `invalid_request` with status 400, as `formOf` does. */
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

export function hasForm(request: FastifyRequest): boolean {
  return request.body !== undefined && isFormType(request.headers["content-type"]);
}

export function isFormType(type: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type ?? "");
}
