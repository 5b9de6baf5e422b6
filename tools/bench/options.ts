import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { BenchOptions } from "./results.ts";

export const usage = `usage: npm run bench -- [options]
  --quick             a first impression in less than two minutes: four scenarios, with this server on SQLite,
                      oidc-provider in memory and the floor
  --only A,B          only these scenarios: client-credentials, client-credentials-one, refresh, code-flow (each also
                      with the suffix -es256 or -eddsa), introspection, revocation, userinfo, discovery,
                      jwks, discovery-under-load, list-users, list-tokens, console-list-users, sign-in
  --contenders A,B    only these servers and the floor: postern-sqlite, postern-postgres, postern-sqlite-2, postern-postgres-2,
                      postern-sqlite-few, postern-postgres-few, oidc-memory, oidc-postgres, fastify
  --soak TIME         a mixed load on one server for this time, such as 20m, reported every minute: on Postern with
                      SQLite, or on the one of --contenders; exit code 1 if memory or another resource grows
  --profile           a CPU profile of each scenario on each single-process Postern, in bench/results
  --continue          add the rounds to those of the last run, even if it had other servers or scenarios
  --json              print all measurements as one JSON value
  --write             write the tables to docs/performance.md
  --rounds N          starts and measurements of each server [3]
  --seconds N         duration of each measurement [2.4; 2 with --quick]
  --connections N     concurrent requests [16]
  --flush-ms N        milliseconds that every flush of SQLite's log takes longer, as on a slower disk [0]
  --rows N            tokens in the databases at the start, and users if users are listed
                      [1000000; 0 with --quick, or if nothing is introspected or listed]
  --tokens N          different tokens to introspect [20000; 2000 if the databases have none]
  --program PATH      the program of this server, such as node_modules/@postern/server/bin/postern.js of an
                      installed package [bin/postern.js]
  --folder PATH       folder of the SQLite databases, on a disk [node_modules/.cache]
`;

export interface BenchSettings {
  readonly help: boolean;
  readonly json: boolean;
  readonly write: boolean;
  readonly profile: boolean;
  readonly quick: boolean;
  /** Whether the rounds are added to those of the previous run. */
  readonly goes_on: boolean;
  /** Duration of a long run in minutes; undefined if not requested. */
  readonly soak: number | undefined;
  /** IDs of the selected scenarios (`only`) and servers (`contenders`); undefined if not given. */
  readonly only: readonly string[] | undefined;
  readonly contenders: readonly string[] | undefined;
  readonly folder: string;
  /** The path of the program to measure; undefined for the checkout's. */
  readonly program: string | undefined;
  readonly options: BenchOptions;
}

/** Throws an error whose message describes the first invalid option. */
export function readOptions(args: readonly string[]): BenchSettings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      continue: { type: "boolean", default: false },
      soak: { type: "string" },
      only: { type: "string" },
      contenders: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string" },
      "flush-ms": { type: "string" },
      rows: { type: "string" },
      tokens: { type: "string" },
      program: { type: "string" },
      folder: { type: "string", default: join(import.meta.dirname, "..", "..", "node_modules", ".cache") },
    },
  });
  const { quick, json, write, profile, help, folder, program } = values;
  const only = idsOf(values.only);
  const isChosen = (id: string) => only?.includes(id) ?? !quick;
  const looksUp = ["introspection", "list-users", "list-tokens", "console-list-users"].some(isChosen);
  const rows = numberOf("rows", values.rows, 0) ?? (quick || !looksUp ? 0 : 1_000_000);
  const requested = rows === 0 || !isChosen("introspection") ? 2000 : 20_000;
  const tokens = numberOf("tokens", values.tokens, 1) ?? (rows === 0 ? requested : Math.min(requested, rows));
  if (rows > 0 && tokens > rows) throw new Error("--tokens: expected at most the number in --rows");
  return {
    ...{ quick, json, write, profile, help, folder, only },
    program: program === undefined ? undefined : resolve(program),
    goes_on: values.continue,
    soak: minutesOf(values.soak),
    contenders: idsOf(values.contenders),
    options: {
      rounds: numberOf("rounds", values.rounds, 1) ?? 3,
      warm_up_seconds: quick ? 1.4 : 3,
      measured_seconds: secondsOf(values.seconds) ?? (quick ? 2 : 2.4),
      connections: numberOf("connections", values.connections, 1) ?? 16,
      flush_ms: numberOf("flush-ms", values["flush-ms"], 0) ?? 0,
      rows,
      tokens,
      revocations: quick ? 4000 : 12_000,
      users: isChosen("list-users") || isChosen("console-list-users") ? rows : 0,
    },
  };
}

/** Returns the IDs in a comma-separated list; undefined without a list. */
export function idsOf(text: string | undefined): string[] | undefined {
  return text?.split(",").map((id) => id.trim().replaceAll(" ", "-"));
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,3}(\.\d)?$/.test(text) || Number(text) === 0)
    throw new Error("--seconds: expected a number such as 2 or 2.4");
  return Number(text);
}

function minutesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^([1-9]\d{0,3})(s|m|h)$/.exec(text) ?? [];
  if (number === undefined) throw new Error("--soak: expected a time such as 20m, 90s or 2h");
  return Number(number) * (unit === "h" ? 60 : unit === "m" ? 1 : 1 / 60);
}

/** Returns undefined if the option was not given. Throws unless it is an integer of at least `least`. */
export function numberOf(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,8}$/.test(text) || Number(text) < least)
    throw new Error(`--${name}: expected a whole number from ${least} on`);
  return Number(text);
}

/** Returns the named items in the order of the list; all if none is named. Throws for an unknown name. */
export function chosen<T extends { readonly id: string }>(
  option: string,
  all: readonly T[],
  ids: readonly string[] | undefined,
): readonly T[] {
  if (ids === undefined) return all;
  const unknown = ids.find((id) => !all.some((each) => each.id === id));
  if (unknown !== undefined)
    throw new Error(`--${option}: no ${unknown}; there are ${all.map(({ id }) => id).join(", ")}`);
  return all.filter(({ id }) => ids.includes(id));
}
