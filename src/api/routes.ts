/** The management API (docs/api.md). `admin/resources/resources.ts` defines what each resource type has. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { requirePermission } from "../admin/access/access.ts";
import type { AdminContext } from "../admin/access/actor.ts";
import {
  actOnRecord,
  createRecord,
  etagOf,
  getRecord,
  inState,
  readOfRecord,
  removeRecord,
  revokeRecord,
} from "../admin/manage/manage.ts";
import { patchRecord } from "../admin/manage/patch_record.ts";
import { requirePermissionToRepeat } from "../admin/manage/repeat_permission.ts";
import { hasEnding, ownReadsOf, ownVerbsOf, spelledVerb } from "../admin/manage/resource.ts";
import { impactOf } from "../admin/reports/impact.ts";
import { type Expected, type Resource, resources } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { showToNamedOrigin } from "../http/named_origins.ts";
import { apiBase, everyApiPath } from "../http/route_methods.ts";
import { targetOf } from "../http/target.ts";
import { readScope, scopeOf } from "../records/definition/permissions.ts";
import type { ApiContext } from "./api_context.ts";
import { bulkRoutes } from "./bulk_routes.ts";
import { requiredStates } from "./conditions.ts";
import { exportAuditEvents } from "./export.ts";
import { feedRoutes } from "./feed_routes.ts";
import { importRoutes } from "./import_routes.ts";
import { introspectionRoutes } from "./introspection_routes.ts";
import { invitationRoutes } from "./invitation_routes.ts";
import { jsonBodyOf, jsonTypes, patchTypes } from "./json.ts";
import { manifestRoutes } from "./manifest_routes.ts";
import { describeCaller } from "./me.ts";
import { previewRoutes } from "./preview_routes.ts";
import { namedRoutes, nestedRoutes, readPage, sendRecord } from "./reading_routes.ts";
import {
  declarations,
  filtersOf,
  hearing,
  idOf,
  jsonType,
  recordAnswer,
  refuseMembers,
  sendOnce,
} from "./route_parts.ts";
import { serverRoutes } from "./server_routes.ts";

/**
 * Registers every route of the API. `app` must be a Fastify context of its own, because the hooks apply to
 * all its routes.
 */
export function apiRoutes(app: FastifyInstance, context: ApiContext): void {
  app.addHook("onRequest", (request, reply, done) => {
    showToNamedOrigin(request, reply, context.server);
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    context.rate_limits?.addHeaders(request, reply);
    done();
  });
  app.options(everyApiPath, { config: { errorFormat: "problem" } }, async (request, reply) => {
    const allowed = app.route_methods.at(targetOf(request).path);
    if (allowed === undefined) return reply.callNotFound();
    return reply.code(204).header("allow", allowed.join(", ")).send();
  });
  feedRoutes(app, context);
  for (const resource of resources) {
    if (resource.resourceType !== "events") collectionRoutes(app, resource, context);
    recordRoutes(app, resource, context);
    namedRoutes(app, resource, context);
    nestedRoutes(app, resource, context);
    bulkRoutes(app, resource, context);
  }
  invitationRoutes(app, context);
  serverRoutes(app, context);
  manifestRoutes(app, context);
  importRoutes(app, context);
  introspectionRoutes(app, context);
  previewRoutes(app, context);
  const { readable: audit } = declarations("audit_events");
  const readable = { ...audit, config: { ...audit.config, scope: readScope } };
  getAndHead(app, `${apiBase}/me`, readable, async (request) =>
    describeCaller(await context.callerOf(request)),
  );
  const exporting = `${apiBase}/audit-events/export`;
  getAndHead(app, exporting, audit, (request, reply) => exportAuditEvents(request, reply, context));
}

function collectionRoutes(app: FastifyInstance, resource: Resource, context: ApiContext): void {
  const path = `${apiBase}/${resource.path}`;
  const { readable, writable } = declarations(resource.resourceType);
  getAndHead(app, path, readable, async (request) =>
    readPage(await context.callerOf(request), resource, request),
  );
  if (resource.create !== undefined) {
    app.post(path, writable, async (request, reply) => {
      const caller = await context.callerOf(request);
      const body = jsonBodyOf(request, jsonTypes);
      if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
      const work = async () => {
        const { record, once, requested } = await createRecord(hearing(caller, reply), resource, body.value);
        if (requested)
          return { status: 202, headers: { "content-type": jsonType }, body: JSON.stringify(record) };
        const location = `${path}/${record.id}`;
        return recordAnswer(201, record, { ...record, ...once }, { location });
      };
      return sendOnce(request, reply, caller, body.text, work, async ({ status, body: made }) => {
        const made_id = status === 201 ? idMadeIn(made) : undefined;
        await requirePermissionToRepeat(caller, resource, body.value, made_id);
        return undefined;
      });
    });
  }
}

function recordRoutes(app: FastifyInstance, resource: Resource, context: ApiContext): void {
  const path = `${apiBase}/${resource.path}/:id`;
  const { readable, writable } = declarations(resource.resourceType);

  getAndHead(app, path, readable, async (request, reply) => {
    const caller = await context.callerOf(request);
    const id = idOf(request, resource);
    return sendRecord(caller, resource, request, reply, () => getRecord(caller, resource, id));
  });

  if (resource.update !== undefined) {
    app.patch(path, writable, async (request, reply) => {
      const caller = await context.callerOf(request);
      const body = jsonBodyOf(request, patchTypes);
      if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
      const expected = await expectedState(request, resource, caller);
      const heard = hearing(caller, reply);
      const record = await patchRecord(heard, resource, idOf(request, resource), body.value, expected);
      return reply.header("etag", etagOf(record)).send(record);
    });
  }

  if (resource.remove !== undefined) {
    app.delete(path, writable, async (request, reply) => {
      const caller = await context.callerOf(request);
      const expected = await expectedState(request, resource, caller);
      await removeRecord(caller, resource, idOf(request, resource), expected, filtersOf(request));
      return reply.code(204).send();
    });
  }

  if (resource.revoke !== undefined) {
    const revocation = `${path}/revoke`;
    app.post(revocation, writable, async (request, reply) => {
      const caller = await context.callerOf(request);
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
  }

  if (hasEnding(resource)) {
    const ending = {
      ...readable,
      config: { ...readable.config, scope: scopeOf(`${resource.resourceType}:write`) },
    };
    getAndHead(app, `${path}/impact`, ending, async (request) =>
      impactOf(await context.callerOf(request), resource, idOf(request, resource)),
    );
  }

  for (const name of ownReadsOf(resource)) {
    const further = `${path}/${spelledVerb(name)}`;
    getAndHead(app, further, readable, async (request) =>
      readOfRecord(await context.callerOf(request), resource, name, idOf(request, resource)),
    );
  }

  for (const verb of ownVerbsOf(resource)) {
    const act = `${path}/${spelledVerb(verb)}`;
    app.post(act, writable, async (request, reply) => {
      const caller = await context.callerOf(request);
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
  }
}

async function expectedState(
  request: FastifyRequest,
  resource: Resource,
  caller: AdminContext,
): Promise<Expected | undefined> {
  const states = requiredStates(request);
  return states && inState(caller, resource, ...states);
}

const idMadeIn = (body: string): unknown => (JSON.parse(body) as { readonly id?: unknown }).id;
