/**
 * `npm run bench:budget`: the processor time of what every request passes, as a ratio to the floor, against the
 * ratios that were accepted last. A ratio to the floor needs no machine of a certain speed, and little quiet.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  judge,
  newBudget,
  readBudget,
  suffixOfMembers,
  type Verdict,
  verdictTable,
} from "./budget_verdict.ts";
import { checkServer, discover } from "./checks.ts";
import type { RunningServer } from "./contender.ts";
import { evenLoad } from "./even_load.ts";
import { chosen, idsOf, numberOf } from "./options.ts";
import { type Prepared, prepareAll, startWithClock, workspaceOf } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { clientCredentials, introspection, revocation } from "./scenarios/client_scenarios.ts";
import { discovery, jwks } from "./scenarios/document_scenarios.ts";
import { codeFlow, refresh, userinfo } from "./scenarios/user_scenarios.ts";
import { floor } from "./servers/floor.ts";
import { postern } from "./servers/postern.ts";
import { median } from "./statistics.ts";

const usage = `usage: npm run bench:budget -- [options]
  --accept    writes what was measured into tools/bench/budget.json, in place of comparing with it
  --only A,B  these routes only; all of them are client-credentials, introspection, refresh, code-flow, revocation,
              userinfo, discovery and jwks
  --rounds N  how often Postern and the floor are started anew and measured [3]
The exit code is 1 where a route takes over a tenth more than was accepted, of three rounds and of two further ones.
`;

/** A hot route: as many requests of it as take the server about a tenth of a second. */
interface Route {
  readonly scenario: Scenario;
  readonly requests: number;
}

const routes: readonly Route[] = [
  { scenario: clientCredentials, requests: 500 },
  { scenario: introspection, requests: 1000 },
  { scenario: refresh, requests: 300 },
  { scenario: codeFlow, requests: 400 },
  { scenario: revocation, requests: 600 },
  { scenario: userinfo, requests: 1000 },
  { scenario: discovery, requests: 2000 },
  { scenario: jwks, requests: 2000 },
];
/**
 * The routes that are also measured for members of an organization, as a ratio to the same tokens without
 * organization, roles and groups.
 */
const ofMembers: readonly Scenario[] = [refresh, codeFlow];

/** Of tokens: the server's own part of an answer is largest where the signature is cheap. */
const algorithm = "ES256";

/** Both servers are measured in turn, so other load on the machine affects both equally. */
const turns = { warm_up: 4, measured: 7, share: 1 };

/** Both clients have one server, so shorter turns, more of them, tell smaller differences. */
const turnsOfMembers = { warm_up: 50, measured: 100, share: 6 };

/** Rounds for routes over their budget: two processes of one program differ by up to a tenth. */
const furtherRounds = 2;

const connections = 16;
const introspected = 500;

const file = join(import.meta.dirname, "budget.json");

/** The ratio of each round, by the scenario's id. */
type Ratios = Map<string, number[]>;

/** Measures Postern and the floor in turn, each restarted, and adds the ratios of one round. */
async function measureRound(
  prepared: readonly Prepared[],
  measured: readonly Route[],
  folder: string,
  found: Ratios,
): Promise<void> {
  const [ours, least] = prepared;
  if (ours === undefined || least === undefined) throw new Error("two servers are to be compared");
  await using server = await startWithClock(ours.start, join(folder, "clock_of_postern.json"));
  await using under = await startWithClock(least.start, join(folder, "clock_of_floor.json"));
  const [ourView, leastView] = [await asMeasured(server), await asMeasured(under)];
  for (const route of measured) {
    await addRatio(found, route.scenario.id, route, [ourView, leastView]);
    if (!ofMembers.includes(route.scenario) || ourView.in_context === undefined) continue;
    const [members, others] = ourView.in_context;
    const views = [
      { ...ourView, ...members },
      { ...ourView, ...others },
    ] as const;
    await addRatio(found, `${route.scenario.id}${suffixOfMembers}`, route, views, turnsOfMembers);
  }
}

