/**
 * `npm run bench:budget`: compares the processor time of the hot routes with the budget. The processor time
 * is divided by that of the floor (`servers/floor.ts`), because this ratio depends little on the machine's
 * speed and on other load. The budget consists of the ratios that were last accepted.
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
  --accept    write the measurements to tools/bench/budget.json instead of comparing them with it
  --only A,B  only these routes; the default is all: client-credentials, introspection, refresh, code-flow, revocation,
              userinfo, discovery and jwks
  --rounds N  starts and measurements of Postern and the floor [3]
Exit code 1 if a route takes over 10% more than accepted, in three rounds and again in two further ones.
`;

/** A hot route, with the number of requests that keep the server busy for about a tenth of a second. */
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
 * Routes that are also measured with tokens of organization members. Their processor time is divided by that
 * of tokens without organization, roles and groups.
 */
const ofMembers: readonly Scenario[] = [refresh, codeFlow];

/**
 * The algorithm of the tokens. Its signatures are cheap, so the server's own code takes a large part of the
 * measured time.
 */
const algorithm = "ES256";

/** Postern and the floor are measured alternately, so that other load on the machine affects both equally. */
const turns = { warm_up: 4, measured: 7, share: 1 };

/**
 * Tokens with and without an organization come from the same server process. More and shorter turns therefore
 * reveal smaller differences.
 */
const turnsOfMembers = { warm_up: 50, measured: 100, share: 6 };

/**
 * Further rounds for routes above their budget, because the results of two processes of the same program
 * differ by up to a tenth.
 */
const furtherRounds = 2;

const connections = 16;
const introspected = 500;

const file = join(import.meta.dirname, "budget.json");

/** The ratios of the rounds, by scenario ID. */
type Ratios = Map<string, number[]>;

/** Measures Postern and the floor alternately, each in a new process, and adds the ratios of one round. */
async function measureRound(
  prepared: readonly Prepared[],
  measured: readonly Route[],
  folder: string,
  found: Ratios,
): Promise<void> {
  const [ours, least] = prepared;
  if (ours === undefined || least === undefined) throw new Error("two servers are needed to compare");
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

/** Adds the ratio of the processor times of two servers that are measured alternately. */
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

/**
 * Selects `algorithm`, and signs the users in only once for all routes, because verifying passwords takes
 * longest.
 */
async function asMeasured(server: RunningServer): Promise<RunningServer> {
  const signing = server.signingBy?.(algorithm);
  if (signing === undefined) throw new Error(`the server does not sign with ${algorithm}`);
  const cookies = await signing.signIn(connections);
  return {
    ...signing,
    ...(server.clock && { clock: server.clock }),
    signIn: async (count) => cookies.slice(0, count),
  };
}

/**
 * Throws if the server does not support the scenario. The returned `end` throws if the server's responses are
 * wrong.
 */
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
  if (exercise === undefined) throw new Error(`${scenario.name}: the server does not support this scenario`);
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
  // Without handlers, these signals would end this process without its `exit` listeners, which remove the
  // folder and kill the child processes.
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

/** Returns the exit code: 0, 1 if a route is above its budget, 2 for unknown options. */
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
