/**
 * The resource usage of processes. Values of one process are read from /proc, and null where there is none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";

/**
 * Linux counts processor time for programs in hundredths of a second, whatever the kernel's own tick
 * (proc(5), USER_HZ).
 */
const ticksPerSecond = 100;

/**
 * Processor seconds so far of a living process and all that descend from it, all their threads, user and
 * system. Those that have ended count as well, once their parent has taken note of it.
 */
export function cpuSeconds(pid: number): number | null {
  const times = familyOf(pid).map(ownCpuSeconds);
  return times.length === 0 ? null : times.reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * Processor seconds so far of the first threads alone of a living process and its descendants: of each Node
 * process the event loop, which one process has once. Threads of the pool are left out.
 */
export function firstThreadSeconds(pid: number): number | null {
  const times = familyOf(pid).map((each) => secondsOf(readProc(each, `task/${each}/stat`), 2));
  return times.length === 0 ? null : times.reduce((sum, seconds) => sum + seconds, 0);
}

export interface Memory {
  /**
   * In memory altogether. Pages of files and shared ones are held by several processes at once and count
   * once.
   */
  readonly resident_bytes: number;
  /** The part that is the processes' own: neither files nor shared. */
  readonly anonymous_bytes: number;
}

/** The memory of a running process and all its descendants. */
export function memoryOf(pid: number): Memory | null {
  const family = familyOf(pid).map((each) => ({
    anonymous: statusBytes(each, "RssAnon"),
    file: statusBytes(each, "RssFile"),
    shared: statusBytes(each, "RssShmem"),
  }));
  if (family.length === 0) return null;
  const anonymous_bytes = family.reduce((sum, { anonymous }) => sum + anonymous, 0);
  const file = Math.max(...family.map((each) => each.file));
  const shared = Math.max(...family.map((each) => each.shared));
  return { resident_bytes: anonymous_bytes + file + shared, anonymous_bytes };
}

/** Bytes that a living process has written to storage so far (proc(5), `io`); null where it is not known. */
export function storedBytes(pid: number): number | null {
  const io = readProc(pid, "io");
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(io ?? "")?.[1] ?? 0);
  return io === undefined ? null : figure("write_bytes") - figure("cancelled_write_bytes");
}

/** Seconds that all cores together were busy since the system started. */
export function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

/** A living process and its living descendants; empty where it is not known. */
function familyOf(pid: number): number[] {
  if (readProc(pid, "stat") === undefined) return [];
  const children = threadsOf(pid).flatMap((thread) =>
    (readProc(pid, `task/${thread}/children`) ?? "").split(" ").filter((each) => each !== ""),
  );
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function ownCpuSeconds(pid: number): number {
  return secondsOf(readProc(pid, "stat"), 4);
}

/** The sum of the first `count` of utime, stime, cutime and cstime in a text of proc(5), `stat`. */
function secondsOf(stat = "", count: number): number {
  // The second field is the program's name in parentheses and may hold anything; the times begin at the 14th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 11 + count).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

function statusBytes(pid: number, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readProc(pid, "status") ?? "")?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}
