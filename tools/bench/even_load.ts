/**
 * A number of requests with nothing under way before and after, so that the processor time of a server between two
 * readings is that of these requests, however late the readings are.
 */
import { openConnection } from "./connection.ts";
import type { RunningServer } from "./contender.ts";
import type { Step, Work } from "./load_plan.ts";
import { readLoopClock } from "./loop_clock.ts";
import { workersOf } from "./worker.ts";

/** The repeated requests to a server, continuing where they stopped. */
export interface EvenLoad {
  /**
   * Sends so many requests. Returns the seconds of processor time of each. Throws on a wrong answer, or if
   * the server does not report its clock.
   */
  readonly send: (requests: number) => Promise<number>;
  /** The state of the connections. */
  readonly carried: () => readonly string[];
}

export function evenLoad({ url, clock }: RunningServer, work: Work): EvenLoad {
  let carried = work.carried;
  let used = 0;

  async function readSeconds(): Promise<number> {
    const read = clock && (await readLoopClock(clock));
    if (read === undefined) throw new Error("the server does not tell its processor time");
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

/** The step without those of its variants that may be used once and were. */
function unused(step: Step, used: number): Step {
  if (step.variants?.used !== "once") return step;
  const [first, ...rest] = step.variants.values.slice(used);
  if (first === undefined) throw new Error("nothing is left to ask about");
  return { ...step, variants: { values: [first, ...rest], used: "once" } };
}

/** Answers what each connection carries at the end. Throws where an answer was wrong. */
function sendAll(url: string, work: Work, requests: number): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const { hostname: host, port, host: name } = new URL(url);
  let [sent, answered] = [0, 0];
  const workers = workersOf(work, name, {
    onDone() {},
    onStatus() {
      answered += 1;
      // A worker looks at the answer after its status.
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
