/** Exports a console list as a file, filtered and sorted as displayed. */

import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type ExportFormat, exportFormats, exportRecords } from "../../admin/manage/export_records.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { consolePages } from "../frame/viewer.http.ts";
import { listRequestOf, queryOf, withinOf } from "./list_filters.http.ts";
import { requestedOrder } from "./list_order.http.ts";

/** Returns the path of a list's export. */
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
      // The list itself reports errors of its filters.
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

/** Characters that start a formula in spreadsheets, including the full-width forms of East Asian input. */
const sign = "[=+\\-@\uff1d\uff0b\uff0d\uff20]";
const formula = new RegExp(`^(?:${sign}|[\\t\\r\\n])`);
/**
 * The start of a cell in spreadsheets that separate by semicolons or tabs and ignore quotes within a cell.
 */
const laterFormula = new RegExp(`([;\\t\\r\\n]["' ]*)(?=${sign})`, "g");

/**
 * Returns one line with its line break. Text that a spreadsheet would run as a formula gets a leading
 * apostrophe, as OWASP recommends; other values are written as JSON.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const inside = text.replace(laterFormula, "$1'");
  const safe = formula.test(inside) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
