/** The servers elsewhere that commands may work on, each with an API key, in a file of this account alone. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Options, type Terminal, WrongUsage } from "./terminal.ts";

export interface Remote {
  /** `{base_url}` of the server. */
  readonly url: string;
  readonly api_key: string;
}

type Remotes = Readonly<Record<string, Remote>>;

/** The variable that names the remote of every command; the option goes before it. */
export const remoteVariable = "POSTERN_REMOTE";

/** The remote that an option or the environment names. */
export function chosenRemote({ remote }: Options, { env }: Pick<Terminal, "env">): string | undefined {
  return typeof remote === "string" ? remote : env[remoteVariable] || undefined;
}

const fits = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** The file, below the folder that the system has for settings of an account. */
export function remotesPath({ env }: Pick<Terminal, "env">): string {
  const { XDG_CONFIG_HOME, APPDATA, HOME } = env;
  const onWindows = process.platform === "win32" ? APPDATA : undefined;
  return join(XDG_CONFIG_HOME || onWindows || join(HOME || homedir(), ".config"), "postern", "remotes.json");
}

/** Every remote by its name. Throws an Error where others may read the file, or it is none of ours. */
export function readRemotes(terminal: Pick<Terminal, "env">): Remotes {
  const path = remotesPath(terminal);
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new Error(`${path} holds API keys and others may read it: chmod 600 ${path}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  const remotes = remotesIn(text);
  if (remotes === undefined) throw new Error(`${path} is not a file of remotes: remove it and log in again`);
  return remotes;
}

function remotesIn(text: string): Remotes | undefined {
  try {
    const { remotes } = JSON.parse(text) as { remotes?: unknown };
    if (typeof remotes !== "object" || remotes === null) return undefined;
    const isRemote = (each: Partial<Remote> | null) =>
      typeof each?.url === "string" && typeof each.api_key === "string";
    return Object.values(remotes).every(isRemote) ? (remotes as Remotes) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `WrongUsage` for a name that is none. */
export function keepRemote(terminal: Pick<Terminal, "env">, name: string, remote: Remote): void {
  if (!fits.test(name))
    throw new WrongUsage(`"${name}" is no name of a remote: letters, digits, dots, - and _, at most 64`);
  writeRemotes(terminal, { ...readRemotes(terminal), [name]: { url: remote.url, api_key: remote.api_key } });
}

/** Throws `WrongUsage` where there is none of this name. */
export function forgetRemote(terminal: Pick<Terminal, "env">, name: string): Remote {
  const { [name]: forgotten, ...others } = readRemotes(terminal);
  if (forgotten === undefined) throw unknownRemote(terminal, name);
  writeRemotes(terminal, others);
  return forgotten;
}

/** The remote of this name. Throws `WrongUsage` where there is none. */
export function remoteNamed(terminal: Pick<Terminal, "env">, name: string): Remote {
  const remotes = readRemotes(terminal);
  const remote = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
  if (remote === undefined) throw unknownRemote(terminal, name);
  return remote;
}

function unknownRemote(terminal: Pick<Terminal, "env">, name: string): WrongUsage {
  const known = Object.keys(readRemotes(terminal));
  const there =
    known.length === 0 ? "there is none: postern login URL makes one" : `there is ${known.join(", ")}`;
  return new WrongUsage(`"${name}" is no remote; ${there}`);
}

/** Whole or not at all, and never readable by others. */
function writeRemotes(terminal: Pick<Terminal, "env">, remotes: Remotes): void {
  const path = remotesPath(terminal);
  const fresh = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(fresh, `${JSON.stringify({ remotes }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    chmodSync(fresh, 0o600);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
