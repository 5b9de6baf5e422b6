import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Scenario } from "./scenario.ts";

export const usage = (scenarios: readonly Scenario[]) => `usage: npm run torture -- [options]
Causes failures of a running server and its database under load, and checks that every acknowledged change still holds.
Exit code: 0 if nothing was lost, 1 otherwise, 2 for unknown options.
  --scenarios A,B     only these: ${scenarios
    .map(({ id }) => id)
    .join(", ")
    .replace(/(.{60,90}?, )/g, "$1\n                      ")
    .trim()}
  --databases A,B     sqlite, postgres [both]
  --rounds N          repetitions of each failure [see --list]
  --clients N         concurrent clients [12]
  --duration N        seconds after which no further round begins [1800]
  --seed N            the same number repeats the same choices [random; printed with the table]
  --json              all results as one JSON value
  --list              list the scenarios, and whether they can run on this machine
  --help
`;

export interface TortureSettings {
  readonly help: boolean;
  readonly list: boolean;
  readonly json: boolean;
  readonly scenarios: readonly Scenario[];
  readonly databases: readonly string[];
  /** Undefined for the default of each scenario. */
  readonly rounds: number | undefined;
  readonly clients: number;
  readonly duration: number;
  readonly seed: number;
}

const databaseNames: Readonly<Record<string, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** Throws an error whose message describes the first invalid option. */
export function readOptions(args: readonly string[], all: readonly Scenario[]): TortureSettings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      scenarios: { type: "string" },
      databases: { type: "string", default: "sqlite,postgres" },
      rounds: { type: "string" },
      clients: { type: "string" },
      duration: { type: "string" },
      seed: { type: "string" },
    },
  });
  const { help, list, json } = values;
  const scenarios = values.scenarios?.split(",").map((id) => {
    const found = all.find((scenario) => scenario.id === id.trim());
    if (found === undefined) throw new Error(`--scenarios: unknown scenario ${id}`);
    return found;
  });
  const databases = values.databases.split(",").map((name) => {
    const found = databaseNames[name.trim()];
    if (found === undefined) throw new Error(`--databases: expected sqlite or postgres, not ${name}`);
    return found;
  });
  return {
    ...{ help, list, json, databases, scenarios: scenarios ?? all },
    rounds: numberOf("rounds", values.rounds, 1000),
    clients: numberOf("clients", values.clients, 100) ?? 12,
    duration: numberOf("duration", values.duration, 86_400) ?? 1800,
    seed: numberOf("seed", values.seed, 2 ** 31) ?? randomInt(1, 2 ** 31),
  };
}

function numberOf(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > max)
    throw new Error(`--${name}: expected a whole number from 1 to ${max}`);
  return number;
}
