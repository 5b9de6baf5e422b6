import type { FastifyInstance } from "fastify";
import { refuseRepeated } from "../oauth/core/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";
import { findLanguage } from "../web/words/language.ts";
import type { ShellContext } from "./context.ts";
import { formOf } from "./form.ts";
import { storeChoice } from "./language.ts";
import { isForeignSite, localRedirect } from "./same_origin.ts";

/**
 * `POST /language`: stores the chosen language and returns to the page with the menu. The form has no CSRF
 * token, because the choice affects only the language of pages. A token would require a cookie on every page.
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
