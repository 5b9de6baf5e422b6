/** `/account/data/schema.json`: the schema of the file with a user's data (SS-11). */
import type { FastifyInstance } from "fastify";
import { getAndHead } from "../http/get_and_head.ts";
import { ownDataVersion, ownTables } from "../people/account/export_data.ts";
import { mayExport, ownDataPath } from "../people/account/own_data.routes.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { shownSchema } from "./schemas.ts";

/** The file as JSON Schema (2020-12), from the definition of the records. */
function ownDataSchema(): object {
  const records = ownTables.map((table) => [table, { type: "array", items: shownSchema(table) }] as const);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Data that Postern stores about a user",
    type: "object",
    properties: {
      version: { const: ownDataVersion },
      exported_at: { type: "string", format: "date-time" },
      records: { type: "object", properties: Object.fromEntries(records), required: ownTables },
    },
    required: ["version", "exported_at", "records"],
  };
}

export function ownDataSchemaRoute(app: FastifyInstance, context: HttpContext): void {
  if (!mayExport(context)) return;
  getAndHead(app, `${ownDataPath}/schema.json`, {}, async (_, reply) =>
    reply.type("application/schema+json; charset=utf-8").send(ownDataSchema()),
  );
}
