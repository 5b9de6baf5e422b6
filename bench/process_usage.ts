/** What processes use of the machine. What is asked of one process is read from /proc, and null where there is none. */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/** Linux counts processor time for programs in hundredths of a second, whatever the kernel's own tick (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** Processor seconds of a living process so far, all its threads, user and system. */
export function cpuSeconds(pid: number): number | null {
  const stat = readProc(pid, "stat");
  if (stat === undefined) return null;
  // The second field is the program's name in parentheses and may hold anything; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Bytes of a living process that are in memory (VmRSS). */
export function residentBytes(pid: number): number | null {
  const kilobytes = readProc(pid, "status")?.match(/^VmRSS:\s+(\d+) kB$/m)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Seconds that all cores together were busy since the system started. */
export function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}
