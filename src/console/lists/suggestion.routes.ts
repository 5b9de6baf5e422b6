import type { FastifyInstance } from "fastify";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { tableOfResourceType } from "../../records/definition/permissions.ts";
import { candidatesFor, suggestionsPath } from "../forms/natural_names.http.ts";
import { consolePages } from "../frame/viewer.http.ts";

const mostSuggested = 8;

/** In characters. */
const longestText = 200;

/**
 * Registers the suggestions for fields that name a record; `src/web/picker.js` requests them while the user
 * types.
 */
export function suggestionRoutes(app: FastifyInstance, context: HttpContext): void {
  consolePages(app, context).get(
    `${suggestionsPath}/:id`,
    async ({ admin, page, params, id }, _request, reply) => {
      const table = Object.hasOwn(tableOfResourceType, id)
        ? tableOfResourceType[id as keyof typeof tableOfResourceType]
        : "";
      const text = (params.get("q") ?? "").trim().slice(0, longestText);
      const { found, more } = await candidatesFor(admin, table, text, mostSuggested);
      const { none, count, further } = page.words.records.suggestions;
      const said = found.length === 0 ? none : more ? further(found.length) : count(found.length);
      return reply
        .type("application/json; charset=utf-8")
        .send({ options: found.map(({ key, name }) => ({ value: key, name })), said });
    },
  );
}
