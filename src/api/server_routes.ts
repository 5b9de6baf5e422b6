import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type AdminContext, permissionsOfActor } from "../admin/access/actor.ts";
import { noteUserExport } from "../admin/records/export_user.ts";
import { type Period, periods, statisticsOf } from "../admin/reports/dashboard.ts";
import { statisticsView } from "../admin/reports/statistics_view.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { fieldError, unknownParameter } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { apiBase } from "../http/route_methods.ts";
import type { Settings } from "../oauth/core/server.ts";
import { ownData } from "../people/account/export_data.ts";
import { permissions, readScope } from "../records/definition/permissions.ts";
import type { ApiContext } from "./api_context.ts";
import { jsonBodyOf, jsonTypes } from "./json.ts";
import { declarations, filtersOf, idOf, refuseMembers } from "./route_parts.ts";

/** The settings that the API shows. None of them contains a secret or a file path of the server. */
export const exposedSettings = [
  "authorization_code_ttl",
  "refresh_reuse_window",
  "open_reuse_window",
  "localhost_any_port",
  "refresh_family_max_age",
  "extra_grants",
  "extra_client_auth",
  "extra_features",
  "extra_sign_in",
  "sign_up",
  "self_service",
  "api_step_up_age",
  "api_rate_limit",
  "api_origins",
  "profiles",
  "registration",
  "require_pushed_requests",
  "dpop_nonce",
] as const satisfies readonly (keyof Settings)[];

export function serverRoutes(app: FastifyInstance, context: ApiContext): void {
  const { readable } = declarations("tokens");
  const wide = { ...readable, config: { ...readable.config, scope: readScope } };

  const server = `${apiBase}/server`;
  getAndHead(app, server, wide, async (request) => {
    await requireWholeServer(await context.callerOf(request));
    return describeServer(context);
  });

  const statistics = `${apiBase}/statistics`;
  getAndHead(app, statistics, readable, async (request) => {
    const caller = await context.callerOf(request);
    return statisticsView(await statisticsOf(caller, { period: periodOf(request) }));
  });

  const ofOne = `${apiBase}/organizations/:id/statistics`;
  getAndHead(app, ofOne, readable, async (request) => {
    const caller = await context.callerOf(request);
    const organization_id = idOf(request, resourceOf("organizations"));
    return statisticsView(await statisticsOf(caller, { period: periodOf(request), organization_id }));
  });

  const users = declarations("users");
  const reset = `${apiBase}/users/:id/send-password-reset`;
  app.post(reset, users.writable, async (request, reply) => {
    const caller = await context.callerOf(request);
    refuseMembers(jsonBodyOf(request, jsonTypes)?.value ?? {});
    const id = idOf(request, resourceOf("users"));
    return reply.code(202).send(await context.sendPasswordReset(caller, id, request));
  });
  app.post(`${apiBase}/users/:id/export-data`, users.writable, async (request, reply) => {
    const caller = await context.callerOf(request);
    refuseMembers(jsonBodyOf(request, jsonTypes)?.value ?? {});
    const user = await noteUserExport(caller, idOf(request, resourceOf("users")));
    return reply
      .type("application/json; charset=utf-8")
      .send(Readable.from(ownData(user, caller), { objectMode: false }));
  });
}

/**
 * Throws 403 `forbidden` unless the caller is a platform administrator whose credential may read everything.
 */
export async function requireWholeServer(caller: AdminContext): Promise<void> {
  const { platform, allowed } = await permissionsOfActor(caller);
  if (!platform) throw new Problem("forbidden", detail("platform_only"));
  const reads = permissions.filter((permission) => permission.endsWith(":read"));
  if (!reads.every((permission) => allowed.has(permission))) {
    throw new Problem("forbidden", detail("scope_needed", { scope: readScope }));
  }
}

function describeServer({ server, brand = {}, version = "0.0.0", sends_mail }: ApiContext) {
  const { name = null, logo_url = null, accent = null } = brand;
  const { settings, issuer } = server;
  return {
    issuer,
    version,
    brand: { name, logo_url, accent },
    sends_mail,
    settings: Object.fromEntries(exposedSettings.map((setting) => [setting, settings[setting] ?? null])),
  };
}

function periodOf(request: FastifyRequest): Period {
  const { period = "day", ...unknown } = filtersOf(request);
  const known = periods.find((each) => each === period);
  const errors = [
    ...Object.keys(unknown).map((name) => unknownParameter(name)),
    ...(known === undefined ? [fieldError("/period", "not_one_of", { values: periods })] : []),
  ];
  if (errors.length > 0 || known === undefined) {
    throw new Problem("invalid_filter", detail("wrong_parameter"), errors);
  }
  return known;
}
