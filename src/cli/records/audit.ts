import type { Command } from "commander";
import { withProgress } from "../core/progress.ts";
import { escaped, type Options, type Screen, type Terminal } from "../core/terminal.ts";
import { withServer } from "../server/with_server.ts";
import { recordCommand } from "./record_command.ts";
import { addFilterOptions, optionsOf, queryOf } from "./record_options.ts";

const screenless: Screen = { columns: undefined, colours: false };

export async function auditCommand(program: Command, terminal: Terminal): Promise<void> {
  const { resourceOf } = await import("../../admin/resources/resources.ts");
  const resource = resourceOf("audit_events");
  const group = await recordCommand(program, terminal, {
    name: "audit",
    resourceType: "audit_events",
  });

  group.description(`${group.description()}, export`);

  const exporting = group
    .command("export")
    .description("print every matching audit event, one JSON value per line, newest first");
  addFilterOptions(exporting, resource, { pages: false });
  exporting.action(async (_: unknown, command: Command) => {
    const options: Options = command.optsWithGlobals();
    await withServer(
      terminal,
      options,
      async (records) => {
        const query = await queryOf(records, resource, { ...options, limit: "200" });
        // With --json, the pages are joined into one array, because the result of every command is a single
        // value.
        const [begin, between, end] = options.json ? ["[", ",", "]"] : ["", "\n", ""];
        let before = begin;
        // Events that are printed on a terminal already show the progress.
        const { screen, messages } = terminal;
        const shownTo = screen.columns === undefined ? messages : screenless;
        await withProgress({ ...terminal, messages: shownTo }, async (say) => {
          let page = await records.list(resource, query);
          for (let count = 0; ; ) {
            for (const event of page.data) {
              terminal.out(`${before}${escaped(JSON.stringify(event))}`);
              before = between;
            }
            count += page.data.length;
            say(`Events printed: ${count}`);
            if (page.next_cursor === null) break;
            page = await records.list(resource, { ...query, cursor: page.next_cursor });
          }
        });
        if (before === begin) terminal.out(options.json ? "[]\n" : "");
        else terminal.out(`${end}\n`);
      },
      { named: optionsOf(resource) },
    );
  });
}
