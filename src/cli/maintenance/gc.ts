import type { Command } from "commander";
import { withContext } from "../core/command_context.ts";
import { withProgress } from "../core/progress.ts";
import { listTable } from "../core/table.ts";
import { counted, type Options, print, shown, type Terminal } from "../core/terminal.ts";

export function gcCommand(program: Command, terminal: Terminal): void {
  program
    .command("gc")
    .description("remove expired rows, as a running server does automatically")
    .option("--dry-run", "count only")
    .action(async (own: { dryRun?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withContext(terminal, options, async ({ store, now }, { config }) => {
        const { audit_retention: audit_events, event_retention: events } = config;
        const { address_retention: addresses, notify_on_expiry } = config;
        const retention = { audit_events, events, addresses, notify_on_expiry };
        const began = now();
        const removed = await withProgress(terminal, (say) => {
          say(own.dryRun === true ? "Counting expired rows…" : "Removing expired rows…");
          return store.sweep(now(), { dry_run: own.dryRun === true, retention });
        });
        const dry_run = own.dryRun === true;
        const rows = Object.entries(removed).map(([name, count]) => [name, shown(count)]);
        const heading = ["table", dry_run ? "would_be_removed" : "removed"];
        print(terminal, options, { dry_run, removed }, listTable(heading, rows, terminal.screen));
        const total = Object.values(removed).reduce((sum, count) => sum + count, 0);
        const seconds = ((now().getTime() - began.getTime()) / 1000).toFixed(1);
        terminal.err(`${counted(total, "row")} ${dry_run ? "would be " : ""}removed, in ${seconds} s.\n`);
      });
    });
}
