import type { FastifyInstance } from "fastify";
import { Problem } from "../errors.ts";
import type { HttpContext } from "./context.ts";

/** The process runs; and the database, the migrations and a signing key are there (design 6.23). */
export function healthRoutes(app: FastifyInstance, { ready, log }: HttpContext): void {
  const options = { config: { face: "problem" as const }, exposeHeadRoute: true };
  app.get("/healthz", options, async () => ({ status: "ok" }));
  app.get("/readyz", options, async (request) => {
    try {
      await ready();
    } catch (error) {
      log.warn({ request_id: request.id, err: error }, "not ready");
      throw new Problem(503, "not_ready", "the server cannot do its work yet");
    }
    return { status: "ready" };
  });
}
