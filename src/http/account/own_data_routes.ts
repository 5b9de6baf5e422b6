/** `/account/data`: a file of what is kept of a person, where it is switched on (SS-11). */
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { ownData, ownDataVersion, ownTables } from "../../identity/own_account/export_data.ts";
import { ownDataPage } from "../../web/account/own_data_page.ts";
import { shownSchema } from "../api/schemas.ts";
import type { HttpContext } from "../context.ts";
import { getAndHead } from "../get_and_head.ts";
import { sendPage } from "../page.ts";
import { accountPages } from "./account_person.ts";

export const ownDataPath = "/account/data";
const path = ownDataPath;

export function mayExport({ identity }: Pick<HttpContext, "identity">): boolean {
  return identity.settings?.self_service?.includes("export") ?? false;
}

/** The file as JSON Schema (2020-12), from the definition of the records. */
export function ownDataSchema(): object {
  const records = ownTables.map((table) => [table, { type: "array", items: shownSchema(table) }] as const);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What Postern keeps of a person",
    type: "object",
    properties: {
      version: { const: ownDataVersion },
      exported_at: { type: "string", format: "date-time" },
      records: { type: "object", properties: Object.fromEntries(records), required: ownTables },
    },
    required: ["version", "exported_at", "records"],
  };
}

export function ownDataRoutes(app: FastifyInstance, context: HttpContext): void {
  if (!mayExport(context)) return;
  const pages = accountPages(app, context);

  pages.get(path, async ({ page, csrf_token }, _, reply) =>
    sendPage(reply, ownDataPage({ ...page, csrf_token })),
  );

  pages.post(
    path,
    async ({ signedIn }, _, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .header("cache-control", "no-store")
        .header("content-disposition", 'attachment; filename="my-data.json"')
        .send(Readable.from(ownData(signedIn.user, context.identity), { objectMode: false })),
    { return_to: path, sudo: true },
  );

  getAndHead(app, `${path}/schema.json`, {}, async (_, reply) =>
    reply.type("application/schema+json; charset=utf-8").send(ownDataSchema()),
  );
}
