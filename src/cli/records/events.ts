import type { Command } from "commander";
import { isFeatureOn } from "../../records/names/profiles.ts";
import { chosenPlace } from "../core/chosen_place.ts";
import { readSettings } from "../core/setting_options.ts";
import { escaped, type Options, type Terminal } from "../core/terminal.ts";
import { warnOn } from "../core/warnings.ts";
import { optionOfPath, ownSettings, withServer } from "../server/with_server.ts";
import { recordCommand } from "./record_command.ts";

/** Seconds that one request waits for new events. */
const wait = "20";

interface FollowOptions extends Options {
  readonly after?: string;
  readonly types?: readonly string[];
  readonly once?: boolean;
}

export async function eventsCommand(program: Command, terminal: Terminal): Promise<void> {
  const { resourceOf } = await import("../../admin/resources/resources.ts");
  const resource = resourceOf("events");
  const group = await recordCommand(program, terminal, {
    ...{ name: "events", resourceType: "events" },
    onEmpty(options) {
      if (chosenPlace(options, terminal).kind !== "database") return;
      const config = readSettings(options, terminal.env);
      if (isFeatureOn("events", config) || isFeatureOn("ssf", config)) return;
      warnOn(terminal)(`the event feed needs POSTERN_EXTRA_FEATURES=events. ${ownSettings}`);
    },
  });
  group.description(`${group.description()}, follow`);
  group
    .command("follow")
    .description("print events as they happen, one JSON value per line")
    .option("--after <position>", "begin after this position or cursor; 0 is the oldest", "latest")
    .option("--types <type...>", "only these types")
    .option("--once", "stop at the newest event instead of waiting")
    .action(async (_: unknown, command: Command) => {
      const options: FollowOptions = command.optsWithGlobals();
      await withServer(
        terminal,
        options,
        async (records) => {
          let after = options.after ?? "latest";
          for (;;) {
            const query = {
              after,
              ...(options.types && { types: options.types.join(",") }),
              ...(!options.once && { wait }),
            };
            const page: { data: readonly object[]; cursor?: string } = await records.list(resource, query);
            for (const event of page.data) terminal.out(`${escaped(JSON.stringify(event))}\n`);
            const next = String(page.cursor ?? after);
            if (options.once && (next === after || after === "latest")) return;
            after = next;
          }
        },
        { named: optionOfPath },
      );
    });
}
