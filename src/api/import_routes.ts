/** Imports users from another identity server, many per request (MG-6): `POST /api/v1/import/people`. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AdminContext } from "../admin/access/actor.ts";
import { type ImportedPerson, importPeople } from "../admin/imports/import_people.ts";
import { requireImport, sourceShape } from "../admin/imports/may_import.ts";
import { detail } from "../errors/details.ts";
import { type FieldError, fieldError, unknownField } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { errorBody } from "../http/problems.ts";
import { countOperations } from "../http/rate_limits.ts";
import { apiBase } from "../http/route_methods.ts";
import { importScope } from "../records/definition/permissions.ts";
import type { ApiContext } from "./api_context.ts";
import { type JsonInput, jsonBodyOf, jsonTypes } from "./json.ts";
import { declarations, jsonType, sendOnce } from "./route_parts.ts";

export const mostImported = 500;
/**
 * The only `source` with which `complete_applied` is accepted, because only exports from Postern contain the
 * IDs of Postern users.
 */
const ofPostern = "postern";
export const mostImportBytes = 2 * 1_048_576;

export function importRoutes(app: FastifyInstance, context: ApiContext): void {
  const { writable } = declarations("users");
  /**
   * The caller is authenticated before the body is read, because anonymous callers may not send large bodies.
   * The handler uses the stored caller, because a DPoP proof is accepted only once.
   */
  const callers = new WeakMap<FastifyRequest, AdminContext>();
  const preParsing = async (request: FastifyRequest) => {
    const caller = await context.callerOf(request);
    await requireImport(caller);
    callers.set(request, caller);
  };
  const config = { ...writable.config, scope: importScope, most_body: mostImportBytes };
  const route = { ...writable, config, bodyLimit: mostImportBytes, preParsing };
  app.post(`${apiBase}/import/people`, route, async (request, reply) => {
    const caller = callers.get(request) ?? (await context.callerOf(request));
    const body = jsonBodyOf(request, jsonTypes);
    if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
    const { people, ...options } = readRequest(body.value);
    // The rate limit has already counted the request as one operation.
    countOperations(request, people.length - 1, context);
    const work = async () => {
      const results = (await importPeople(caller, people, options)).map(told);
      return { status: 200, headers: { "content-type": jsonType }, body: JSON.stringify({ results }) };
    };
    return sendOnce(request, reply, caller, body.text, work, async () => {
      await requireImport(caller);
      return undefined;
    });
  });
}

const told = ({ status, id, losses, errors }: ImportedPerson) => ({
  status,
  ...(id !== undefined && { id }),
  losses: losses.map(errorBody),
  errors: errors.map(errorBody),
});

function readRequest({ source, people, dry_run = false, complete_applied = false, ...unknown }: JsonInput) {
  const errors: FieldError[] = Object.keys(unknown).map((name) => unknownField(name));
  if (typeof source !== "string" || !sourceShape.test(source)) errors.push(fieldError("/source", "not_slug"));
  if (!Array.isArray(people)) errors.push(fieldError("/people", "not_list"));
  else if (people.length < 1 || people.length > mostImported)
    errors.push(fieldError("/people", "list_out_of_range", { min: 1, max: mostImported }));
  for (const [name, value] of Object.entries({ dry_run, complete_applied }))
    if (typeof value !== "boolean") errors.push(fieldError(`/${name}`, "not_boolean"));
  if (complete_applied === true && source !== ofPostern)
    errors.push(fieldError("/complete_applied", "only_of_source", { source: ofPostern }));
  if (errors.length > 0) throw new Problem("invalid_record", detail("wrong_operations"), errors);
  return {
    source: source as string,
    people: people as readonly unknown[],
    dry_run: dry_run === true,
    complete_applied: complete_applied === true,
  };
}
