/** What more cores and workers would carry, as Markdown, beside what was measured. */
import { loadsOf, type Results } from "../results.ts";
import { median } from "../statistics.ts";
import { markdownTable, whole } from "../tables.ts";
import { type Arrangement, type Simulated, simulatePostern, type Written } from "./postern_model.ts";
import { kinds, measuredArrangement, serverOf, unitCostsOf } from "./unit_costs.ts";

const engines = ["sqlite", "postgres"] as const;
const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" };
/** Requests under way, of each core. */
const connectionsPerCore = 8;

const cell = ({ per_second, p99_ms }: Pick<Simulated, "per_second" | "p99_ms">) =>
  `${whole(per_second)}, ${p99_ms.toFixed(1)} ms`;

/** The tables of a run's simulation. Throws where the run has none of what is simulated. */
export function coreTables(
  results: Results,
  written: Written,
  cores: readonly number[],
  seed: number,
): string {
  const length = { seed, warm_up: 2000, measured: 12_000 };
  const known = engines.flatMap((engine) =>
    kinds.flatMap((kind) => {
      const costs = unitCostsOf(results, engine, kind, written, length);
      const name = results.scenarios.find(({ id }) => id === kind.scenario)?.name ?? kind.scenario;
      return costs === undefined ? [] : [{ engine, scenario: kind.scenario, name, costs }];
    }),
  );
  if (known.length === 0) throw new Error("the last run of npm run bench has nothing that is simulated");

  const costRows = known.map(({ engine, name, costs }) => [
    engineNames[engine],
    name,
    ...[costs.loop, costs.pool, costs.database, costs.generator].map((cost) => cost.toFixed(3)),
  ]);
  const checks = known.flatMap(({ engine, scenario, name, costs }) =>
    [1, 2].flatMap((workers) => {
      const arrangement = { ...measuredArrangement(results, engine), workers };
      const loads = loadsOf(results, serverOf(arrangement), scenario).filter((load) => load !== undefined);
      if (loads.length === 0) return [];
      const simulated = simulatePostern(costs, arrangement, length);
      const measured = {
        per_second: median(loads.map(({ per_second }) => per_second)),
        p99_ms: median(loads.map(({ p99_ms }) => p99_ms)),
      };
      const error = 100 * (simulated.per_second / measured.per_second - 1);
      return [
        [
          engineNames[engine],
          name,
          String(workers),
          cell(measured),
          cell(simulated),
          `${error < 0 ? "−" : "+"}${Math.abs(error).toFixed(0)} %`,
        ],
      ];
    }),
  );
  const more = known.flatMap(({ engine, name, costs }) =>
    cores.map((count) => {
      const arrangement: Omit<Arrangement, "workers"> = {
        engine,
        cores: count,
        connections: connectionsPerCore * count,
        shared: false,
      };
      const cells = [1, 2, count / 2, count].map((workers, column) =>
        column > 1 && workers <= 2 ? "–" : cell(simulatePostern(costs, { ...arrangement, workers }, length)),
      );
      return [engineNames[engine], name, String(count), ...cells];
    }),
  );

  const { machine, options } = results;
  return [
    `Simulated from costs that were measured on ${machine.cores} × ${machine.cpu}, Node ${machine.node}, ` +
      `${options.connections} connections; seed ${seed}. A commit took ${written.commit.toFixed(3)} ms of the ` +
      `processor and waited ${median(written.disk).toFixed(2)} ms for the disk, a row took ${written.row.toFixed(3)} ms.`,
    "",
    ...markdownTable(
      ["Database", "Answer", "event loop ms", "thread pool ms", "PostgreSQL ms", "load generator ms"],
      costRows,
    ),
    "",
    `Measured and simulated on ${machine.cores} cores, load generator and PostgreSQL on the same: answers a second and p99.`,
    "",
    ...markdownTable(["Database", "Answer", "workers", "measured", "simulated", "error of the rate"], checks),
    "",
    `Simulated: answers a second and p99 with ${connectionsPerCore} requests under way for each core; load generator and ` +
      "PostgreSQL on as many cores of their own.",
    "",
    ...markdownTable(
      [
        "Database",
        "Answer",
        "cores",
        "1 worker",
        "2 workers",
        "a worker on two cores",
        "a worker on each core",
      ],
      more,
    ),
  ].join("\n");
}
