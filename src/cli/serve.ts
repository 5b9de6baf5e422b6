import type { Command } from "commander";
import { readSettings } from "./core/setting_options.ts";
import type { Terminal } from "./core/terminal.ts";

/** `postern serve`. Only this command loads the web server, so that other commands start fast. */
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
