/**
 * `npm run drill:failover`: puts load on three servers behind HAProxy, with PostgreSQL under Patroni, while
 * components of this setup fail. docs/high-availability.md lists the failures and shows the table.
 */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../../test/support/temp.ts";
import { writeTable } from "../../test/support/write_table.ts";
import { auditChains } from "../torture/audit.ts";
import { signIn } from "../torture/fixture.ts";
import { requesterOf } from "../torture/http.ts";
import { newLedger } from "../torture/ledger.ts";
import { startLoad } from "../torture/load.ts";
import { randomFrom } from "../torture/random.ts";
import { startServers } from "./balanced_servers.ts";
import { playRound } from "./drill_round.ts";
import { drillScenarios } from "./drill_scenarios.ts";
import { type DrillResult, drillTable, faultsOfDrill } from "./drill_table.ts";
import { openNetwork } from "./node_network.ts";
import { startCluster } from "./patroni_cluster.ts";
import { installedPostgres, missingForDrill, postgresVersion } from "./requirements.ts";

const usage = `usage: npm run drill:failover -- [options]
Kills, freezes and cuts off parts of a highly available Postern under load, and checks every response.
Requires Linux, root, and the packages patroni, etcd-server, haproxy, postgresql and iptables of Debian or Ubuntu.
Exit code: 0 if nothing was lost, 1 otherwise, 2 if the drill cannot run here.
  --scenarios A,B     only these: ${drillScenarios.map(({ id }) => id).join(", ")}
  --rounds N          repetitions of each scenario [1]
  --clients N         concurrent clients [8]
  --duration N        seconds after which no new round starts [1200]
  --upgrade-to DIR    the programs of another minor version of the same PostgreSQL [the installed ones]
  --json              print all counts as one JSON value
  --write             write the table to docs/high-availability.md
  --keep              keep the files and logs of the nodes
  --help
`;

/** Set in the process that runs inside the separate network namespace. */
const insideVariable = "FAILOVER_DRILL_INSIDE";
/** Seconds in which a round may finish after the time limit. */
const grace = 300;

const progress = (sentence: string) => process.stderr.write(`${sentence}\n`);

/** Runs the same command in new network and process namespaces, which are removed when the command ends. */
async function enter(args: readonly string[]): Promise<number> {
  const own = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--"];
  // The first process in the namespace is a shell, which reaps ended processes: Patroni would otherwise
  // consider them running.
  const shell = ["/bin/sh", "-c", '"$@"; exit $?', "sh", process.execPath, import.meta.filename];
  const child = spawn("/usr/bin/unshare", [...own, ...shell, ...args], {
    env: { ...process.env, [insideVariable]: "1" },
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill("SIGKILL"));
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenarios: { type: "string" },
      rounds: { type: "string", default: "1" },
      clients: { type: "string", default: "8" },
      duration: { type: "string", default: "1200" },
      "upgrade-to": { type: "string" },
      json: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const bin = installedPostgres();
  const missing = missingForDrill();
  if (missing !== undefined || bin === undefined) {
    progress(missing ?? "PostgreSQL is not installed");
    return 2;
  }
  if (process.env[insideVariable] === undefined) return enter(args);
  const wanted = values.scenarios?.split(",");
  const scenarios = drillScenarios.filter(({ id }) => wanted?.includes(id) ?? true);
  const [rounds, clients, duration] = [values.rounds, values.clients, values.duration].map(Number);
  return drill({
    ...{ bin, scenarios, rounds: rounds ?? 1, clients: clients ?? 8 },
    ...{
      seconds: duration ?? 1200,
      upgrade_to: values["upgrade-to"] ?? bin,
      json: values.json,
      keep: values.keep,
      write: values.write,
    },
  });
}

interface DrillOptions {
  readonly bin: string;
  readonly upgrade_to: string;
  readonly scenarios: typeof drillScenarios;
  readonly rounds: number;
  readonly clients: number;
  readonly seconds: number;
  readonly json: boolean;
  readonly keep: boolean;
  readonly write: boolean;
}

async function drill(options: DrillOptions): Promise<number> {
  const { bin, upgrade_to, scenarios, rounds, clients, seconds, json, keep, write } = options;
  const began = Date.now();
  setTimeout(
    () => {
      progress("the drill was stopped because it exceeded its time limit");
      process.exit(1);
    },
    (seconds + grace) * 1000,
  ).unref();
  const folder = keep ? mkdtempSync(join(tmpdir(), "failover-drill-")) : temporaryFolder();
  openNetwork();
  progress(
    `PostgreSQL ${postgresVersion(bin)}, upgraded to ${postgresVersion(upgrade_to)}; files in ${folder}`,
  );
  const cluster = await startCluster(folder, bin);
  const front = await startServers(join(folder, "servers"), cluster.database_url);
  const setup = { cluster, front, upgrade_to };
  const requester = requesterOf(front.port);
  const ledger = newLedger();
  const random = randomFrom(1);
  const cookie = await signIn(front.url);
  const pauses = { after_failure: 200, after_success: 20 };
  const load = startLoad({ requester, ledger, clients, random, cookie, pauses, strict: false });
  const playing = { requester, ledger, load, audited: 0 };
  const results: DrillResult[] = [];
  for (const { title, ...scenario } of scenarios) {
    const result: DrillResult = { title, rounds: [] };
    results.push(result);
    for (let round = 1; round <= rounds && Date.now() < began + seconds * 1000; round++) {
      progress(`${title}, round ${round}`);
      try {
        const played = await playRound({ title, ...scenario }, setup, playing);
        result.rounds.push(played);
        progress(`  ${JSON.stringify(played)}`);
      } catch (error) {
        result.error = (error as Error).message.split("\n")[0] ?? "";
        progress(`  ${(error as Error).stack}`);
        break;
      }
    }
    if (result.error !== undefined) break;
  }
  await wait(0);
  await load.pause();
  const chains = await auditChains(requester, ledger, random, { replays_end: false });
  const versions = await Promise.all(cluster.nodes.map((node) => cluster.version(node).catch(() => "away")));
  const endings = await front.end();
  requester.close();
  const { signed_out, requests, odd } = ledger;
  const all = { results, chains, signed_out, requests, odd, endings, versions };
  const faults = faultsOfDrill(all);
  const table = `${drillTable(all)}\n`;
  if (write) writeTable("docs/high-availability.md", "npm run drill:failover", table);
  process.stdout.write(json ? `${JSON.stringify({ ...all, faults }, null, 2)}\n` : `\n${table}`);
  return faults.length > 0 ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
