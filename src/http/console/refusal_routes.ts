/** Why a request was refused, by the short id of the refusal. */
import type { FastifyInstance } from "fastify";
import { type ExplainedRefusal, explainRefusal } from "../../admin/reports/refusals.ts";
import { Problem } from "../../errors.ts";
import { refusalPage, unknownRefusalPage } from "../../web/console/refusal_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { forViewer } from "./viewer.ts";

export function refusalRoutes(app: FastifyInstance, context: HttpContext): void {
  const options = { config: { face: "page" }, exposeHeadRoute: true } as const;
  app.get(
    "/console/refusals/:id",
    options,
    forViewer(context, async ({ admin, page }, request, reply) => {
      const { id } = request.params as { id: string };
      let explained: ExplainedRefusal;
      try {
        explained = await explainRefusal(admin, id);
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) throw error;
        return sendPage(reply, unknownRefusalPage(page), { status: 404 });
      }
      return sendPage(reply, refusalPage({ ...page, ...explained }));
    }),
  );
}
