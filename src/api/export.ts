/** Streams audit events as JSON Lines, page by page as they are read. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { listRecords } from "../admin/manage/list_records.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import type { ApiContext } from "./api_context.ts";
import { filtersOf } from "./route_parts.ts";

const pageSize = "200";

/**
 * Sends every audit event that matches the filters of the list, one JSON object per line. Permission is
 * checked again for each page; once the credential has ended, the connection is cut, which marks the response
 * as incomplete. Throws 400 `invalid_filter` for `limit` and `cursor`, because an export has no pages.
 */
export async function exportAuditEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ApiContext,
): Promise<FastifyReply> {
  const filters = filtersOf(request);
  for (const name of ["limit", "cursor"]) {
    if (!Object.hasOwn(filters, name)) continue;
    const errors = [fieldError(`/${name}`, "no_pages")];
    throw new Problem("invalid_filter", detail("wrong_parameter"), errors);
  }
  const resource = resourceOf("audit_events");
  const page = async (cursor?: string) =>
    listRecords(await context.callerOf(request), resource, {
      ...filters,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
  // The first page is read before anything is sent, so that a refusal can still be sent as an error response.
  const first = await page();
  reply
    .type("application/x-ndjson; charset=utf-8")
    .header("content-disposition", 'attachment; filename="audit-events.jsonl"');

  async function* lines(): AsyncGenerator<string> {
    let { data, next_cursor } = first;
    for (;;) {
      if (data.length > 0) yield `${data.map((event) => JSON.stringify(event)).join("\n")}\n`;
      if (next_cursor === null) return;
      ({ data, next_cursor } = await page(next_cursor));
    }
  }
  return reply.send(Readable.from(lines(), { objectMode: false }));
}
