/** Measures the processor time of each test file, including ended child processes: `npm test -- --times`. */
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Names the file to which the processes of a run append their measurements. */
const timesVariable = "TEST_FILE_TIMES";

const collected = fileURLToPath(new URL("../../node_modules/.cache/file-times.txt", import.meta.url));

/** Returns the processor time in milliseconds; on Linux it includes that of ended child processes. */
function processorTime(): number {
  if (process.platform === "linux") {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // Fields 14 to 17 of proc_pid_stat(5), in ticks of ten milliseconds; the name before them may contain
    // spaces.
    const ticks = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15);
    return ticks.reduce((sum, each) => sum + 10 * Number(each), 0);
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Starts measuring in the processes that this one starts. */
export function collectTimes(): void {
  rmSync(collected, { force: true });
  process.env[timesVariable] = collected;
}

/** Starts a measurement with this name; the returned function ends it. */
export function measured(name: string): () => void {
  const target = process.env[timesVariable];
  if (target === undefined) return () => {};
  const before = processorTime();
  return () => appendFileSync(target, `${Math.round(processorTime() - before)} ms ${name}\n`);
}

/** Returns the measurements, largest first. */
export function times(): readonly string[] {
  if (!existsSync(collected)) return [];
  const lines = readFileSync(collected, "utf8").trim().split("\n");
  return lines.toSorted((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
}
