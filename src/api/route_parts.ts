import type { FastifyReply, FastifyRequest } from "fastify";
import type { AdminContext } from "../admin/access/actor.ts";
import { isSensitive } from "../admin/access/sensitive.ts";
import { answerOnce, type StoredAnswer } from "../admin/manage/idempotency.ts";
import { etagOf } from "../admin/manage/manage.ts";
import type { Resource } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { problemDocument, problemType } from "../http/problems.ts";
import { queryOf, targetOf } from "../http/target.ts";
import { type ResourceType, scopeOf } from "../records/definition/permissions.ts";
import type { PublicView } from "../records/definition/view.ts";
import { isUuid } from "../records/formats/check.ts";
import { english } from "../web/words/english.ts";
import { detailText } from "../web/words/error_text.ts";
import type { JsonInput } from "./json.ts";

const noticeHeader = "postern-notice";

export const jsonType = "application/json; charset=utf-8";

/** Returns the options of a resource type's routes, each with the scope that suffices for it. */
export function declarations(resourceType: ResourceType) {
  const declared = (scope: string) => ({ config: { errorFormat: "problem" as const, scope } });
  return {
    readable: declared(scopeOf(`${resourceType}:read`)),
    writable: sensitively(declared(scopeOf(`${resourceType}:write`)), isSensitive(resourceType)),
  };
}

/**
 * In a browser session, sensitive operations require a recent sign-in. If `POSTERN_API_STEP_UP_AGE` is set,
 * this also applies to a user's token (SU-7).
 */
function sensitively<D extends { readonly config: object }>(declared: D, sensitive: boolean) {
  return { ...declared, config: { ...declared.config, sensitive } };
}

/**
 * Returns the id in the path. Throws 404 `not_found` for an invalid id, without repeating it: a caller may
 * have sent a secret.
 */
export function idOf(request: FastifyRequest, { noun }: Resource): string {
  const { id } = request.params as { id: string };
  if (isUuid(id)) return id;
  throw new Problem("not_found", detail("not_id_of_record", { record: noun }));
}

/** Returns the response with a record: the body is `shown`, and the ETag is that of `record`. */
export function recordAnswer(
  status: number,
  record: PublicView,
  shown: PublicView,
  headers: Readonly<Record<string, string>> = {},
): StoredAnswer {
  return {
    status,
    headers: { "content-type": jsonType, etag: etagOf(record), ...headers },
    body: JSON.stringify(shown),
  };
}

/**
 * Sends the response to a POST request. With an `Idempotency-Key`, a repeated request gets the stored
 * response and does not run `work`, unless `permit` throws or returns another response. Server errors are not
 * stored.
 */
export async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: AdminContext,
  body: string,
  work: () => Promise<StoredAnswer>,
  permit: (answer: StoredAnswer) => Promise<StoredAnswer | undefined>,
): Promise<FastifyReply> {
  const key = idempotencyKey(request);
  if (key === undefined) return send(reply, await work());
  const { method } = request;
  const { path } = targetOf(request);
  const { answer, repeated } = await answerOnce(
    caller,
    { method, path, key, body },
    async () => withNotices(await work().catch((error: unknown) => refusal(error, request)), reply),
    permit,
  );
  if (repeated) reply.header("idempotency-replayed", "true");
  return send(reply, answer);
}

function send(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  // The body is sent as bytes, so that the framework does not add a charset to media types that have none.
  return reply.code(status).headers(headers).send(Buffer.from(body));
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7E]{1,255}$/.test(key)) return key;
  throw new Problem("invalid_request", detail("wrong_idempotency_key"));
}

/** Server errors are not stored, so that a repeated request is carried out. */
function refusal(error: unknown, request: FastifyRequest): StoredAnswer {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  const { status, code, errors } = error;
  const detail = detailText(error.detail, english);
  const problem = problemDocument({ status, code, detail, errors, request_id: request.id });
  return { status, headers: { "content-type": problemType }, body: JSON.stringify(problem) };
}

/**
 * Adds the notices of `hearing` to the stored response, so that a caller that repeats the request gets them
 * again.
 */
function withNotices(answer: StoredAnswer, reply: FastifyReply): StoredAnswer {
  const said = reply.getHeader(noticeHeader);
  if (typeof said !== "string") return answer;
  return { ...answer, headers: { ...answer.headers, [noticeHeader]: said } };
}

/**
 * Maximum characters of all notices together, because proxies and clients refuse a response with a much
 * longer header.
 */
const mostNoticed = 2048;

/** Returns the caller's context with a `warn` that adds each warning to a header of the response. */
export function hearing(caller: AdminContext, reply: FastifyReply): AdminContext {
  const notices = new Set<string>();
  let [said, further] = ["", 0];
  return {
    ...caller,
    warn(message) {
      if (notices.has(message)) return;
      notices.add(message);
      const longer = said === "" ? message : `${said}, ${message}`;
      if (further > 0 || longer.length > mostNoticed) further += 1;
      else said = longer;
      reply.header(noticeHeader, further === 0 ? said : `${said}, and ${further} more`);
    },
  };
}

/** Throws 422 `invalid_record` if the caller sends fields to an operation that accepts no input. */
export function refuseMembers(input: JsonInput): void {
  const errors = Object.keys(input).map((name) => fieldError(`/${name}`, "not_taken"));
  if (errors.length > 0) throw new Problem("invalid_record", detail("nothing_taken"), errors);
}

/** Returns the query parameters by name. Throws 400 `invalid_filter` naming those that are repeated. */
export function filtersOf(request: FastifyRequest): Readonly<Record<string, string>> {
  const { pairs } = queryOf(request);
  const seen = new Set<string>();
  const repeated = new Set(pairs.map(([name]) => name).filter((name) => seen.has(name) || !seen.add(name)));
  if (repeated.size > 0) {
    const errors = [...repeated].map((name) => fieldError(`/${name}`, "repeated"));
    throw new Problem("invalid_filter", detail("parameter_repeated"), errors);
  }
  return Object.fromEntries(pairs);
}
