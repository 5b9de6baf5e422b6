/**
 * The servers elsewhere that commands may work on, each with an API key or the tokens of a sign-in, in a file
 * of this account alone.
 */
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import { makeFolder } from "../../server/make_folder.ts";
import { type Terminal, WrongUsage } from "../core/terminal.ts";

/** What a person's sign-in through the browser gave. */
export interface Session {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  /** When the access token ends, as ISO 8601. */
  readonly expires_at: string;
}

/** A server: its `{base_url}`, and what opens it. */
export type Remote =
  | { readonly url: string; readonly api_key: string }
  | { readonly url: string; readonly session: Session };

type Remotes = Readonly<Record<string, Remote>>;

const fits = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** The file, below the folder that the system has for settings of an account. */
function remotesPath({ env }: Pick<Terminal, "env">): string {
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
      throw new Error(`${path} holds credentials and others may read it: chmod 600 ${path}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  const remotes = remotesIn(text);
  if (remotes === undefined) throw new Error(`${path} is not a file of remotes: delete it and sign in again`);
  return remotes;
}

function remotesIn(text: string): Remotes | undefined {
  try {
    const { remotes } = JSON.parse(text) as { remotes?: unknown };
    if (typeof remotes !== "object" || remotes === null) return undefined;
    return Object.values(remotes).every(isRemote) ? (remotes as Remotes) : undefined;
  } catch {
    return undefined;
  }
}

function isRemote(each: unknown): each is Remote {
  if (!isObject(each) || !isStrings([each.url])) return false;
  if (!isObject(each.session)) return isStrings([each.api_key]);
  const { client_id, access_token, refresh_token, expires_at } = each.session;
  return isStrings([client_id, access_token, refresh_token, expires_at]);
}

/** Throws `WrongUsage` for a name that is none. */
export function requireRemoteName(name: string): void {
  if (!fits.test(name))
    throw new WrongUsage(`"${name}" cannot name a remote: use letters, digits, dots, - and _, at most 64`);
}

/** Keeps it in place of one of the same name. Throws `WrongUsage` for a name that is none. */
export function keepRemote(terminal: Pick<Terminal, "env">, name: string, remote: Remote): void {
  requireRemoteName(name);
  writeRemotes(terminal, { ...readRemotes(terminal), [name]: remote });
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
  const there = known.length === 0 ? "postern login URL adds one" : `known: ${known.join(", ")}`;
  return new WrongUsage(`unknown remote "${name}"; ${there}`);
}

/** Whole or not at all, and never readable by others. */
function writeRemotes(terminal: Pick<Terminal, "env">, remotes: Remotes): void {
  const path = remotesPath(terminal);
  const fresh = `${path}.${process.pid}`;
  makeFolder(dirname(path));
  try {
    writeFileSync(fresh, `${JSON.stringify({ remotes }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    chmodSync(fresh, 0o600);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
