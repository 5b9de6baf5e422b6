import type { FastifyInstance } from "fastify";
import { refuseRepeated } from "../oauth/core/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";
import { findLanguage } from "../web/words/language.ts";
import type { ShellContext } from "./context.ts";
import { formOf } from "./form.ts";
import { storeChoice } from "./language.ts";
import { isForeignSite, localRedirect } from "./same_origin.ts";

/**
 * `POST /language`: keeps the choice and goes back to the page it was made on. It changes nothing but how
 * pages read, so it has no form token, which would make every page set a cookie; browsers say when another
 * site sent it.
 */
export function languageRoutes(app: FastifyInstance, { server, secure, languages }: ShellContext): void {
  app.post("/language", { config: { errorFormat: "page" } }, async (request, reply) => {
    if (isForeignSite(request)) throw refuse("foreign_form");
    const params = formOf(request);
    refuseRepeated(params);
    const { location, url } = localRedirect(params.get("return_to"), server.issuer);
    const language = findLanguage(params.get("language"), languages);
    if (language !== undefined) storeChoice(reply, language, url, secure);
    return reply.redirect(location, 303);
  });
}
