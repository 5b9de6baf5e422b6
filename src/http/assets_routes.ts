import type { FastifyInstance } from "fastify";
import { readAssets } from "../web/assets.ts";
import { sendConditionally } from "./conditional.ts";
import { getAndHead } from "./get_and_head.ts";
import { gzipped } from "./gzipped.ts";
import { cacheFor } from "./security_headers.ts";

/**
 * Seconds for which clients may cache a file. The paths contain no version, so after an upgrade clients may
 * show old files for this time.
 */
const maxAge = 3600;

/**
 * Serves the style sheet, the icon and the scripts of the pages. Browsers request `/favicon.ico` if a page
 * links no icon.
 */
export function assetsRoutes(app: FastifyInstance): void {
  for (const asset of readAssets()) {
    const paths = asset.path.endsWith("/icon.svg") ? [asset.path, "/favicon.ico"] : [asset.path];
    for (const path of paths) {
      getAndHead(app, path, { config: { kept: true }, onSend: gzipped() }, async (request, reply) =>
        sendConditionally(request, cacheFor(reply, maxAge), asset),
      );
    }
  }
}
