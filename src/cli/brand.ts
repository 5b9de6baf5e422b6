import type { Command } from "commander";
import { isObject } from "../records/json_shapes.ts";
import { withContext } from "./command_context.ts";
import { idOf } from "./record_names.ts";
import { recordText } from "./record_text.ts";
import { type Options, print, type Terminal } from "./terminal.ts";

const members = ["name", "accent", "logo_url"] as const;

/**
 * `postern brand show|set`: the brand of an organization, which is `settings.brand` of its record. The
 * server's own brand is a setting (POSTERN_BRAND_NAME and the like).
 */
export function brandCommand(program: Command, terminal: Terminal): void {
  const group = program
    .command("brand")
    .description("show and set the brand of an organization, or show the server's");

  group
    .command("show")
    .description("show the brand of an organization; without one, the server's")
    .argument("[organization]")
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withContext(terminal, options, async (context, { config }) => {
        const brand =
          name === undefined
            ? config.brand
            : await brandIn(context.store, await idOf(context, "organizations", name));
        const told = Object.fromEntries(members.map((member) => [member, brand[member] ?? null]));
        print(terminal, options, told, recordText(told, terminal.screen));
      });
    });

  group
    .command("set")
    .description("set the brand of an organization; what is not given stays, an empty text removes")
    .argument("<organization>")
    .option("--name <name>", "what its pages are called")
    .option("--accent <colour>", "the colour of buttons and links, such as #0e6655")
    .option("--logo-url <url>", "the address of the logo")
    .action(async (name: string, own: Record<string, string | undefined>, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const [{ resourceOf }, { patchRecord }] = await Promise.all([
        import("../admin/resources/resources.ts"),
        import("../admin/patch_record.ts"),
      ]);
      const given = { name: own.name, accent: own.accent, logo_url: own.logoUrl };
      const brand = Object.fromEntries(
        Object.entries(given).flatMap(([member, text]) =>
          text === undefined ? [] : [[member, text || null]],
        ),
      );
      await withContext(terminal, options, async (context) => {
        const id = await idOf(context, "organizations", name);
        await patchRecord(context, resourceOf("organizations"), id, { settings: { brand } });
        const now = await brandIn(context.store, id);
        print(terminal, options, now, recordText(now, terminal.screen));
      });
    });
}

async function brandIn(
  store: { find(table: "organizations", where: { id: string }): Promise<{ settings: unknown } | undefined> },
  id: string,
): Promise<Record<string, unknown>> {
  const settings = (await store.find("organizations", { id }))?.settings;
  const brand = isObject(settings) ? settings.brand : undefined;
  return isObject(brand) ? { ...brand } : {};
}
