/** The endpoints that orchestrators and load balancers probe (design 6.23). */
import type { FastifyInstance } from "fastify";
import type { Readiness, ShellContext } from "./context.ts";
import { getAndHead } from "./get_and_head.ts";
import { problemDocument, problemType } from "./problems.ts";

/** Milliseconds that `/readyz` waits for the checks. */
const maxWait = 2000;

/** Serves `/healthz` (liveness) and `/readyz` (readiness). */
export function healthRoutes(
  app: FastifyInstance,
  { ready, log }: Pick<ShellContext, "ready" | "log">,
): void {
  const options = { config: { errorFormat: "problem" as const } };
  getAndHead(app, "/healthz", options, async () => ({ status: "ok" }));

  let underWay: Promise<Readiness> | undefined;
  function checkOnce(): Promise<Readiness> {
    if (underWay === undefined) {
      const asking = ready().finally(() => {
        underWay = undefined;
      });
      underWay = asking;
    }
    return underWay;
  }

  getAndHead(app, "/readyz", options, async (request, reply) => {
    const readiness = await withinLimit(checkOnce(), (err) =>
      log.warn({ request_id: request.id, err }, "readiness could not be determined"),
    );
    const { ready, components } = readiness;
    if (ready) return { status: "ready", components };
    const failing = Object.entries(components).filter(([, state]) => state !== "ok");
    const detail = `the server is not ready: ${failing.map(([name, state]) => `${name} ${state}`).join(", ")}`;
    log.warn({ request_id: request.id, components }, "not ready");
    const problem = problemDocument({ status: 503, code: "not_ready", detail, request_id: request.id });
    return reply
      .code(503)
      .header("retry-after", 2)
      .type(problemType)
      .send(Buffer.from(JSON.stringify({ ...problem, components })));
  });
}

async function withinLimit(
  asking: Promise<Readiness>,
  onError: (error: unknown) => void,
): Promise<Readiness> {
  const late = Promise.withResolvers<Readiness>();
  const timer = setTimeout(() => late.resolve({ ready: false, components: { database: "slow" } }), maxWait);
  try {
    return await Promise.race([asking, late.promise]);
  } catch (error) {
    onError(error);
    return { ready: false, components: { server: "failing" } };
  } finally {
    clearTimeout(timer);
  }
}
