/**
 * `npm run bench:scale -- --lists`: measures the cost of a page of each list with few and with many records.
 */
import { join } from "node:path";
import { fewRecords, type RunningServer } from "./contender.ts";
import { type ListShape, listShapes, namedClients } from "./list_shapes.ts";
import type { LoadReport } from "./load_plan.ts";
import { markdownTable, whole } from "./markdown.ts";
import { runLoad } from "./processes.ts";
import type { BenchOptions } from "./results.ts";
import { workspaceOf } from "./run.ts";
import { postern } from "./servers/postern.ts";

type Engine = "sqlite" | "postgres";

export interface ListRun {
  readonly engines: readonly Engine[];
  /** Number of users, apps, tokens, sessions and audit events, each. */
  readonly rows: number;
  readonly seconds: number;
  readonly folder: string;
  readonly makeFolder: (name: string) => Promise<string>;
  readonly progress: (sentence: string) => void;
}

/** The cost of one page: the median of its time, and the processor time of server and database. */
interface Cost {
  readonly p50_ms: number;
  readonly cpu_ms: number;
  readonly failures: number;
}

const connections = 4;
const pagesTurned = 5;

/** Returns the table, and the lists that cost more than three times as much with many records. */
export async function measureLists(run: ListRun): Promise<{ lines: string[]; dear: string[] }> {
  const lines: string[] = [];
  const dear: string[] = [];
  for (const engine of run.engines) {
    const name = engine === "sqlite" ? "SQLite" : "PostgreSQL";
    const few = await costsOf(engine, fewRecords, run);
    const many = await costsOf(engine, run.rows, run);
    const rows = listShapes.map(({ name: shape }) => {
      const [one, other] = [few.get(shape), many.get(shape)];
      if (one === undefined || other === undefined) throw new Error(`${shape} was not measured`);
      const ratio = other.cpu_ms / one.cpu_ms;
      if (ratio > 3 || other.failures > 0) dear.push(`${name}: ${shape}`);
      const figures = ({ p50_ms, cpu_ms }: Cost) => [p50_ms.toFixed(1), cpu_ms.toFixed(2)];
      return [
        shape,
        ...figures(one),
        ...figures(other),
        ratio.toFixed(2),
        (other.p50_ms / one.p50_ms).toFixed(2),
      ];
    });
    const heads = [fewRecords, run.rows].flatMap((count) => [`${whole(count)}: p50 ms`, "CPU ms"]);
    lines.push(...markdownTable([name, ...heads, "CPU ×", "p50 ×"], rows), "");
  }
  return { lines, dear };
}

async function costsOf(engine: Engine, rows: number, run: ListRun): Promise<Map<string, Cost>> {
  const { folder, progress, seconds } = run;
  const options: BenchOptions = {
    rounds: 1,
    warm_up_seconds: 0,
    measured_seconds: seconds,
    connections,
    rows,
    tokens: 100,
    revocations: 0,
    users: rows,
  };
  const contender = await postern(engine, 1);
  const makeFolder = (name: string) => run.makeFolder(`${engine}_${rows}_${name}`);
  progress(`${contender.name}, ${whole(rows)} of each`);
  const plan = {
    contenders: [contender],
    scenarios: [],
    options,
    folder: join(folder),
    makeFolder,
    progress,
  };
  await using workspace = workspaceOf(plan);
  const start = await contender.prepare({ ...workspace, records: rows });
  await using server = await start({});
  const costs = new Map<string, Cost>();
  for (const shape of listShapes) {
    const cost = costOf(await loadOf(shape, server, seconds));
    progress(`  ${shape.name}: p50 ${cost.p50_ms.toFixed(1)} ms, processor ${cost.cpu_ms.toFixed(2)} ms`);
    costs.set(shape.name, cost);
  }
  return costs;
}

function costOf({ answers, p50_ms, cpu_seconds, failures, errors }: LoadReport): Cost {
  if (failures > 0) process.stderr.write(`${JSON.stringify(errors)}\n`);
  const cpu = Object.values(cpu_seconds).reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0);
  return { p50_ms, cpu_ms: (1000 * cpu) / answers, failures };
}

async function loadOf(shape: ListShape, server: RunningServer, seconds: number): Promise<LoadReport> {
  const headers = { Accept: "application/json", Authorization: `Bearer ${server.management_key}` };
  const target = await addressOf(shape, server, headers);
  return runLoad({
    origin: server.url,
    work: {
      connections,
      steps: [{ method: "GET", target, headers, expected: { status: 200, parts: ['"data":['] } }],
    },
    warm_up: { seconds: 0.5 },
    measured: { seconds },
    kept_answers: 0,
    watched: server.watched,
  });
}

type Answer = {
  readonly data: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
};

/** Returns the URL of the page to measure. If `deep` is set, it first fetches the pages before it. */
async function addressOf(
  { target, deep }: ListShape,
  { url }: RunningServer,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const ask = async (path: string): Promise<Answer> => {
    const response = await fetch(new URL(path, url), { headers });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  let address = `/api/v1${target}`;
  for (const [name, client_id] of Object.entries(namedClients))
    if (address.includes(`{${name}}`)) {
      const { data } = await ask(`/api/v1/apps?client_id=${client_id}`);
      address = address.replace(`{${name}}`, data[0]?.id ?? "");
    }
  if (deep === undefined) return address;
  let page = await ask(address);
  const at = (cursor: string | null) => `${address}&cursor=${encodeURIComponent(cursor ?? "")}`;
  for (let turned = 1; turned < pagesTurned; turned += 1) page = await ask(at(page.next_cursor));
  return at(deep === "next" ? page.next_cursor : page.previous_cursor);
}
