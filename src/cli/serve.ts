import type { Command } from "commander";
import { readSettings } from "./core/setting_options.ts";
import type { Terminal } from "./core/terminal.ts";

/** Adds `postern serve`. The server is loaded when it is to run, so that no other command waits for it. */
export function serveCommand(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("run the server")
    .action(async (_options, command: Command) => {
      const config = readSettings(command.optsWithGlobals(), terminal.env);
      const { serve } = await import("../server/serve.ts");
      await serve(config, terminal);
    });
}
