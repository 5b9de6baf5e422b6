import type { FastifyInstance, FastifyRequest } from "fastify";
import { type AdminContext, isUnlimited, permissionsOfActor } from "../admin/access/actor.ts";
import { sourceShape } from "../admin/imports/may_import.ts";
import { applyManifest } from "../admin/manifest/apply_manifest.ts";
import { exportManifest } from "../admin/manifest/export.ts";
import { detail } from "../errors/details.ts";
import { type FieldError, fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { apiBase } from "../http/route_methods.ts";
import { manageScope, readScope } from "../records/definition/permissions.ts";
import type { ApiContext } from "./api_context.ts";
import { type JsonInput, jsonBodyOf, jsonTypes } from "./json.ts";
import { declarations, hearing, jsonType, sendOnce } from "./route_parts.ts";
import { requireWholeServer } from "./server_routes.ts";

/** Maximum size of a manifest request in bytes, enough for several thousand records. */
export const mostManifest = 1_048_576;

export function manifestRoutes(app: FastifyInstance, context: ApiContext): void {
  const { readable, writable } = declarations("users");
  getAndHead(
    app,
    `${apiBase}/export`,
    { ...readable, config: { ...readable.config, scope: readScope } },
    async (request, reply) => {
      const caller = await context.callerOf(request);
      await requireWholeServer(caller);
      return exportManifest(hearing(caller, reply));
    },
  );

  /**
   * The caller is authenticated before the body is read, because anonymous callers may not send large bodies.
   * The handler uses the stored caller, because a DPoP proof is accepted only once.
   */
  const callers = new WeakMap<FastifyRequest, AdminContext>();
  const config = { ...writable.config, scope: manageScope, most_body: mostManifest };
  const preParsing = async (request: FastifyRequest) => {
    const caller = await context.callerOf(request);
    await requireEverything(caller);
    callers.set(request, caller);
  };
  const route = { ...writable, config, bodyLimit: mostManifest, preParsing };
  app.post(`${apiBase}/apply`, route, async (request, reply) => {
    const caller = callers.get(request) ?? (await context.callerOf(request));
    const body = jsonBodyOf(request, jsonTypes);
    if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
    const { manifest, ...options } = readRequest(body.value);
    const work = async () => {
      const result = await applyManifest(manifest, hearing(caller, reply), {
        ...{ ...options, onProgress: context.onProgress },
      });
      return { status: 200, headers: { "content-type": jsonType }, body: JSON.stringify(result) };
    };
    return sendOnce(request, reply, caller, body.text, work, async () => {
      await requireEverything(caller);
      return undefined;
    });
  });
}

async function requireEverything(caller: AdminContext): Promise<void> {
  const held = await permissionsOfActor(caller);
  if (!held.platform) throw new Problem("forbidden", detail("platform_only"));
  if (!isUnlimited(held)) throw new Problem("forbidden", detail("scope_needed", { scope: manageScope }));
}

function readRequest({ manifest, dry_run = false, prune = false, source, ...unknown }: JsonInput) {
  const errors: FieldError[] = Object.keys(unknown).map((name) => fieldError(`/${name}`, "unknown_field"));
  if (manifest === undefined) errors.push(fieldError("/manifest", "required"));
  else if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest))
    errors.push(fieldError("/manifest", "not_object"));
  for (const [name, value] of Object.entries({ dry_run, prune }))
    if (typeof value !== "boolean") errors.push(fieldError(`/${name}`, "not_boolean"));
  const isSource = typeof source === "string" && sourceShape.test(source);
  if (source !== undefined && !isSource) errors.push(fieldError("/source", "not_slug"));
  if (source !== undefined && prune === true) errors.push(fieldError("/prune", "not_taken"));
  if (errors.length > 0) throw new Problem("invalid_record", detail("invalid_manifest"), errors);
  return {
    ...{ manifest, dryRun: dry_run === true, prune: prune === true },
    source: isSource ? source : undefined,
  };
}
