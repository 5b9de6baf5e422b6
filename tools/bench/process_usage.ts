/** Measures the resource usage of processes from /proc. Values are null if there is no /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";

/**
 * Linux reports processor time to programs in hundredths of a second, independent of the kernel's own
 * tick (proc(5), USER_HZ).
 */
const ticksPerSecond = 100;

/**
 * Returns the processor seconds so far, user and system, of all threads of a process and its descendants.
 * Ended descendants are included once their parent has waited for them.
 */
export function cpuSeconds(pid: number): number | null {
  const times = familyOf(pid).map(ownCpuSeconds);
  return times.length === 0 ? null : times.reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * Returns the processor seconds so far of the first thread of a process and of each descendant. In a Node
 * process this is the event loop, without the thread pool.
 */
export function firstThreadSeconds(pid: number): number | null {
  const times = familyOf(pid).map((each) => secondsOf(readProc(each, `task/${each}/stat`), 2));
  return times.length === 0 ? null : times.reduce((sum, seconds) => sum + seconds, 0);
}

export interface Memory {
  /** Total memory. Pages that several processes share, such as those of files, count once. */
  readonly resident_bytes: number;
  /** The part that is neither shared nor backed by files. */
  readonly anonymous_bytes: number;
}

/** Returns the memory of a running process and its descendants. */
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

/**
 * Returns the bytes that a running process has written to storage so far (proc(5), `io`); null if
 * unknown.
 */
export function storedBytes(pid: number): number | null {
  const io = readProc(pid, "io");
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(io ?? "")?.[1] ?? 0);
  return io === undefined ? null : figure("write_bytes") - figure("cancelled_write_bytes");
}

/** Returns the seconds that all cores together have been busy since the system start. */
export function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

/** Returns a running process and its running descendants; empty if unknown. */
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

/**
 * Returns the sum of the first `count` of utime, stime, cutime and cstime in a text of proc(5), `stat`,
 * in seconds.
 */
function secondsOf(stat = "", count: number): number {
  // The second field is the program's name in parentheses, which may contain any text. The times begin at
  // the 14th field.
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
