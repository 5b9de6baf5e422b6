import type { Command } from "commander";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { withServer } from "../server/with_server.ts";

/** `postern export`. */
export function exportCommand(program: Command, terminal: Terminal): void {
  program
    .command("export")
    .description("print the records as a manifest without secrets: YAML, or JSON with --json")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { stringify } = await import("yaml");
      await withServer(terminal, options, async (server) => {
        const manifest = await server.call("GET", ["export"]);
        // YAML 1.1 readers would not read `no` and `1:30` as strings, so these are quoted.
        print(terminal, options, manifest, options.json ? "" : stringify(manifest, { compat: "yaml-1.1" }));
      });
    });
}
