/**
 * `postern doctor mcp`: checks which clients of the Model Context Protocol a running server accepts
 * (PR-30).
 */
import type { Command } from "commander";
import { readSettings } from "../core/setting_options.ts";
import { type Options, type Terminal, WrongUsage } from "../core/terminal.ts";
import { typedSecret } from "../core/typed_text.ts";
import { printFindings } from "./findings.ts";
import { mcpClients } from "./mcp_clients.ts";
import { playClients } from "./probe.ts";

export function doctorMcpCommand(doctor: Command, terminal: Terminal): void {
  doctor
    .command("mcp")
    .argument("[url]", "the server's address (default: POSTERN_BASE_URL)")
    .description(
      "try known clients of the Model Context Protocol on a running server; exit code 1 if one fails",
    )
    .option(
      "--token <token>",
      "an initial access token, if the server requires one for registration; use @file to read it from a file or - from standard input",
    )
    .action(async (url: string | undefined, { token }: { token?: string }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const base = addressOf(url ?? readSettings(options, terminal.env).base_url);
      const presented = token === undefined ? undefined : (await typedSecret(token, terminal)).trim();
      printFindings(terminal, options, await playClients(base, mcpClients, presented));
    });
}

function addressOf(url: string | undefined): string {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new WrongUsage("name the address of the server, such as http://localhost:3000");
  }
  return parsed.origin;
}
