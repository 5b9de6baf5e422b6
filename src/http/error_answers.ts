/** The last error handler: turns anything thrown into a response in the format of the endpoint (H-1). */
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Detail, detail } from "../errors/details.ts";
import type { FieldError } from "../errors/field_errors.ts";
import { ReferenceViolation } from "../errors/violations.ts";
import {
  OAuthError,
  OverloadedError,
  Problem,
  type ProblemCode,
  statusOfProblem,
  UnavailableError,
} from "../errors.ts";
import { refusalUri } from "../oauth/refusals/note_refusal.ts";
import { type RefusalKind, refuse } from "../oauth/refusals/refuse.ts";
import type { Html } from "../web/html/html.ts";
import { type ErrorKind, errorPage } from "../web/pages/error_page.ts";
import { english } from "../web/words/english.ts";
import { detailText } from "../web/words/error_text.ts";
import { managementLanguage } from "../web/words/language.ts";
import { wordsOf } from "../web/words/words.ts";
import { challenge } from "./challenge.ts";
import type { HttpLog, ShellContext, UnavailableLog } from "./context.ts";
import { showToAnyOrigin } from "./cors.ts";
import { localeOf } from "./language.ts";
import { sendPage } from "./page.ts";
import { problemDocument, problemType, retryAfter } from "./problems.ts";
import { shortIdAtPath, shortIdOf } from "./refused.ts";
import { routeOf } from "./request_origin.ts";
import type { RouteMethods } from "./route_methods.ts";
import { notKept } from "./security_headers.ts";
import { targetOf } from "./target.ts";

/**
 * A page for users, JSON for clients (RFC 6749, section 5.2), or problem details (RFC 9457) for the
 * management API and health checks. Revocation answers 200 `{}`, except for 404, 405 and 421 (spec 4.4, V-1).
 */
type ErrorFormat = "page" | "json" | "problem" | "revocation";

declare module "fastify" {
  interface FastifyContextConfig {
    errorFormat?: ErrorFormat;
    kept?: boolean;
  }
}

/**
 * The label `kind` in `postern_replays_total` for each replay that is counted here. Replayed codes and
 * refresh tokens are counted by their events (`report.ts`).
 */
const replays: ReadonlyMap<string, string> = new Map<RefusalKind, string>([
  ["dpop_replayed", "dpop_proof"],
  ["client_assertion_used", "client_assertion"],
  ["assertion_used", "assertion"],
]);

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly description: string;
  readonly detail?: Detail;
  readonly retry_after?: number;
  readonly errors?: readonly FieldError[];
  readonly kind?: ErrorKind | undefined;
  readonly short_id?: string | undefined;
}

/** Answers a thrown error; internal errors are logged in full and answered with a fixed sentence. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: ShellContext,
): FastifyReply {
  const errorFormat = errorFormatOf(request);
  const error = asRefusal(thrown);
  const explained = errorFormat === "page" || errorFormat === "json";
  const short_id = explained ? shortIdOf(error, routeOf(request), request, context) : undefined;
  const answer: Answer = { ...answerTo(error), ...unknownClient(error, context), short_id };
  const facts = {
    request_id: request.id,
    method: request.method,
    route: routeOf(request),
    error: answer.code,
  };
  if (error instanceof UnavailableError) context.unavailable.database(error, facts);
  else if (error instanceof OverloadedError) context.unavailable.hashing(error, facts);
  else if (answer.status >= 500 && !(error instanceof OAuthError && !isOurError(error)))
    context.log.error({ ...facts, err: error }, "a request failed");
  // A violated foreign key is logged as a warning, because a bug in this server could also cause it.
  else if (thrown instanceof ReferenceViolation)
    context.log.warn(
      { ...facts, err: thrown },
      "a request failed because a record was deleted at the same time",
    );
  else context.log.debug({ ...facts, description: answer.description }, "a request was refused");
  if (answer.retry_after !== undefined) reply.header("retry-after", answer.retry_after);
  if (request.routeOptions.config.kept) reply.headers(notKept);
  const refusal = error instanceof Problem ? error.cause : error;
  const replayed = refusal instanceof OAuthError ? replays.get(refusal.kind) : undefined;
  if (replayed !== undefined) context.metrics?.count("postern_replays_total", { kind: replayed });
  challenge(error, request, reply, { short_id, server: context.server });
  return send(answer, errorFormat, request, reply, context);
}

/** If clients can register themselves, an unknown client may have been removed for inactivity. */
function unknownClient(error: unknown, { server }: Pick<ShellContext, "server">): Pick<Answer, "kind"> {
  const { registration = "off" } = server.settings;
  const isUnknown = error instanceof OAuthError && error.kind === "client_id";
  return isUnknown && registration !== "off" ? { kind: "unknown_client" } : {};
}

