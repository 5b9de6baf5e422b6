/**
 * Stores the remote servers that commands may work on. Only the operating-system user who runs the command
 * can read the file.
 */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import { putFile } from "../../server/files/draft.ts";
import { makeFolder } from "../../server/make_folder.ts";
import { type Terminal, WrongUsage } from "../core/terminal.ts";

export interface Session {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  /** In ISO 8601. */
  readonly expires_at: string;
}

export type Remote =
  | { readonly url: string; readonly api_key: string }
  | { readonly url: string; readonly session: Session };

type Remotes = Readonly<Record<string, Remote>>;

const fits = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

function remotesPath({ env }: Pick<Terminal, "env">): string {
  const { XDG_CONFIG_HOME, APPDATA, HOME } = env;
  const onWindows = process.platform === "win32" ? APPDATA : undefined;
  return join(XDG_CONFIG_HOME || onWindows || join(HOME || homedir(), ".config"), "postern", "remotes.json");
}

/**
 * Returns every remote by name. Throws an Error if other operating-system users may read the file, or the
 * file is invalid.
 */
export function readRemotes(terminal: Pick<Terminal, "env">): Remotes {
  const path = remotesPath(terminal);
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new Error(`${path} contains credentials and other accounts can read it: run chmod 600 ${path}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  const remotes = remotesIn(text);
  if (remotes === undefined)
    throw new Error(`${path} is not a valid remotes file: delete it and sign in again`);
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

export function requireRemoteName(name: string): void {
  if (!fits.test(name))
    throw new WrongUsage(
      `"${name}" is not a valid remote name: use at most 64 letters, digits, dots, - and _`,
    );
}

/** Stores a remote, replacing one of the same name. Throws `WrongUsage` for an invalid name. */
export async function keepRemote(
  terminal: Pick<Terminal, "env">,
  name: string,
  remote: Remote,
): Promise<void> {
  requireRemoteName(name);
  await writeRemotes(terminal, { ...readRemotes(terminal), [name]: remote });
}

/** Deletes a remote and returns it. Throws `WrongUsage` for an unknown name. */
export async function forgetRemote(terminal: Pick<Terminal, "env">, name: string): Promise<Remote> {
  const { [name]: forgotten, ...others } = readRemotes(terminal);
  if (forgotten === undefined) throw unknownRemote(terminal, name);
  await writeRemotes(terminal, others);
  return forgotten;
}

/** Returns the remote of this name. Throws `WrongUsage` for an unknown name. */
export function remoteNamed(terminal: Pick<Terminal, "env">, name: string): Remote {
  const remotes = readRemotes(terminal);
  const remote = Object.hasOwn(remotes, name) ? remotes[name] : undefined;
  if (remote === undefined) throw unknownRemote(terminal, name);
  return remote;
}

function unknownRemote(terminal: Pick<Terminal, "env">, name: string): WrongUsage {
  const known = Object.keys(readRemotes(terminal));
  const there = known.length === 0 ? "add one with postern login URL" : `known: ${known.join(", ")}`;
  return new WrongUsage(`unknown remote "${name}"; ${there}`);
}

/** Writes atomically, and never leaves the file readable by other operating-system users. */
async function writeRemotes(terminal: Pick<Terminal, "env">, remotes: Remotes): Promise<void> {
  const path = remotesPath(terminal);
  makeFolder(dirname(path));
  await putFile(path, `${JSON.stringify({ remotes }, null, 2)}\n`, { replace: true });
}
