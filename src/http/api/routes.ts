/**
 * The management API (docs/api.md): a list for each resource type, and for each record the verbs of its
 * resource type. Nothing but the export of audit events is about one of them:
 * `admin/resources/resources.ts` says what each has.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { requirePermission } from "../../admin/access/access.ts";
import type { AdminContext } from "../../admin/access/actor.ts";
import { isSensitive } from "../../admin/access/sensitive.ts";
import { answerOnce, type KeptAnswer } from "../../admin/idempotency.ts";
import {
  actOnRecord,
  createRecord,
  etagOf,
  getRecord,
  inState,
  listRecords,
  readOfRecord,
  removeRecord,
  revokeRecord,
} from "../../admin/manage.ts";
import { patchRecord } from "../../admin/patch_record.ts";
import { requirePermissionToRepeat } from "../../admin/repeat_permission.ts";
import { ownReadsOf, ownVerbsOf, spelledVerb } from "../../admin/resources/resource.ts";
import { type Expected, type Resource, resources } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/check.ts";
import { type ResourceType, readScope, scopeOf } from "../../records/permissions.ts";
import type { PublicView } from "../../records/view.ts";
import { english } from "../../web/words/english.ts";
import { detailText } from "../../web/words/field_errors.ts";
import type { HttpContext } from "../context.ts";
import { offerNonce } from "../oauth/offer_nonce.ts";
import { targetOf } from "../target.ts";
import { callerOf } from "./caller.ts";
import { isKnown, requiredStates } from "./conditions.ts";
import { exportAuditEvents } from "./export.ts";
import { type JsonInput, jsonBodyOf, jsonTypes, patchTypes } from "./json.ts";
import { describeCaller } from "./me.ts";
import { problemDocument, problemType } from "./problems.ts";
import { filtersOf } from "./query.ts";

const apiBase = "/api/v1";

const jsonType = "application/json; charset=utf-8";

/** How the routes of a resource type are declared, each with the scope that is enough for it. */
function declarations(resourceType: ResourceType, { server }: HttpContext) {
  const onRequest = offerNonce(server);
  const declared = (scope: string) => ({ config: { errorFormat: "problem" as const, scope }, onRequest });
  return {
    readable: { ...declared(scopeOf(`${resourceType}:read`)), exposeHeadRoute: true },
    writable: sensitively(declared(scopeOf(`${resourceType}:write`)), isSensitive(resourceType)),
  };
}

/** With the mark of what waits for a fresh sign-in, where a setting says so (SU-7). */
function sensitively<D extends { readonly config: object }>(declared: D, sensitive: boolean) {
  return { ...declared, config: { ...declared.config, sensitive } };
}

export function apiRoutes(app: FastifyInstance, context: HttpContext): void {
  for (const resource of resources) {
    collectionRoutes(app, resource, context);
    recordRoutes(app, resource, context);
  }
  const { readable: audit } = declarations("audit_events", context);
  const readable = { ...audit, config: { ...audit.config, scope: readScope } };
  app.get(`${apiBase}/me`, readable, async (request) => describeCaller(await callerOf(request, context)));
  answerOptions(app, `${apiBase}/me`, ["GET", "HEAD"]);
  const exporting = `${apiBase}/audit-events/export`;
  app.get(exporting, audit, (request, reply) => exportAuditEvents(request, reply, context));
  answerOptions(app, exporting, ["GET", "HEAD"]);
}

function collectionRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const path = `${apiBase}/${resource.path}`;
  const { readable, writable } = declarations(resource.resourceType, context);
  const allowed: HTTPMethods[] = ["GET", "HEAD"];
  app.get(path, readable, async (request) =>
    listRecords(await callerOf(request, context), resource, filtersOf(request)),
  );
  if (resource.create !== undefined) {
    allowed.push("POST");
    app.post(path, writable, async (request, reply) => {
      const caller = await callerOf(request, context);
      const body = jsonBodyOf(request, jsonTypes);
      if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
      const work = async () => {
        const { record, once, asked } = await createRecord(hearing(caller, reply), resource, body.value);
        if (asked)
          return { status: 202, headers: { "content-type": jsonType }, body: JSON.stringify(record) };
        const location = `${path}/${record.id}`;
        return recordAnswer(201, record, { ...record, ...once }, { location });
      };
      return sendOnce(request, reply, caller, body.text, work, ({ status, body: made }) =>
        requirePermissionToRepeat(caller, resource, body.value, status === 201 ? idMadeIn(made) : undefined),
      );
    });
  }
  answerOptions(app, path, allowed);
}

function recordRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const path = `${apiBase}/${resource.path}/:id`;
  const { readable, writable } = declarations(resource.resourceType, context);
  const allowed: HTTPMethods[] = ["GET", "HEAD"];

  app.get(path, readable, async (request, reply) => {
    const record = await getRecord(await callerOf(request, context), resource, idOf(request, resource));
    const etag = etagOf(record);
    reply.header("etag", etag);
    return isKnown(request, etag) ? reply.code(304).send() : reply.send(record);
  });

  if (resource.update !== undefined) {
    allowed.push("PATCH");
    app.patch(path, writable, async (request, reply) => {
      const caller = await callerOf(request, context);
      const body = jsonBodyOf(request, patchTypes);
      if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
      const expected = await expectedState(request, resource, caller);
      const heard = hearing(caller, reply);
      const record = await patchRecord(heard, resource, idOf(request, resource), body.value, expected);
      return reply.header("etag", etagOf(record)).send(record);
    });
  }

  if (resource.remove !== undefined) {
    allowed.push("DELETE");
    app.delete(path, writable, async (request, reply) => {
      const caller = await callerOf(request, context);
      const expected = await expectedState(request, resource, caller);
      await removeRecord(caller, resource, idOf(request, resource), expected, filtersOf(request));
      return reply.code(204).send();
    });
  }

  if (resource.revoke !== undefined) {
    const revocation = `${path}/revoke`;
    app.post(revocation, writable, async (request, reply) => {
      const caller = await callerOf(request, context);
      const body = jsonBodyOf(request, jsonTypes);
      refuseMembers(body?.value ?? {});
      const expected = await expectedState(request, resource, caller);
      const id = idOf(request, resource);
      const work = async () => {
        const record = await revokeRecord(caller, resource, id, expected);
        return recordAnswer(200, record, record);
      };
      return sendOnce(request, reply, caller, body?.text ?? "", work, async () => {
        await requirePermission(caller, `${resource.resourceType}:write`, resource.table, id);
      });
    });
    answerOptions(app, revocation, ["POST"]);
  }

  for (const name of ownReadsOf(resource)) {
    const further = `${path}/${spelledVerb(name)}`;
    app.get(further, readable, async (request) =>
      readOfRecord(await callerOf(request, context), resource, name, idOf(request, resource)),
    );
    answerOptions(app, further, ["GET", "HEAD"]);
  }

  for (const verb of ownVerbsOf(resource)) {
    const act = `${path}/${spelledVerb(verb)}`;
    app.post(act, writable, async (request, reply) => {
      const caller = await callerOf(request, context);
      const body = jsonBodyOf(request, jsonTypes);
      if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
      const expected = await expectedState(request, resource, caller);
      const id = idOf(request, resource);
      const work = async () => {
        const record = await actOnRecord(caller, resource, verb, id, body.value, expected);
        return recordAnswer(200, record, record);
      };
      return sendOnce(request, reply, caller, body.text, work, async () => {
        await requirePermission(caller, `${resource.resourceType}:write`, resource.table, id);
      });
    });
    answerOptions(app, act, ["POST"]);
  }
  answerOptions(app, path, allowed);
}

/** With the answer as the place of what nothing is refused for: a header, one entry for each notice. */
function hearing(caller: AdminContext, reply: FastifyReply): AdminContext {
  const notices = new Set<string>();
  return {
    ...caller,
    warn(message) {
      notices.add(message);
      reply.header("postern-notice", [...notices].join(", "));
    },
  };
}

/**
 * The id in the path. Throws 404 `not_found` for what is none, without a word of it: somebody may have put a
 * secret there.
 */
function idOf(request: FastifyRequest, { noun }: Resource): string {
  const { id } = request.params as { id: string };
  if (isUuid(id)) return id;
  throw new Problem("not_found", detail("not_id_of_record", { record: noun }));
}

function refuseMembers(input: JsonInput): void {
  const errors = Object.keys(input).map((name) => fieldError(`/${name}`, "not_taken"));
  if (errors.length > 0) throw new Problem("invalid_record", detail("nothing_taken"), errors);
}

async function expectedState(
  request: FastifyRequest,
  resource: Resource,
  caller: AdminContext,
): Promise<Expected | undefined> {
  const states = requiredStates(request);
  return states && inState(caller, resource, ...states);
}

function recordAnswer(
  status: number,
  record: PublicView,
  shown: PublicView,
  headers: Readonly<Record<string, string>> = {},
): KeptAnswer {
  return {
    status,
    headers: { "content-type": jsonType, etag: etagOf(record), ...headers },
    body: JSON.stringify(shown),
  };
}

/** Sends the answer to a POST, or with an `Idempotency-Key` the answer to the first one of this key. */
async function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: AdminContext,
  body: string,
  work: () => Promise<KeptAnswer>,
  permit: (answer: KeptAnswer) => Promise<void>,
): Promise<FastifyReply> {
  const key = idempotencyKey(request);
  if (key === undefined) return send(reply, await work());
  const { method } = request;
  const { path } = targetOf(request);
  const { answer, repeated } = await answerOnce(
    caller,
    { method, path, key, body },
    () => work().catch((error: unknown) => refusal(error, request)),
    permit,
  );
  if (repeated) reply.header("idempotency-replayed", "true");
  return send(reply, answer);
}

const idMadeIn = (body: string): unknown => (JSON.parse(body) as { readonly id?: unknown }).id;

function send(reply: FastifyReply, { status, headers, body }: KeptAnswer): FastifyReply {
  // As bytes, so that the framework adds no charset to media types that have none.
  return reply.code(status).headers(headers).send(Buffer.from(body));
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7E]{1,255}$/.test(key)) return key;
  throw new Problem("invalid_request", detail("wrong_idempotency_key"));
}

/** A refusal is an answer like any other; what is our fault is thrown on. */
function refusal(error: unknown, request: FastifyRequest): KeptAnswer {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  const { status, code, errors } = error;
  const detail = detailText(error.detail, english);
  const problem = problemDocument({ status, code, detail, errors, request_id: request.id });
  return { status, headers: { "content-type": problemType }, body: JSON.stringify(problem) };
}

function answerOptions(app: FastifyInstance, path: string, methods: readonly HTTPMethods[]): void {
  const allow = [...methods, "OPTIONS"].join(", ");
  const options = { config: { errorFormat: "problem" as const } };
  app.options(path, options, async (_request, reply) => reply.code(204).header("allow", allow).send());
}
