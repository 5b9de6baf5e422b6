/**
 * What clients call: token, introspection, revocation, userinfo (spec 4.2 to 4.4, OpenID Connect Core 5.3).
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OAuthError } from "../../errors.ts";
import { offersFeature } from "../../oauth/core/rules_for.ts";
import type { EndpointRequest } from "../../oauth/core/server.ts";
import { protocol } from "../../oauth/protocol.ts";
import type { ShellContext } from "../context.ts";
import { answerPreflight, offerNonce } from "../cors.ts";
import { formOf, hasForm } from "../form.ts";
import { getAndHead } from "../get_and_head.ts";
import { headerText, originOf } from "../request_origin.ts";
import { batchReplies } from "./batch_replies.ts";

export function oauthRoutes(app: FastifyInstance, context: ShellContext): void {
  const { server, metrics } = context;
  const options = {
    config: { errorFormat: "json" as const, any_origin: true },
    onRequest: offerNonce(server),
  };

  app.post("/oauth/token", options, async (request) => {
    try {
      return await protocol.token(endpointRequest(request), server);
    } catch (error) {
      const code = error instanceof OAuthError ? error.code : "server_error";
      metrics?.count("postern_token_errors_total", { error: code });
      throw error;
    }
  });

  if (offersFeature(server, "par")) {
    app.post("/oauth/par", options, async (request, reply) =>
      reply.code(201).send(await protocol.pushRequest(endpointRequest(request), server)),
    );
    answerPreflight(app, "/oauth/par", ["POST"], server);
  }

  app.post(
    "/oauth/introspect",
    { config: { errorFormat: "json" }, onSend: batchReplies() },
    async (request) => protocol.introspect(endpointRequest(request, presentedToken), server),
  );

  // Whatever is thrown on the way is answered 200 `{}` too: the face says so.
  app.post(
    "/oauth/revoke",
    { ...options, config: { errorFormat: "revocation", any_origin: true } },
    async (request) => {
      await protocol.revoke(endpointRequest(request), server);
      return {};
    },
  );

  const claims = async (request: FastifyRequest, _reply: FastifyReply) =>
    protocol.userinfo(
      {
        method: request.method,
        authorization: request.headers.authorization,
        dpop: headerText(request, "dpop"),
        params: hasForm(request) ? formOf(request) : undefined,
        origin: originOf(request),
      },
      server,
    );
  const userinfoOptions = { ...options, config: { ...options.config, scope: "openid" } };
  getAndHead(app, "/oauth/userinfo", userinfoOptions, claims);
  app.post("/oauth/userinfo", userinfoOptions, claims);

  answerPreflight(app, "/oauth/token", ["POST"], server);
  answerPreflight(app, "/oauth/revoke", ["POST"], server);
  answerPreflight(app, "/oauth/userinfo", ["GET", "POST"], server);
}

/** Whatever is presented as a token is one that is not valid at worst (spec 4.3). */
const presentedToken: ReadonlySet<string> = new Set(["token"]);

/** Parameters come from the form alone: the query is not used (T-4, C-8). */
function endpointRequest(request: FastifyRequest, takenAsSent?: ReadonlySet<string>): EndpointRequest {
  return {
    params: formOf(request, takenAsSent),
    authorization: request.headers.authorization,
    dpop: headerText(request, "dpop"),
    origin: originOf(request),
  };
}