/** Answers a path or a method that does not exist; `allowed` are the methods of an existing path. */
export function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[] | undefined,
  context: ShellContext,
): FastifyReply {
  const errorFormat = errorFormatOf(request);
  if (errorFormat === "json") showToAnyOrigin(targetOf(request).path, allowed, reply, context.server);
  if (allowed === undefined && request.method !== "TRACE") {
    const description = "no endpoint exists at this URL";
    return send({ status: 404, code: "invalid_request", description }, errorFormat, request, reply, context);
  }
  const methods = allowed ?? ["GET", "POST"];
  if (errorFormat === "page" && isReload(request, methods)) {
    return reply.redirect(placeAbove(targetOf(request).path, reply.server.route_methods), 303);
  }
  reply.header("allow", methods.join(", "));
  const refused = refuse("method", { method: request.method, allowed: methods });
  const short_id = errorFormat === "json" ? shortIdAtPath(refused, request, context) : undefined;
  return send({ ...answerTo(refused), short_id }, errorFormat, request, reply, context);
}

/**
 * A browser opens the URL of a form directly if, for example, the user reloads it in the address bar (Fetch
 * Metadata).
 */
function isReload({ method, headers }: FastifyRequest, allowed: readonly string[]): boolean {
  return method === "GET" && headers["sec-fetch-mode"] === "navigate" && allowed.includes("POST");
}

function placeAbove(path: string, routes: RouteMethods): string {
  const above = path.slice(0, path.lastIndexOf("/"));
  if (above === "") return "/";
  return routes.at(above)?.includes("GET") ? above : placeAbove(above, routes);
}

function answerTo(error: unknown): Answer {
  if (error instanceof OAuthError && !isOurError(error)) {
    const { status, code, description, retry_after } = error;
    const kind = refusalsOfPages.find((each) => each === error.kind);
    return { status, code, description, kind, ...(retry_after !== undefined && { retry_after }) };
  }
  if (error instanceof OverloadedError) {
    const description = "the server is busy; try again in a moment";
    return { status: 503, code: "temporarily_unavailable", description, retry_after: error.retry_after };
  }
  // Section 7 of docs/specification.md has no code for an unavailable database, so the code is
  // `server_error`.
  if (error instanceof UnavailableError) {
    const description = "the database is unavailable; try again in a moment";
    return { status: 503, code: "server_error", description, retry_after: error.retry_after };
  }
  if (error instanceof Problem) {
    const { status, code, detail, errors } = error;
    const description = detailText(detail, english);
    const retry_after = error.retry_after ?? retryAfter(code);
    return { status, code, description, detail, errors, ...(retry_after !== undefined && { retry_after }) };
  }
  const status = statusOfFramework(error);
  if (status !== undefined) {
    const description = status === 415 ? "the content type is not supported" : "the request is malformed";
    return { status, code: "invalid_request", description };
  }
  const code = error instanceof OAuthError ? error.code : "server_error";
  return {
    status: error instanceof OAuthError ? error.status : 500,
    code,
    description: "the server met an unexpected condition",
  };
}

/** A 5xx with `retry_after` was caused by the host of a client's metadata document. */
function isOurError({ status, retry_after }: OAuthError): boolean {
  return status >= 500 && retry_after === undefined;
}

const refusalsOfPages = [
  "client_document_unavailable",
  "foreign_form",
  "sign_in_ended",
  "dead_setup_link",
] as const satisfies readonly (RefusalKind & ErrorKind)[];

function asRefusal(error: unknown): unknown {
  const status = statusOfFramework(error);
  if (status === 413) return refuse("body_refused");
  // A record that the request needed, such as the user, the app or the organization, was deleted during the
  // request.
  if (error instanceof ReferenceViolation) return new Problem("conflict", detail("reference_gone"));
  return status === 414 ? refuse("address_refused") : error;
}

/** Error codes of the management API for which RFC 6749 has only `invalid_request` or `server_error`. */
const codesOfHttp = [
  "not_found",
  "method_not_allowed",
  "too_large",
  "address_too_long",
  "unsupported_media_type",
  "unavailable",
] as const satisfies readonly ProblemCode[];

