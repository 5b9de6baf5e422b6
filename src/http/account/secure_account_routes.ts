/** `/secure-account`: where the notices lead; open to everybody, for whom it is may not get in any more. */
import type { FastifyInstance } from "fastify";
import { secureAccountPage } from "../../web/pages/secure_account_page.ts";
import { getAndHead } from "../get_and_head.ts";
import { localeOf } from "../language.ts";
import { sendPage } from "../page.ts";
import { secureAccountPath } from "./account_notices.ts";

export function secureAccountRoutes(app: FastifyInstance): void {
  getAndHead(app, secureAccountPath, { config: { errorFormat: "page" } }, async (request, reply) =>
    sendPage(reply, secureAccountPage(localeOf(request))),
  );
}
