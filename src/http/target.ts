import type { FastifyRequest } from "fastify";
import { type Params, readForm } from "../oauth/core/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";

interface Target {
  /** Path and query. */
  readonly url: string;
  readonly path: string;
  readonly query: string;
}

/** A longer URL would exceed the header limit when a sign-in passes it on in `/login?redirect=…`. */
const longestUrl = 8192;

/** Returns the request's path and query byte for byte. */
export function targetOf(request: FastifyRequest): Target {
  const received = (request.raw.url ?? "/").replace(/^https?:\/\/[^/?#]*/i, "");
  const [url = ""] = received.split("#", 1);
  const question = url.indexOf("?");
  return question === -1
    ? { url, path: url, query: "" }
    : { url, path: url.slice(0, question), query: url.slice(question + 1) };
}

const ownPlaces = /^\/(?:account|api|console|dev|setup)(?:[/?]|$)/;

/**
 * Returns whether a URL belongs to this server's own pages or to its API. Every other page can be a step of a
 * sign-in. Its window may then have been opened by an application that waits for the callback
 * (docs/decisions/pages.md).
 */
export function isOwnPlace(url: string): boolean {
  return ownPlaces.test(url);
}

/** Returns the parameters of the query. Throws `invalid_request` if they are malformed. */
export function queryOf(request: FastifyRequest): Params {
  return readForm(targetOf(request).query);
}

/**
 * Returns the GET request equivalent to this POST (design 6.1). The GET route refuses a parameter that is in
 * both the query and the form, because it then occurs twice. Throws as `shortEnough` does.
 */
export function equivalentGet(request: FastifyRequest, form: Params): string {
  const { path, query } = targetOf(request);
  const posted = new URLSearchParams(form.pairs.map(([name, value]) => [name, value])).toString();
  return shortEnough(`${path}?${[query, posted].filter((part) => part !== "").join("&")}`);
}

/**
 * Returns the URL. Throws `invalid_request` with status 414 if it is too long to be passed through sign-in.
 */
export function shortEnough(url: string): string {
  if (url.length <= longestUrl) return url;
  throw refuse("address_too_long", { length: url.length, most: longestUrl });
}
