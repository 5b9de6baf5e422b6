/** How the console shows itself in this browser, by choices of the reader that change no record. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refuseRepeated } from "../../oauth/params.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { viewPath } from "../../web/console/console_frame.ts";
import type { HttpContext } from "../context.ts";
import { formOf } from "../form.ts";
import { isForeignSite, localRedirect } from "../same_origin.ts";

/** No secrets, as that of the language. */
const cookies = { api_names: "postern_api_names" } as const;
type Choice = keyof typeof cookies;

/** A year, in seconds. */
const cookieAge = 31_536_000;

/** Whether the reader asked for the names that programs call members and values by. */
export function showsApiNames(request: FastifyRequest): boolean {
  return request.cookies[cookies.api_names] === "on";
}

function keep(reply: FastifyReply, choice: Choice, value: string | undefined, secure: boolean): void {
  const where = { path: "/console", httpOnly: true, secure, sameSite: "lax" } as const;
  if (value === undefined) reply.clearCookie(cookies[choice], where);
  else reply.setCookie(cookies[choice], value, { ...where, maxAge: cookieAge });
}

/**
 * `POST /console/view`: keeps a choice and goes back to the page it was made on. As that of the language it
 * has no form token, for it changes nothing but how pages read; browsers say when another site sent it.
 */
export function viewChoiceRoutes(app: FastifyInstance, { server, secure }: HttpContext): void {
  app.post(viewPath, { config: { errorFormat: "page" } }, async (request, reply) => {
    if (isForeignSite(request)) throw refuse("foreign_form");
    const params = formOf(request);
    refuseRepeated(params);
    const { location } = localRedirect(params.get("return_to"), server.issuer);
    const names = params.get("api_names");
    if (names !== undefined) keep(reply, "api_names", names === "on" ? names : undefined, secure);
    return reply.redirect(location, 303);
  });
}
