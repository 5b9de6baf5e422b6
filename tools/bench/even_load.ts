/**
 * Sends a fixed number of requests, with no request in progress before or after. A server's processor
 * time between two readings then belongs to these requests, even if the readings are late.
 */
import { openConnection } from "./connection.ts";
import type { RunningServer } from "./contender.ts";
import type { Step, Work } from "./load_plan.ts";
import { readLoopClock } from "./loop_clock.ts";
import { workersOf } from "./worker.ts";

/** Repeated requests to a server, each call continuing where the last one ended. */
export interface EvenLoad {
  /**
   * Sends this number of requests and returns the processor time of each, in seconds. Throws on a wrong
   * response, or if the server does not report its clock.
   */
  readonly send: (requests: number) => Promise<number>;
  /** Returns the current value of `{carried}` (load_plan.ts) of each connection. */
  readonly carried: () => readonly string[];
}

export function evenLoad({ url, clock }: RunningServer, work: Work): EvenLoad {
  let carried = work.carried;
  let used = 0;

  async function readSeconds(): Promise<number> {
    const read = clock && (await readLoopClock(clock));
    if (read === undefined) throw new Error("the server does not report its processor time");
    return read.cpu_seconds;
  }

  return {
    async send(requests) {
      const before = await readSeconds();
      const [first, ...rest] = work.steps;
      const steps = [unused(first, used), ...rest.map((step) => unused(step, used))] as const;
      carried = await sendAll(url, { ...work, ...(carried && { carried }), steps }, requests);
      used += requests;
      return ((await readSeconds()) - before) / requests;
    },
    carried: () => carried ?? [],
  };
}

/** Returns the step without the variants that may be used only once and have already been used. */
function unused(step: Step, used: number): Step {
  if (step.variants?.used !== "once") return step;
  const [first, ...rest] = step.variants.values.slice(used);
  if (first === undefined) throw new Error("no tokens are left to introspect");
  return { ...step, variants: { values: [first, ...rest], used: "once" } };
}

/**
 * Sends all requests, and resolves with the value of `{carried}` of each connection after its last response.
 * Rejects on a wrong response.
 */
function sendAll(url: string, work: Work, requests: number): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const { hostname: host, port, host: name } = new URL(url);
  let [sent, answered] = [0, 0];
  const workers = workersOf(work, name, {
    onDone() {},
    onStatus() {
      answered += 1;
      // Deferred, because the worker updates its `{carried}` only after it has called `onStatus`.
      if (answered === requests) setImmediate(() => resolve(workers.map(({ carried }) => carried())));
    },
    onError: (reason) => reject(new Error(reason)),
  });
  const connections = workers.map((worker) =>
    openConnection({
      host,
      port: Number(port),
      pause_ms: 0,
      nextRequest: () => (sent++ < requests ? worker.nextRequest() : undefined),
      onAnswer: worker.onAnswer,
      onError: worker.onError,
    }),
  );
  return promise.finally(() => {
    for (const connection of connections) connection.close();
  });
}
