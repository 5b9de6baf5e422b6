/**
 * Applies many changes to records of one resource type in one request, for example `POST /api/v1/bulk/users`
 * (docs/decisions/management-api.md).
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { requirePermission } from "../admin/access/access.ts";
import type { AdminContext } from "../admin/access/actor.ts";
import { bulkActsOf, doOperation, readOperations } from "../admin/manage/bulk.ts";
import type { StoredAnswer } from "../admin/manage/idempotency.ts";
import { requirePermissionToRepeat } from "../admin/manage/repeat_permission.ts";
import type { Resource } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { OverloadedError, Problem, UnavailableError } from "../errors.ts";
import { problemDocument } from "../http/problems.ts";
import { countOperations } from "../http/rate_limits.ts";
import { apiBase } from "../http/route_methods.ts";
import type { PublicView } from "../records/definition/view.ts";
import { english } from "../web/words/english.ts";
import { detailText } from "../web/words/error_text.ts";
import type { ApiContext } from "./api_context.ts";
import { jsonBodyOf, jsonTypes } from "./json.ts";
import { declarations, hearing, jsonType, sendOnce } from "./route_parts.ts";

interface BulkResult {
  readonly status: number;
  readonly etag?: string;
  readonly data?: PublicView;
  readonly error?: ReturnType<typeof problemDocument>;
}

export function bulkRoutes(app: FastifyInstance, resource: Resource, context: ApiContext): void {
  if (bulkActsOf(resource).length === 0) return;
  const path = `${apiBase}/bulk/${resource.path}`;
  const { writable } = declarations(resource.resourceType);
  app.post(path, writable, async (request, reply) => {
    const caller = await context.callerOf(request);
    const body = jsonBodyOf(request, jsonTypes);
    if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
    const operations = readOperations(resource, body.value, context.rate_limits?.limit);
    // The rate limit has already counted the request as one operation.
    countOperations(request, operations.length - 1, context);
    const heard = hearing(caller, reply);
    const work = async (): Promise<StoredAnswer> => {
      const results: BulkResult[] = [];
      let stopped: BulkResult | undefined;
      // Operations run one after another, so that one may depend on an earlier one, and only one database
      // connection is used.
      for (const operation of operations) {
        const result: BulkResult =
          stopped ??
          (await doOperation(heard, resource, operation).catch((error: unknown) =>
            refused(error, request, context),
          ));
        // A server error would affect the remaining operations as well, so they are not tried.
        if (result.status >= 500) stopped = result;
        results.push(result);
      }
      return answerWith(results);
    };
    return sendOnce(request, reply, caller, body.text, work, async ({ status, body: made }) => {
      if (status !== 200) return undefined;
      const { results } = JSON.parse(made) as { results: BulkResult[] };
      return answerWith(
        await Promise.all(results.map((result) => stillExposed(caller, resource, result, request, context))),
      );
    });
  });
}

function answerWith(results: readonly BulkResult[]): StoredAnswer {
  return { status: 200, headers: { "content-type": jsonType }, body: JSON.stringify({ results }) };
}

async function stillExposed(
  caller: AdminContext,
  resource: Resource,
  result: BulkResult,
  request: FastifyRequest,
  context: ApiContext,
): Promise<BulkResult> {
  const { status, data } = result;
  if (data === undefined) return result;
  try {
    if (status === 201) await requirePermissionToRepeat(caller, resource, data, data.id);
    else if (status === 200) {
      const { resourceType, table } = resource;
      await requirePermission(caller, `${resourceType}:write`, table, String(data.id));
    }
    return result;
  } catch (error) {
    return refused(error, request, context);
  }
}

function refused(error: unknown, request: FastifyRequest, { log }: ApiContext): BulkResult {
  const { id: request_id } = request;
  if (error instanceof Problem) {
    const { status, code, errors } = error;
    const text = detailText(error.detail, english);
    return { status, error: problemDocument({ status, code, detail: text, errors, request_id }) };
  }
  const busy = error instanceof OverloadedError;
  const away = error instanceof UnavailableError;
  if (!busy) log.error({ request_id, route: request.routeOptions.url, err: error }, "a request failed");
  const code = busy ? "temporarily_unavailable" : away ? "unavailable" : "server_error";
  const status = busy || away ? 503 : 500;
  const text =
    busy || away
      ? "this operation and the operations after it were not executed"
      : "the server met an unexpected condition";
  return { status, error: problemDocument({ status, code, detail: text, request_id }) };
}
