/** Endpoints for clients (spec 4.2 to 4.4; RFC 9126; OpenID Connect Core 1.0, section 5.3). */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { OAuthError } from "../../errors.ts";
import { paramsOf } from "../../oauth/core/params.ts";
import { offersFeature } from "../../oauth/core/rules_for.ts";
import { protocol } from "../../oauth/protocol.ts";
import type { ShellContext } from "../context.ts";
import { answerPreflight, offerNonce } from "../cors.ts";
import { formOf, hasForm } from "../form.ts";
import { getAndHead } from "../get_and_head.ts";
import { headerText, originOf } from "../request_origin.ts";
import type { FastRequest } from "../serving/fast_path.ts";

export function oauthRoutes(app: FastifyInstance, context: ShellContext): void {
  const { server, metrics } = context;
  const options = {
    config: { errorFormat: "json" as const, any_origin: true },
    onRequest: offerNonce(server),
  };

  const token = async (request: FastRequest) => {
    try {
      return await protocol.token(request, server);
    } catch (error) {
      const code = error instanceof OAuthError ? error.code : "server_error";
      metrics?.count("postern_token_errors_total", { error: code });
      throw error;
    }
  };
  const tokenOptions = { ...options, config: { ...options.config, fast: { json: token } } };
  app.post("/oauth/token", tokenOptions, async (request) => token(endpointRequest(request)));

  if (offersFeature(server, "par")) {
    app.post("/oauth/par", options, async (request, reply) =>
      reply.code(201).send(await protocol.pushRequest(endpointRequest(request), server)),
    );
    answerPreflight(app, "/oauth/par", ["POST"], server);
  }

  const introspect = async (request: FastRequest) => protocol.introspect(request, server);
  app.post(
    "/oauth/introspect",
    {
      config: { errorFormat: "json", fast: { json: introspect, takenAsSent: presentedToken, batched: true } },
    },
    async (request) => introspect(endpointRequest(request, presentedToken)),
  );

  // Errors result in 200 `{}` too, through the error format of the route.
  const revoke = async (request: FastRequest) => {
    await protocol.revoke(request, server);
    return {};
  };
  app.post(
    "/oauth/revoke",
    { ...options, config: { errorFormat: "revocation", any_origin: true, fast: { json: revoke } } },
    async (request) => revoke(endpointRequest(request)),
  );

  const userinfo = async (request: FastRequest) => protocol.userinfo(request, server);
  const claims = async (request: FastifyRequest) =>
    userinfo(endpointRequest(request, undefined, hasForm(request) ? formOf(request) : paramsOf([])));
  const userinfoOptions = {
    ...options,
    config: { ...options.config, scope: "openid", fast: { json: userinfo, batched: true } },
  };
  getAndHead(app, "/oauth/userinfo", userinfoOptions, claims);
  app.post("/oauth/userinfo", userinfoOptions, claims);

  answerPreflight(app, "/oauth/token", ["POST"], server);
  answerPreflight(app, "/oauth/revoke", ["POST"], server);
  answerPreflight(app, "/oauth/userinfo", ["GET", "POST"], server);
}

/**
 * The encoding of this parameter is not checked, because even a malformed value counts only as an invalid
 * token (spec 4.3).
 */
const presentedToken: ReadonlySet<string> = new Set(["token"]);

/** The query is ignored (T-4, C-8). */
function endpointRequest(
  request: FastifyRequest,
  takenAsSent?: ReadonlySet<string>,
  params = formOf(request, takenAsSent),
): FastRequest {
  return {
    method: request.method,
    params,
    authorization: request.headers.authorization,
    dpop: headerText(request, "dpop"),
    origin: originOf(request),
  };
}
