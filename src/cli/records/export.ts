import type { Command } from "commander";
import { actsOnTerminal, type Options, print, type Terminal, WrongUsage } from "../core/terminal.ts";
import { secretOption } from "../core/typed_text.ts";
import { withServer } from "../server/with_server.ts";
import type { PeopleExport } from "./people_file.ts";

export function exportCommand(program: Command, terminal: Terminal): void {
  program
    .command("export")
    .description("print the records as a manifest without secrets: YAML, or JSON with --json")
    .option("--people <file>", "write the users instead, one per line, to a file that postern import reads")
    .option(
      "--with-hashes",
      "with --people: include password hashes and authenticator apps, and encrypt the file (age)",
    )
    .option("--passphrase <passphrase>", `the passphrase that encrypts the file; ${secretOption}`)
    .option("--recipient <key>", "the age public key (age1…) of the person who can decrypt the file")
    .action(async (own: PeopleExport, command: Command) => {
      const options: Options = command.optsWithGlobals();
      if (own.people !== undefined)
        return (await import("./people_file.ts")).writePeople(own, options, terminal);
      if (own.withHashes || own.passphrase !== undefined || own.recipient !== undefined)
        throw new WrongUsage("--with-hashes, --passphrase and --recipient need --people");
      const { Document, visit } = await import("yaml");
      await withServer(terminal, options, async (server) => {
        const manifest = await server.call("GET", ["export"]);
        // YAML 1.1 readers would not read `no` and `1:30` as strings, so these are quoted.
        const document = new Document(options.json ? null : manifest, { compat: "yaml-1.1" });
        visit(document, {
          Scalar(_, scalar) {
            // Only double-quoted strings can contain the escapes of `print`.
            if (typeof scalar.value === "string" && actsOnTerminal(scalar.value))
              scalar.type = "QUOTE_DOUBLE";
          },
        });
        print(terminal, options, manifest, String(document));
      });
    });
}
