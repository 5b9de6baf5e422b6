import type { FastifyInstance } from "fastify";
import { offerNonce } from "../http/cors.ts";
import { originOf } from "../http/request_origin.ts";
import { resetLinkMinutes } from "../people/authenticators/password/password_reset.ts";
import { sendPasswordReset } from "../people/authenticators/password/send_password_reset.http.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { callerOf } from "../people/core/pages/caller.http.ts";
import { apiRoutes } from "./routes.ts";

export function apiOverHttp(app: FastifyInstance, context: HttpContext): void {
  for (const hook of offerNonce(context.server)) app.addHook("onRequest", hook);
  apiRoutes(app, {
    ...context,
    sends_mail: context.mail !== undefined,
    callerOf: (request) => callerOf(request, context),
    async sendPasswordReset(caller, id, request) {
      const user = await sendPasswordReset(caller, id, originOf(request), context);
      return { user_id: user.id, expires_in: resetLinkMinutes * 60 };
    },
  });
}
