import type { FastifyInstance } from "fastify";
import { type ExplainedRefusal, explainRefusal } from "../admin/reports/refusals.ts";
import { Problem } from "../errors.ts";
import { sendPage } from "../http/page.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { consolePages } from "./frame/viewer.http.ts";
import { refusalPage, unknownRefusalPage } from "./refusal.page.ts";

export function refusalRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get("/console/refusals/:id", async ({ admin, page, id }, _request, reply) => {
    let explained: ExplainedRefusal;
    try {
      explained = await explainRefusal(admin, id);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      return sendPage(reply, unknownRefusalPage(page), { status: 404 });
    }
    return sendPage(reply, refusalPage({ ...page, ...explained }));
  });
}
