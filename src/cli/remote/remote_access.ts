/** The credential for a remote server: an API key, or the tokens of a sign-in, refreshed when they expire. */
import type { Credential } from "../../client/exchange.ts";
import type { Place } from "../core/chosen_place.ts";
import { type Options, type Terminal, WrongUsage } from "../core/terminal.ts";
import { readNamedFile } from "../core/typed_text.ts";
import { keepRemote, type Remote, readRemotes, remoteNamed, type Session } from "./remotes.ts";

export interface RemoteAccess {
  readonly called: string;
  readonly url: string;
  readonly credential: Credential;
  readonly signIn: string | undefined;
}

/**
 * Returns the access to a server. A named remote has its own credential from `postern login`; for a URL, an
 * API key file takes precedence. Throws `WrongUsage` if there is no credential, or if several remotes have
 * the URL.
 */
export function accessTo(
  place: Exclude<Place, { kind: "database" }>,
  options: Options,
  terminal: Terminal,
): RemoteAccess {
  if (place.kind === "remote") {
    if (options.apiKeyFile !== undefined)
      throw new WrongUsage("--api-key-file needs --server; a remote has its own credential");
    return accessOf(terminal, place.name, remoteNamed(terminal, place.name));
  }
  const { url } = place;
  const file = options.apiKeyFile ?? terminal.env.POSTERN_API_KEY_FILE;
  if (typeof file === "string" && file !== "")
    return { called: url, url, credential: keyIn(file), signIn: undefined };
  const kept = Object.entries(readRemotes(terminal)).filter((each) => isSame(each[1].url, url));
  const [only, ...others] = kept;
  if (only === undefined)
    throw new WrongUsage(
      `not signed in to ${url}: run postern login ${url}, or use --api-key-file or POSTERN_API_KEY_FILE`,
    );
  if (others.length > 0) {
    const named = kept.map(([name]) => `--remote ${name}`).join(", ");
    throw new WrongUsage(`several remotes have the address ${url}: use one of ${named}`);
  }
  return accessOf(terminal, ...only);
}

function keyIn(file: string): string {
  const [key = ""] = readNamedFile(file).split(/\r?\n/, 1);
  if (key.trim() === "") throw new WrongUsage(`${file} does not contain an API key`);
  return key.trim();
}

const isSame = (one: string, other: string): boolean =>
  URL.canParse(other) && new URL(one).href.replace(/\/+$/, "") === new URL(other).href.replace(/\/+$/, "");

function accessOf(terminal: Terminal, name: string, remote: Remote): RemoteAccess {
  const { url } = remote;
  if ("api_key" in remote) return { called: name, url, credential: remote.api_key, signIn: undefined };
  const signIn = `postern login ${url} --as ${name}`;
  let sent: string | undefined;
  const credential: Credential = async ({ refused }) => {
    const { isFresh, refreshSession } = await import("./browser_sign_in.ts");
    // Another command may have refreshed the tokens since they were read.
    const session = sessionNow(terminal, name, url);
    const isNew = session.access_token !== sent;
    const next =
      isFresh(session, terminal.now()) && (isNew || !refused)
        ? session
        : await refreshSession(url, session, terminal.now);
    if (next === undefined)
      throw new Error(`The sign-in to ${name} has expired or was revoked. Sign in again: ${signIn}`);
    if (next !== session) {
      sessionNow(terminal, name, url);
      await keepRemote(terminal, name, { url, session: next });
    }
    sent = next.access_token;
    return sent;
  };
  return { called: name, url, credential, signIn };
}

/**
 * Throws if another command has deleted or replaced the sign-in. Tokens of one server are never sent to
 * another.
 */
function sessionNow(terminal: Terminal, name: string, url: string): Session {
  const { [name]: remote } = readRemotes(terminal);
  if (remote === undefined || !("session" in remote) || !isSame(remote.url, url))
    throw new Error(`The sign-in to ${name} was changed by another command. Run this one again.`);
  return remote.session;
}
