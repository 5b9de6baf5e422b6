/** What the queues take for an answer, from a run of `npm run bench`. */
import type { Algorithm } from "../algorithms.ts";
import { type Load, loadsOf, type Results } from "../results.ts";
import { median } from "../statistics.ts";
import {
  type Arrangement,
  type Length,
  simulatePostern,
  type UnitCosts,
  type Written,
} from "./postern_model.ts";

/** A kind of answer that is simulated. */
export interface Kind {
  /** The scenario of the benchmark. */
  readonly scenario: string;
  /** What a thread of the pool does for it. */
  readonly pool?: Algorithm | "argon2id";
  /** What the one thread beside the event loop signs for it (decision 116). */
  readonly thread?: Algorithm;
  readonly writes: boolean;
}

export const kinds: readonly Kind[] = [
  { scenario: "client-credentials", pool: "RS256", writes: true },
  { scenario: "client-credentials-es256", thread: "ES256", writes: true },
  { scenario: "introspection", writes: false },
  { scenario: "sign-in", pool: "argon2id", writes: true },
];

export const serverOf = ({ engine, workers }: Pick<Arrangement, "engine" | "workers">) =>
  `postern-${engine}${workers > 1 ? `-${workers}` : ""}`;

/** The arrangement in which the benchmark measures, of one worker. */
export function measuredArrangement(results: Results, engine: Arrangement["engine"]): Arrangement {
  const { options, machine } = results;
  return { engine, cores: machine.cores, workers: 1, connections: options.connections, shared: true };
}

/** How often the jobs of a commit are computed anew: what is left for the event loop depends on them. */
const turns = 3;

/** Undefined where the run did not measure it. */
export function unitCostsOf(
  results: Results,
  engine: Arrangement["engine"],
  { scenario, pool: inPool, thread: beside, writes }: Kind,
  written: Written,
  length: Length & { readonly seed: number },
): UnitCosts | undefined {
  const arrangement = measuredArrangement(results, engine);
  const loads = loadsOf(results, serverOf(arrangement), scenario).filter((load) => load !== undefined);
  if (loads.length === 0) return undefined;
  const each = (seconds: (load: Load) => number) =>
    median(loads.map((load) => (1000 * seconds(load)) / load.answers));
  const work = inPool ?? beside;
  const limits = results.rounds.flatMap(({ limits }) => (work === undefined ? [] : (limits[work] ?? [])));
  if (work !== undefined && limits.length === 0) return undefined;
  const signature = work === undefined ? 0 : (1000 * results.machine.cores) / median(limits);
  // Runs of earlier versions do not tell the event loop's time apart.
  const told = loads.every(({ loop_seconds }) => typeof loop_seconds?.server === "number");
  const onLoop = told
    ? each(({ loop_seconds }) => loop_seconds?.server ?? 0)
    : each(({ cpu_seconds }) => cpu_seconds.server ?? 0) - signature;
  const costs = {
    pool: inPool === undefined ? 0 : signature,
    ...(beside !== undefined && { thread: signature }),
    generator: each(({ own_cpu_seconds }) => own_cpu_seconds),
    database: engine === "postgres" ? each(({ cpu_seconds }) => cpu_seconds.PostgreSQL ?? 0) : 0,
    ...(writes && { written }),
  };
  const { row, commit } = written;
  let loop = Math.max(0, onLoop);
  if (!writes || engine === "postgres") return { ...costs, loop };
  for (let turn = 0; turn < turns; turn++) {
    const { jobs_a_commit } = simulatePostern({ ...costs, loop }, arrangement, length);
    loop = Math.max(0, onLoop - row - commit / jobs_a_commit);
  }
  return { ...costs, loop };
}
