import { type Command, InvalidArgumentError } from "commander";
import type { Answer } from "../../client/operation_types.ts";
import { listTable } from "../core/table.ts";
import { type Options, print, shown, type Terminal, visible, WrongUsage } from "../core/terminal.ts";
import {
  forgetRemote,
  keepRemote,
  type Remote,
  readRemotes,
  remoteNamed,
  requireRemoteName,
} from "./remotes.ts";

const usualName = "default";

const longestWait = 600;

interface LoginOptions {
  readonly as: string;
  readonly apiKeyStdin?: boolean;
  readonly readOnly?: boolean;
  readonly fresh?: boolean;
  readonly browser: boolean;
  readonly port: number;
}

/** `postern login URL`: signs in through the browser, or stores an API key. */
export function loginCommand(program: Command, terminal: Terminal): void {
  program
    .command("login")
    .description("sign in to a remote server through the browser, or store an API key for it")
    .argument("<url>", "the address of the server, such as https://id.example")
    .option("--as <name>", "the name of the server for --remote", usualName)
    .option("--read-only", "request read access only")
    .option("--fresh", "sign in again even if the browser is signed in; sensitive changes may require this")
    .option("--no-browser", "print the address of the sign-in page without opening it")
    .option(
      "--port <port>",
      "the port to wait for the browser on; use a fixed one with `ssh -L` for a browser on another machine",
      portIn,
      0,
    )
    .option("--api-key-stdin", "store the API key on the first line of standard input")
    .action(async (url: string, own: LoginOptions, command: Command) => {
      const options: Options = command.optsWithGlobals();
      requireRemoteName(own.as);
      const remote = own.apiKeyStdin ? await byApiKey(url, terminal) : await byBrowser(url, own, terminal);
      const { [own.as]: before } = readRemotes(terminal);
      const actor = await callerAt(remote);
      await keepRemote(terminal, own.as, remote);
      if (before !== undefined) await endSession(before, terminal);
      const value = { remote: own.as, url, actor };
      print(terminal, options, value, `${own.as}: ${url}, as ${visible(actor.name)}`);
    });
}

function portIn(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError("expected 0 to 65535.");
  return port;
}

async function byApiKey(url: string, terminal: Terminal): Promise<Remote> {
  const api_key = ((await terminal.readInput()).split(/\r?\n/, 1)[0] ?? "").trim();
  if (api_key === "") throw new WrongUsage("there is no API key on standard input");
  return { url, api_key };
}

async function byBrowser(
  url: string,
  { readOnly = false, fresh = false, browser, port }: LoginOptions,
  terminal: Terminal,
): Promise<Remote> {
  await requireAddress(url);
  const { signInByBrowser } = await import("./browser_sign_in.ts");
  const requested = { reads: readOnly, fresh, port, seconds: longestWait, opens: browser };
  return { url, session: await signInByBrowser(url, requested, terminal) };
}

async function requireAddress(url: string): Promise<void> {
  const { exchange } = await import("../../client/exchange.ts");
  try {
    exchange({ url, credential: "" });
  } catch (error) {
    throw error instanceof TypeError ? new WrongUsage(error.message) : error;
  }
}

async function callerAt(remote: Remote) {
  const { url } = remote;
  await requireAddress(url);
  const [{ ApiProblem, ConnectionError }, { exchange }] = await Promise.all([
    import("../../client/problems.ts"),
    import("../../client/exchange.ts"),
  ]);
  const credential = "api_key" in remote ? remote.api_key : remote.session.access_token;
  try {
    const me = { method: "GET", path: "/api/v1/me", answer: "record" } as const;
    const send = exchange({ url, credential, retries: 0 });
    const { actor } = (await send(me, [], { query: {} })) as Partial<Answer<"getMe">>;
    // A server that is not Postern may return 200 too.
    if (typeof actor?.name !== "string") throw new Error(`${url} is not a Postern server.`);
    return actor;
  } catch (error) {
    if (error instanceof TypeError) throw new WrongUsage(error.message);
    if (error instanceof ConnectionError) throw new Error(`${url} cannot be reached.`, { cause: error });
    if (!(error instanceof ApiProblem)) throw error;
    if (error.code === "unauthorized")
      throw new Error("The server does not accept this API key: it is wrong, expired or revoked.", {
        cause: error,
      });
    throw new Error(error.code === "unknown" ? strangeAnswer(url, error.status) : error.detail, {
      cause: error,
    });
  }
}

/** A response with a 5xx status may come from a proxy while Postern is down. */
function strangeAnswer(url: string, status: number): string {
  return status >= 500
    ? `${url} returned ${status}: the server or its proxy is currently not working.`
    : `${url} is not a Postern server.`;
}

/** A failure only prints a warning, because the stored tokens are deleted in any case. */
async function endSession(remote: Remote, terminal: Terminal): Promise<boolean> {
  if (!("session" in remote)) return false;
  const { revokeSession } = await import("./browser_sign_in.ts");
  try {
    await revokeSession(remote.url, remote.session);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    terminal.err(`The tokens were deleted here, but not revoked at the server. ${why}\n`);
    return false;
  }
}

export function logoutCommand(program: Command, terminal: Terminal): void {
  program
    .command("logout")
    .description(
      "sign out of a remote server, or delete its stored API key, which stays valid until it is revoked",
    )
    .argument("[name]", "the name from postern login --as", usualName)
    .action(async (name: string, _: unknown, command: Command) => {
      const remote = remoteNamed(terminal, name);
      const revoked = await endSession(remote, terminal);
      const { url } = await forgetRemote(terminal, name);
      const text = `${revoked ? "signed out of" : "removed"} ${name}: ${url}`;
      print(terminal, command.optsWithGlobals(), { forgotten: name, url, revoked }, text);
    });
}

export function remotesCommand(program: Command, terminal: Terminal): void {
  program
    .command("remotes")
    .description("list the remote servers for --remote")
    .action((_: unknown, command: Command) => {
      const remotes = Object.entries(readRemotes(terminal)).map(([name, remote]) => ({
        name,
        url: remote.url,
        by: "api_key" in remote ? "api_key" : "sign_in",
      }));
      const rows = remotes.map(({ name, url, by }) => [name, shown(url), by]);
      const table = listTable(["name", "url", "by"], rows, terminal.screen);
      print(terminal, command.optsWithGlobals(), remotes, table);
    });
}
