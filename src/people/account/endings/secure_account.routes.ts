/**
 * `/secure-account`: linked from security notices. It requires no sign-in, because readers may be locked
 * out.
 */
import type { FastifyInstance } from "fastify";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { secureAccountPath } from "../../core/notices/account_notices.http.ts";
import { secureAccountPage } from "./secure_account.page.ts";

export function secureAccountRoutes(app: FastifyInstance): void {
  getAndHead(app, secureAccountPath, { config: { errorFormat: "page" } }, async (request, reply) =>
    sendPage(reply, secureAccountPage(localeOf(request))),
  );
}
