/**
 * A process that may write to no file for a while: EFBIG where a full disk says ENOSPC, and no need of root.
 */
import { spawnSync } from "node:child_process";

/** Why there can be no such limit here; undefined where there can be one. */
export function whyNoFileLimit(): string | undefined {
  if (process.platform !== "linux") return "limits of a running process are changed on Linux only";
  return spawnSync("prlimit", ["--version"]).error === undefined
    ? undefined
    : "the command prlimit is missing";
}

/** The soft limit of RLIMIT_FSIZE, which its owner may raise again. */
function limit(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:`], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the limit could not be changed: ${stderr.trim()}`);
}

export const refuseWrites = (pid: number) => limit(pid, "0");
export const allowWrites = (pid: number) => limit(pid, "unlimited");
