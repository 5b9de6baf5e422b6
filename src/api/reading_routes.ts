import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requirePermission } from "../admin/access/access.ts";
import type { AdminContext } from "../admin/access/actor.ts";
import { listRecords, type RecordPage } from "../admin/manage/list_records.ts";
import { etagOf } from "../admin/manage/manage.ts";
import { getNamedRecord, lookUpColumn } from "../admin/manage/named_records.ts";
import { readInclude, requireIncludedFits, withIncluded } from "../admin/resources/include.ts";
import { nestedListsOf } from "../admin/resources/nested_lists.ts";
import type { Resource } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { fieldError, unknownParameter } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { apiBase } from "../http/route_methods.ts";
import { targetOf } from "../http/target.ts";
import type { PublicView } from "../records/definition/view.ts";
import type { ApiContext } from "./api_context.ts";
import { isKnown } from "./conditions.ts";
import { declarations, filtersOf, idOf } from "./route_parts.ts";

/**
 * Returns the path by which records are looked up by their natural key, such as `/api/v1/apps/by-client-id`,
 * and the column of the key. Undefined if the resource has no such key.
 */
export function namedPathOf(resource: Resource): { path: string; column: string } | undefined {
  const column = lookUpColumn(resource);
  if (column === undefined) return undefined;
  return { path: `${apiBase}/${resource.path}/by-${column.replaceAll("_", "-")}`, column };
}

/**
 * Returns a page of a list with the included records; `narrowed` are filters that the path sets. Throws 400
 * `invalid_filter` if the query repeats one of them.
 */
export async function readPage(
  caller: AdminContext,
  resource: Resource,
  request: FastifyRequest,
  narrowed: Readonly<Record<string, string>> = {},
): Promise<RecordPage> {
  const { include, ...query } = filtersOf(request);
  const included = readInclude(resource, include);
  const errors = Object.keys(narrowed)
    .filter((name) => Object.hasOwn(query, name))
    .map((name) => fieldError(`/${name}`, "repeated"));
  if (errors.length > 0) throw new Problem("invalid_filter", detail("wrong_filter"), errors);
  const page = await listRecords(caller, resource, { ...query, ...narrowed });
  const data = await withIncluded(caller, page.data, included);
  requireIncludedFits(data);
  return { ...page, data };
}

/**
 * Responds with one record from `read`. The ETag covers only the record, so with `include` there is no 304:
 * included records may have changed. Throws 400 `invalid_filter` for unknown query parameters.
 */
export async function sendRecord(
  caller: AdminContext,
  resource: Resource,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<PublicView>,
): Promise<FastifyReply> {
  const { include, ...unknown } = filtersOf(request);
  const errors = Object.keys(unknown).map((name) => unknownParameter(name));
  if (errors.length > 0) throw new Problem("invalid_filter", detail("wrong_parameter"), errors);
  const included = readInclude(resource, include);
  const record = await read();
  const etag = etagOf(record);
  reply.header("etag", etag);
  if (included.size === 0) return isKnown(request, etag) ? reply.code(304).send() : reply.send(record);
  const [whole] = await withIncluded(caller, [record], included);
  return reply.send(whole);
}

export function namedRoutes(app: FastifyInstance, resource: Resource, context: ApiContext): void {
  const named = namedPathOf(resource);
  if (named === undefined) return;
  const { readable } = declarations(resource.resourceType);
  // A wildcard matches the name, because the router limits a parameter to 255 characters and identifiers may
  // be longer.
  const pattern = `${named.path}/*`;
  getAndHead(app, pattern, readable, async (request, reply) => {
    const caller = await context.callerOf(request);
    const name = nameOf(request, `${named.path}/`);
    return sendRecord(caller, resource, request, reply, () => getNamedRecord(caller, resource, name));
  });
}

/**
 * Returns the name in the path: one segment, decoded once (RFC 3986 2.1). For a malformed segment, returns a
 * NUL character, which no name contains.
 */
function nameOf(request: FastifyRequest, prefix: string): string {
  const segment = targetOf(request).path.slice(prefix.length);
  try {
    return segment.includes("/") ? "\0" : decodeURIComponent(segment);
  } catch {
    return "\0";
  }
}

export function nestedRoutes(app: FastifyInstance, resource: Resource, context: ApiContext): void {
  for (const { listed, by, name } of nestedListsOf(resource)) {
    const path = `${apiBase}/${resource.path}/:id/${name}`;
    const { readable } = declarations(listed.resourceType);
    getAndHead(app, path, readable, async (request) => {
      const caller = await context.callerOf(request);
      const id = idOf(request, resource);
      await requirePermission(caller, `${resource.resourceType}:read`, resource.table, id);
      return readPage(caller, listed, request, { [by.name]: id });
    });
  }
}
