/** `/account/data`: a file of the user's stored data, if enabled (SS-11). */
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { accountPages } from "../core/pages/account_person.http.ts";
import { ownData } from "./export_data.ts";
import { ownDataPage } from "./own_data.page.ts";

export const ownDataPath = "/account/data";
const path = ownDataPath;

export function mayExport({ identity }: Pick<HttpContext, "identity">): boolean {
  return identity.settings?.self_service?.includes("export") ?? false;
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
}
