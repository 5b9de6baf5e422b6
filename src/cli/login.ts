import type { Command } from "commander";
import { forgetRemote, keepRemote, readRemotes } from "./remotes.ts";
import { listTable } from "./table.ts";
import { type Options, print, shown, type Terminal, visible, WrongUsage } from "./terminal.ts";

const usualName = "default";

/** `postern login URL`: keeps an API key of a server elsewhere, after the server has taken it. */
export function loginCommand(program: Command, terminal: Terminal): void {
  program
    .command("login")
    .description("work on the records of a server elsewhere, by an API key of it")
    .argument("<url>", "the address of the server, such as https://id.example")
    .option("--as <name>", "what --remote calls the server from now on", usualName)
    .option("--api-key-stdin", "read the API key from standard input, up to the end of its first line")
    .action(async (url: string, own: { as: string; apiKeyStdin?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      if (own.apiKeyStdin !== true)
        throw new WrongUsage("give --api-key-stdin and the API key on standard input; the console makes one");
      const api_key = ((await terminal.readInput()).split(/\r?\n/, 1)[0] ?? "").trim();
      if (api_key === "") throw new WrongUsage("no API key came from standard input");
      const { actor } = await callerAt(url, api_key);
      keepRemote(terminal, own.as, { url, api_key });
      const value = { remote: own.as, url, actor };
      print(terminal, options, value, `${own.as}: ${url}, as ${visible(actor.name)}`);
    });
}

/** Who the server takes the key for. Throws an Error that says what to do where it takes it for nobody. */
async function callerAt(url: string, credential: string) {
  const { ApiProblem, ConnectionFault, createClient } = await import("../client/client.ts");
  try {
    return await createClient({ url, credential, retries: 0 }).me();
  } catch (error) {
    if (error instanceof TypeError) throw new WrongUsage(error.message);
    if (error instanceof ConnectionFault) throw new Error(`${url} cannot be reached.`, { cause: error });
    if (!(error instanceof ApiProblem)) throw error;
    if (error.code === "unauthorized")
      throw new Error("The server does not take this API key: it is wrong, expired or revoked.", {
        cause: error,
      });
    throw new Error(error.code === "unknown" ? `${url} is no Postern server.` : error.detail, {
      cause: error,
    });
  }
}

/** `postern logout [NAME]`: forgets the API key of a server. */
export function logoutCommand(program: Command, terminal: Terminal): void {
  program
    .command("logout")
    .description("forget the API key of a server elsewhere; the key itself stays good until it is revoked")
    .argument("[name]", "as postern login --as called it", usualName)
    .action((name: string, _: unknown, command: Command) => {
      const { url } = forgetRemote(terminal, name);
      print(terminal, command.optsWithGlobals(), { forgotten: name, url }, `forgot ${name}: ${url}`);
    });
}

/** `postern remotes`: the servers that --remote may name; no key is shown. */
export function remotesCommand(program: Command, terminal: Terminal): void {
  program
    .command("remotes")
    .description("list the servers elsewhere that --remote may name")
    .action((_: unknown, command: Command) => {
      const remotes = Object.entries(readRemotes(terminal)).map(([name, { url }]) => ({ name, url }));
      const rows = remotes.map(({ name, url }) => [name, shown(url)]);
      print(terminal, command.optsWithGlobals(), remotes, listTable(["name", "url"], rows, terminal.screen));
    });
}
