import type { Command } from "commander";
import type { PublicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { recordText } from "../core/record_text.ts";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { withServer } from "../server/with_server.ts";

const members = ["name", "accent", "logo_url"] as const;

/** `postern brand show|set`: the brand of an organization, which is `settings.brand` of its record. */
export function brandCommand(program: Command, terminal: Terminal): void {
  const group = program
    .command("brand")
    .description("show or set the brand of an organization, or show the server's");
  const organizations = async () =>
    (await import("../../admin/resources/resources.ts")).resourceOf("organizations");

  group
    .command("show")
    .description("show the brand of an organization (default: the server's)")
    .argument("[organization]")
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const resource = await organizations();
      await withServer(terminal, options, async (server) => {
        const brand =
          name === undefined
            ? brandIn({ settings: await server.call("GET", ["server"], { holds: "brand" }) })
            : brandIn(await server.get(resource, await server.idOf("organizations", name)));
        const shown = Object.fromEntries(members.map((member) => [member, brand[member] ?? null]));
        print(terminal, options, shown, recordText(shown, terminal.screen));
      });
    });

  group
    .command("set")
    .description(
      "set the brand of an organization; omitted values stay the same, an empty text removes a value",
    )
    .argument("<organization>")
    .option("--name <name>", "the name on its pages")
    .option("--accent <color>", "the color of buttons and links, such as #0e6655")
    .option("--logo-url <url>", "the address of the logo")
    .action(async (name: string, own: Record<string, string | undefined>, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const resource = await organizations();
      const input = { name: own.name, accent: own.accent, logo_url: own.logoUrl };
      const brand = Object.fromEntries(
        Object.entries(input).flatMap(([member, text]) =>
          text === undefined ? [] : [[member, text || null]],
        ),
      );
      await withServer(terminal, options, async (server) => {
        const id = await server.idOf("organizations", name);
        const now = brandIn(await server.patch(resource, id, { settings: { brand } }));
        print(terminal, options, now, recordText(now, terminal.screen));
      });
    });
}

function brandIn({ settings }: PublicView): Record<string, unknown> {
  const brand = isObject(settings) ? settings.brand : undefined;
  return isObject(brand) ? { ...brand } : {};
}
