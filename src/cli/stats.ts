import { type Command, Option } from "commander";
import type { StatisticsView } from "../admin/reports/statistics_view.ts";
import { pairs } from "./core/table.ts";
import { counted, type Options, print, type Terminal } from "./core/terminal.ts";
import { withServer } from "./server/with_server.ts";

export async function statsCommand(program: Command, terminal: Terminal): Promise<void> {
  const { periods } = await import("../admin/reports/dashboard.ts");
  program
    .command("stats")
    .description("print counts of tokens, sign-ins and failed requests")
    .addOption(new Option("--period <period>", "the period to count").choices(periods).default("day"))
    .option("--organization <slug>", "only this organization")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const { organization } = options;
        const period = periods.find((each) => each === options.period) ?? "day";
        const organization_id =
          organization === undefined ? undefined : await server.idOf("organizations", String(organization));
        const of = organization_id === undefined ? [] : ["organizations", organization_id];
        const requested = { query: { period }, holds: "counts" };
        const statistics = await server.call<StatisticsView>("GET", [...of, "statistics"], requested);
        const { counts, apps } = statistics;
        const totals = Object.entries(counts).map(([kind, each]): [string, string] => [
          kind,
          String(each.reduce((sum, count) => sum + count, 0)),
        ]);
        const busiest = apps.map(({ client_id, tokens = 0 }): [string, string] => [
          client_id,
          counted(tokens, "token"),
        ]);
        print(terminal, options, statistics, pairs([...totals, ...busiest], terminal.screen));
      });
    });
}
