import type { Command } from "commander";
import { withContext } from "./command_context.ts";
import { type Options, print, shown, type Terminal, table } from "./terminal.ts";

/** `postern gc [--dry-run]`. */
export function gcCommand(program: Command, terminal: Terminal): void {
  program
    .command("gc")
    .description("remove what has expired; the server does the same while it runs")
    .option("--dry-run", "count only")
    .action(async (own: { dryRun?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withContext(terminal, options, async ({ store, now }, { config }) => {
        const { audit_retention: audit_events, address_retention: addresses } = config;
        const retention = { audit_events, addresses };
        const removed = await store.sweep(now(), { dry_run: own.dryRun === true, retention });
        const rows = Object.entries(removed).map(([name, count]) => [name, shown(count)]);
        print(terminal, options, { dry_run: own.dryRun === true, removed }, table(rows));
      });
    });
}
