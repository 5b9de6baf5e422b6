/** Records one CPU profile of this server per scenario. */
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { measure, prepareAll, type Run, workspaceOf } from "./run.ts";

/**
 * The fields of a V8 profile that are read here, with times in microseconds (Chrome DevTools Protocol,
 * Profiler.Profile).
 */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** Number of folders, and of functions, in the summary of a profile. */
const shownRooms = 40;
const shownFunctions = 40;
const interval_us = 200;

/**
 * Measures each scenario once on every variant of Postern that has a single process. Each measurement has a
 * new server, which writes `<server>.<scenario>.cpuprofile` to the folder. Returns a summary.
 */
export async function profileAll(run: Run, folder: string): Promise<string> {
  await using workspace = workspaceOf(run);
  const posterns = run.contenders.filter(({ id }) => /^postern-[a-z]+$/.test(id));
  const summaries: string[] = [];
  for (const { contender, start, scenarios } of await prepareAll(
    { ...run, contenders: posterns },
    workspace,
  )) {
    for (const scenario of scenarios) {
      const name = `${contender.id}.${scenario.id}`;
      run.progress(`profiling ${name}`);
      const raw = await workspace.makeFolder(`profile_${name}`);
      await mkdir(raw, { recursive: true });
      const node_options = ["--cpu-prof", `--cpu-prof-interval=${interval_us}`, `--cpu-prof-dir=${raw}`];
      let rate: string;
      {
        await using server = await start({ node_options });
        const measurement = await measure(scenario, server, run.options);
        if (measurement === undefined) continue;
        rate = `${Math.round(measurement.load.per_second)} a second while profiled`;
      }
      const [file] = await readdir(raw);
      if (file === undefined) throw new Error(`${name}: the server wrote no profile`);
      const target = join(folder, `${name}.cpuprofile`);
      await copyFile(join(raw, file), target);
      summaries.push(
        `${name}: ${rate}\n${summaryOf(JSON.parse(await readFile(target, "utf8")) as CpuProfile)}`,
      );
    }
  }
  return `${summaries.join("\n\n")}\n\nThe profiles are in ${folder}.`;
}

/** Returns the self times of the event loop's thread. The thread pool is not included. */
function summaryOf(profile: CpuProfile): string {
  const functions = timesBy(profile, nameOf);
  const total = sumOf(functions);
  const busy = total - (functions.get("(idle)") ?? 0);
  const percent = (time: number, of: number) => `${((100 * time) / of).toFixed(1).padStart(5)} %`;
  const top = (times: ReadonlyMap<string, number>, count: number) =>
    [...times]
      .filter(([name]) => name !== "(idle)")
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, time]) => `  ${percent(time, busy)}  ${name}`);
  return [
    `  event loop busy ${percent(busy, total).trim()} of the time; of that, by room and package:`,
    ...top(timesBy(profile, roomOf), shownRooms),
    "  by function:",
    ...top(functions, shownFunctions),
  ].join("\n");
}

/** Returns the self times of functions in microseconds, summed by the result of `keyOf`. */
function timesBy(
  { nodes, samples, timeDeltas }: CpuProfile,
  keyOf: (frame: CallFrame) => string,
): Map<string, number> {
  const keys = new Map(nodes.map(({ id, callFrame }) => [id, keyOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((sample, index) => {
    const key = keys.get(sample) ?? "(unknown)";
    times.set(key, (times.get(key) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return times;
}

function sumOf(times: ReadonlyMap<string, number>): number {
  return [...times.values()].reduce((sum, time) => sum + time, 0);
}

/** Returns the path within the project or package. Names of the runtime's own modules stay unchanged. */
function pathOf(url: string): string {
  return url.replace(/^file:\/\/.*?\/(?=src\/|node_modules\/)/, "");
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  return `${functionName || "(anonymous)"}${url === "" ? "" : ` ${pathOf(url)}:${lineNumber + 1}`}`;
}

/**
 * Returns the folder of this project's sources, the name of the package, or the module of the runtime.
 * Native functions of the runtime and of V8 keep their own names.
 */
export function roomOf({ functionName, url }: CallFrame): string {
  const path = pathOf(url);
  if (path === "")
    return functionName.startsWith("(") ? functionName : `native ${functionName || "(anonymous)"}`;
  const inPackage = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (inPackage !== undefined) return inPackage;
  if (path.startsWith("node:")) return path;
  return path.split("/").slice(0, -1).slice(0, 3).join("/");
}
