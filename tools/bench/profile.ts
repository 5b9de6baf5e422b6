/** CPU profiles of this server, one for each scenario: where its time goes. */
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { groundOf, measure, prepareAll, type Run } from "./run.ts";

/**
 * The little of a V8 profile that is read here; times in microseconds (Chrome DevTools Protocol,
 * Profiler.Profile).
 */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Functions of each profile that are told. */
const toldFunctions = 18;
const interval_us = 200;

/**
 * Measures each scenario once on each Postern of one process, every time on a server of its own, which leaves
 * `<server>.<scenario>.cpuprofile` in the folder. Answers a summary.
 */
export async function profileAll(run: Run, folder: string): Promise<string> {
  await using ground = groundOf(run);
  const posterns = run.contenders.filter(({ id }) => /^postern-[a-z]+$/.test(id));
  const summaries: string[] = [];
  for (const { contender, start, scenarios } of await prepareAll({ ...run, contenders: posterns }, ground)) {
    for (const scenario of scenarios) {
      const name = `${contender.id}.${scenario.id}`;
      run.tell(`profiling ${name}`);
      const raw = await ground.makeFolder(`profile_${name}`);
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
      if (file === undefined) throw new Error(`${name}: the server left no profile`);
      const target = join(folder, `${name}.cpuprofile`);
      await copyFile(join(raw, file), target);
      summaries.push(
        `${name}: ${rate}\n${summaryOf(JSON.parse(await readFile(target, "utf8")) as CpuProfile)}`,
      );
    }
  }
  return `${summaries.join("\n\n")}\n\nThe profiles are in ${folder}.`;
}

/** What the event loop's thread did, by the time functions took themselves; the thread pool is not seen. */
function summaryOf({ nodes, samples, timeDeltas }: CpuProfile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let total = 0;
  samples.forEach((sample, index) => {
    const frame = frames.get(sample);
    const time = timeDeltas[index] ?? 0;
    total += time;
    if (frame === undefined) return;
    const { functionName, url, lineNumber } = frame;
    const where =
      url === "" ? "" : ` ${url.replace(/^file:\/\/.*?\/(?=src\/|node_modules\/)/, "")}:${lineNumber + 1}`;
    const key = `${functionName || "(anonymous)"}${where}`;
    times.set(key, (times.get(key) ?? 0) + time);
  });
  const busy = total - (times.get("(idle)") ?? 0);
  const percent = (time: number, of: number) => `${((100 * time) / of).toFixed(1).padStart(5)} %`;
  const top = [...times]
    .filter(([name]) => name !== "(idle)")
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, toldFunctions)
    .map(([name, time]) => `  ${percent(time, busy)}  ${name}`);
  return [`  event loop busy ${percent(busy, total).trim()} of the time; of that:`, ...top].join("\n");
}