/** Adds the processor time of one server as a ratio to that of another, measured in turn. */
async function addRatio(
  found: Ratios,
  id: string,
  { scenario, requests }: Route,
  [one, other]: readonly [RunningServer, RunningServer],
  { warm_up, measured, share } = turns,
): Promise<void> {
  const [first, second] = [await begin(scenario, requests, one), await begin(scenario, requests, other)];
  const each = Math.ceil(requests / share);
  const ratios: number[] = [];
  for (let turn = 0; turn < warm_up + measured; turn++) {
    const ratio = (await first.load.send(each)) / (await second.load.send(each));
    if (turn >= warm_up) ratios.push(ratio);
  }
  await first.end();
  await second.end();
  found.set(id, [...(found.get(id) ?? []), median(ratios)]);
}

/** The server as these routes need it, with its users signed in once: their passwords take longest. */
async function asMeasured(server: RunningServer): Promise<RunningServer> {
  const signing = server.signingBy?.(algorithm);
  if (signing === undefined) throw new Error(`the server does not sign by ${algorithm}`);
  const cookies = await signing.signIn(connections);
  return {
    ...signing,
    ...(server.clock && { clock: server.clock }),
    signIn: async (count) => cookies.slice(0, count),
  };
}

/** Throws where the server cannot do it, and at the end where its answers are not right. */
async function begin(scenario: Scenario, requests: number, server: RunningServer) {
  const endpoints = await discover(server);
  const revocations = requests * (turns.warm_up + turns.measured);
  const exercise = await scenario.prepare({
    server,
    endpoints,
    connections,
    tokens: introspected,
    revocations,
  });
  if (exercise === undefined) throw new Error(`${scenario.name}: the server cannot do that`);
  const load = evenLoad(server, exercise.work);
  return {
    load,
    async end() {
      await exercise.check([], load.carried());
      await checkServer(server, endpoints);
    },
  };
}

async function measureRoutes(
  { rounds, measured }: { readonly rounds: number; readonly measured: readonly Route[] },
  isOver: (found: Ratios) => readonly string[],
): Promise<Ratios> {
  const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "postern-budget-"));
  // Also when a signal ends the run; so are the processes it started.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const makeFolder = async (name: string) => {
    const made = join(folder, name);
    await mkdir(made, { mode: 0o700 });
    return made;
  };
  const progress = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const scenarios = measured.map(({ scenario }) => scenario);
  const sizes = { rows: 0, users: 0, tokens: introspected, revocations: 0 };
  const options = { rounds, warm_up_seconds: 0, measured_seconds: 0, connections, ...sizes };
  const run = {
    contenders: [await postern("sqlite", 1), floor()],
    scenarios,
    options,
    folder,
    makeFolder,
    progress,
  };
  await using workspace = workspaceOf(run);
  const prepared = await prepareAll(run, workspace);
  const found: Ratios = new Map();
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    await measureRound(prepared, measured, folder, found);
  }
  const over = isOver(found);
  for (let round = 1; over.length > 0 && round <= furtherRounds; round++) {
    progress(`further round ${round} of ${furtherRounds}: ${over.join(", ")}`);
    const again = measured.filter(({ scenario: { id } }) =>
      over.some((name) => [id, `${id}${suffixOfMembers}`].includes(name)),
    );
    await measureRound(prepared, again, folder, found);
  }
  return found;
}

/** Answers the exit code: 0, 1 where a route is over its budget, 2 for options that do not exist. */
async function main(args: readonly string[]): Promise<number> {
  let requested: { accept: boolean; rounds: number; measured: readonly Route[] };
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        accept: { type: "boolean", default: false },
        only: { type: "string" },
        rounds: { type: "string", default: "3" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    const all = routes.map(({ scenario }) => scenario);
    const named = chosen("only", all, idsOf(values.only));
    requested = {
      accept: values.accept,
      rounds: numberOf("rounds", values.rounds, 1) ?? 0,
      measured: routes.filter(({ scenario }) => named.includes(scenario)),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return 2;
  }
  const budget = readBudget(await readFile(file, "utf8"));
  const verdicts = (found: Ratios): Verdict[] => judge(budget, found);
  const isOver = (found: Ratios) =>
    requested.accept ? [] : verdicts(found).flatMap(({ route, over }) => (over ? [route] : []));
  const found = await measureRoutes(requested, isOver);
  process.stdout.write(`${verdictTable(verdicts(found))}\n`);
  if (requested.accept) {
    await writeFile(file, `${JSON.stringify(newBudget(budget, found), null, 2)}\n`);
    return 0;
  }
  const over = isOver(found);
  if (over.length > 0) process.stdout.write(`\nOver the budget: ${over.join(", ")}.\n`);
  return over.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