/** Errors from other code may have a `statusCode` too, so only errors of the web framework count. */
function statusOfFramework(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error) || !("code" in error)) return undefined;
  const { statusCode, code } = error;
  const known = typeof statusCode === "number" && typeof code === "string" && code.startsWith("FST_");
  return known && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}

function errorFormatOf(request: FastifyRequest): ErrorFormat {
  const { errorFormat } = request.routeOptions.config;
  if (errorFormat !== undefined) return errorFormat;
  const { path } = targetOf(request);
  if (/^\/api(?:\/|$)/.test(path)) return "problem";
  if (/^\/(?:oauth|\.well-known)(?:\/|$)/.test(path)) return "json";
  return request.headers.accept?.includes("text/html") ? "page" : "json";
}

export function answerUnavailable(
  error: UnavailableError,
  request: FastifyRequest,
  reply: FastifyReply,
  { unavailable }: Pick<ShellContext, "unavailable">,
): FastifyReply {
  const facts = { request_id: request.id, method: request.method };
  unavailable.database(error, facts);
  reply.header("retry-after", error.retry_after);
  return send(answerTo(error), errorFormatOf(request), request, reply, {});
}

function send(
  answer: Answer,
  errorFormat: ErrorFormat,
  request: FastifyRequest,
  reply: FastifyReply,
  { server }: Partial<Pick<ShellContext, "server">>,
): FastifyReply {
  const { status, code, description, errors, short_id } = answer;
  switch (errorFormat) {
    case "revocation":
      // An unknown path or method is not a revocation request, and neither is a request meant for another
      // server.
      return reply.code([404, 405, 421].includes(status) ? status : 200).send({});
    case "json":
      return reply.code(status).send({
        error: code,
        error_description: description,
        ...(short_id !== undefined && server && { error_uri: refusalUri(short_id, server) }),
      });
    case "problem": {
      const isPlain = code === "invalid_request" || code === "server_error";
      const known = isPlain ? codesOfHttp.find((each) => statusOfProblem[each] === status) : undefined;
      const facts = { status, code: known ?? code, detail: description, request_id: request.id, errors };
      // For a string, the framework would add a charset, which this media type does not have (RFC 9457,
      // section 6.1).
      return reply
        .code(status)
        .type(problemType)
        .send(Buffer.from(JSON.stringify(problemDocument(facts))));
    }
    case "page":
      return sendPage(reply, pageOf(answer, request), { status });
    default:
      return errorFormat satisfies never;
  }
}

function pageOf(
  { status, code, description, detail: reason, kind = kindOf(status), short_id }: Answer,
  request: FastifyRequest,
): Html {
  const locale = localeOf(request);
  // Refusals of the management API are translated into fewer languages than pages are.
  const language = managementLanguage(locale.language, request.server.languages);
  const detail =
    kind !== "refused"
      ? undefined
      : reason === undefined
        ? ({ text: sentence(description), language: "en" } as const)
        : { text: sentence(detailText(reason, wordsOf(language))), language };
  const error = kind === "missing" || kind === "busy" ? undefined : code;
  return errorPage({ ...locale, kind, detail, error, short_id, request_id: request.id });
}

function kindOf(status: number): ErrorKind {
  if (status === 503) return "busy";
  if (status >= 500) return "broken";
  return status === 404 ? "missing" : "refused";
}

/** Turns a description into a sentence for users. */
export function sentence(description: string): string {
  if (/^[a-z]+_/.test(description)) return `The ${description}.`;
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
}

/** Milliseconds between two log lines with the same cause. */
const interval = 1000;

type Facts = Readonly<Record<string, unknown>>;

export function unavailableLog(log: HttpLog): UnavailableLog {
  const ofDatabase = seldom(log, "the database cannot be used");
  const ofHashing = seldom(log, "the server is too busy and refuses some requests");
  return {
    database: ({ kind, message }, facts) => ofDatabase({ ...facts, fault: kind, reason: message }),
    hashing: ({ message }, facts) => ofHashing({ ...facts, reason: message }),
  };
}

function seldom(log: HttpLog, message: string): (facts: Facts) => void {
  let written_at = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return (facts) => {
    if (performance.now() - written_at < interval) {
      suppressed += 1;
      return;
    }
    log.warn({ ...facts, requests_before: suppressed }, message);
    written_at = performance.now();
    suppressed = 0;
  };
}
