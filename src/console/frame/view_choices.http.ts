import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formOf } from "../../http/form.ts";
import { isForeignSite, localRedirect } from "../../http/same_origin.ts";
import { refuseRepeated } from "../../oauth/core/params.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { viewPath } from "./console_frame.view.ts";

/** The names lack the prefix `__Host-`, because these cookies contain no secret. */
const cookies = { api_names: "postern_api_names", organization: "postern_organization" } as const;
type Choice = keyof typeof cookies;

/** In seconds. */
const cookieAge = 31_536_000;

/** Returns the stored choice. Check it before use, because it comes from a cookie. */
export function keptChoice(request: FastifyRequest, choice: Choice): string | undefined {
  return request.cookies[cookies[choice]];
}

export function storeChoice(
  reply: FastifyReply,
  choice: Choice,
  value: string | undefined,
  secure: boolean,
): void {
  const where = { path: "/console", httpOnly: true, secure, sameSite: "lax" } as const;
  if (value === undefined) reply.clearCookie(cookies[choice], where);
  else reply.setCookie(cookies[choice], value, { ...where, maxAge: cookieAge });
}

/**
 * `POST /console/view`: stores how the viewer wants to see pages, and redirects back. It needs no form token,
 * because it changes only their appearance. Cross-site requests are refused.
 */
export function viewChoiceRoutes(app: FastifyInstance, { server, secure }: HttpContext): void {
  app.post(viewPath, { config: { errorFormat: "page" } }, async (request, reply) => {
    if (isForeignSite(request)) throw refuse("foreign_form");
    const params = formOf(request);
    refuseRepeated(params);
    const { location } = localRedirect(params.get("return_to"), server.issuer);
    const names = params.get("api_names");
    if (names !== undefined) storeChoice(reply, "api_names", names === "on" ? names : undefined, secure);
    return reply.redirect(location, 303);
  });
}
