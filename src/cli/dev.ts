import type { Command } from "commander";
import { readSettings } from "./command_context.ts";
import type { Terminal } from "./terminal.ts";

/** Where the demo data live unless a database is named: apart from the data of `postern serve`. */
const demoDatabase = "sqlite:data/dev/postern.db";

/** Adds `postern dev`. */
export function devCommand(program: Command, terminal: Terminal): void {
  program
    .command("dev")
    .description("run the server on demo data, with a page that walks through the code flow")
    .action(async (_options, command: Command) => {
      const given = command.optsWithGlobals();
      const { POSTERN_DATABASE_URL, POSTERN_DATABASE_URL_FILE } = terminal.env;
      const named = given.databaseUrl ?? POSTERN_DATABASE_URL ?? POSTERN_DATABASE_URL_FILE;
      const options = named === undefined ? { ...given, databaseUrl: demoDatabase } : given;
      const { serveDemo } = await import("../server/demo.ts");
      await serveDemo(readSettings(options, terminal.env), terminal);
    });
}
