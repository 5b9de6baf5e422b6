/**
 * Temporarily prevents a process from writing to files. Writes fail with EFBIG instead of ENOSPC, the error
 * on a full disk, but this method does not require root.
 */
import { spawnSync } from "node:child_process";

/** Returns why this machine does not support such a limit; undefined if it does. */
export function whyNoFileLimit(): string | undefined {
  if (process.platform !== "linux") return "limits of a running process are changed on Linux only";
  return spawnSync("prlimit", ["--version"]).error === undefined
    ? undefined
    : "the command prlimit is missing";
}

/** Sets the soft limit of RLIMIT_FSIZE, which the process's owner may raise again. */
function limit(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:`], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the limit could not be changed: ${stderr.trim()}`);
}

export const refuseWrites = (pid: number) => limit(pid, "0");
export const allowWrites = (pid: number) => limit(pid, "unlimited");
