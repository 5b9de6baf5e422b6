import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type ExportFormat, exportFormats, exportRecords } from "../../admin/manage/export_records.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { csvLine } from "../../web/csv_line.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { consolePages } from "../frame/viewer.http.ts";
import { listRequestOf, queryOf, withinOf } from "./list_filters.http.ts";
import { requestedOrder } from "./list_order.http.ts";

export const exportPath = ({ resourceType }: Resource): string => `${resourceTypeHref(resourceType)}/export`;

const types: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/jsonl; charset=utf-8",
};

export function exportRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const path = resourceTypeHref(resource.resourceType);
  pages.post(
    exportPath(resource),
    async (person, _request, reply) => {
      const { admin, params } = person;
      const requested = listRequestOf(resource, params);
      const order = requestedOrder(resource, params);
      const format = exportFormats.find((each) => each === params.get("format")) ?? "csv";
      const { query, errors } = await queryOf(admin, resource, requested);
      if (Object.keys(errors).length > 0)
        return reply.redirect(hrefWith(path, { ...requested, ...order }), 303);
      const found = await exportRecords(admin, resource, { ...query, ...order }, format, {
        within: withinOf(person, requested),
      });
      const day = admin.now().toISOString().slice(0, 10);
      const file = `${resource.path}-${day}.${format}`;
      return reply
        .type(types[format])
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="${file}"`)
        .send(Readable.from(textOf(resource, found, format), { objectMode: false }));
    },
    { return_to: path },
  );
}

async function* textOf(
  { table, unlisted = [] }: Resource,
  found: AsyncIterable<readonly PublicView[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const shown = Object.entries(fieldsOf(table))
    .filter(([name, { sensitive, internal }]) => !sensitive && !internal && !unlisted.includes(name))
    .map(([name]) => name);
  if (format === "csv") yield csvLine(shown);
  for await (const views of found) {
    const lines = views.map((view) =>
      format === "csv" ? csvLine(shown.map((name) => view[name])) : `${JSON.stringify(view)}\n`,
    );
    if (lines.length > 0) yield lines.join("");
  }
}
