/**
 * Tables of the servers' results relative to the floor (`servers/floor.ts`). These ratios hardly depend on
 * the machine.
 */
import { markdownTable, none, spread } from "./markdown.ts";
import {
  constantServer,
  costRatioOf,
  floorServer,
  hasBackground,
  loadsOf,
  type Results,
  spreadOf,
} from "./results.ts";

/**
 * Returns a table of the processor time per response, including databases, as a ratio to that of the
 * floor.
 */
export function floorTable(results: Results): string[] {
  const measured = results.servers.filter(({ id }) => id !== floorServer && id !== constantServer);
  const servers = measured.filter(({ id }) =>
    results.scenarios.some((scenario) => toFloor(results, id, scenario.id) !== undefined),
  );
  if (servers.length === 0) return [];
  return [
    "Processor time per response, including the database, as a ratio to that of the floor. A ratio of 1 is the minimum that the work needs:",
    "",
    ...scenarioTable(results, servers, (server, scenario) => toFloor(results, server, scenario)),
  ];
}

/** Returns a table of the time that event loops waited for events while requests were in progress. */
export function idleTable(results: Results): string[] {
  const idle = (server: string, scenario: string) =>
    spreadOf(loadsOf(results, server, scenario).map((load) => load?.idle_share ?? Number.NaN));
  const servers = results.servers.filter(({ id }) =>
    results.scenarios.some((scenario) => idle(id, scenario.id) !== undefined),
  );
  if (servers.length === 0) return [];
  return [
    "Share of the time under load in which the event loop was idle (`eventLoopUtilization`), because it waited for the disk, for signatures or for the load generator:",
    "",
    ...scenarioTable(results, servers, idle),
  ];
}

function toFloor(results: Results, server: string, scenario: string) {
  // With background load, the counted requests take only a small part of the processor time, so a ratio would
  // say nothing about them.
  if (hasBackground(results, scenario)) return undefined;
  return costRatioOf(results, server, floorServer, scenario, "processor");
}

function scenarioTable(
  { scenarios }: Results,
  servers: Results["servers"],
  cell: (server: string, scenario: string) => Parameters<typeof spread>[0],
): string[] {
  const rows = scenarios.map(({ id, name }) => [
    name,
    ...servers.map((server) => spread(cell(server.id, id))),
  ]);
  return markdownTable(
    ["Scenario", ...servers.map(({ name }) => name)],
    rows.filter(([, ...cells]) => cells.some((each) => each !== none)),
  );
}
