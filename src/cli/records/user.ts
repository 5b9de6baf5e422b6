import type { Command } from "commander";
import { recordText } from "../core/record_text.ts";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { secretOption, typedSecret } from "../core/typed_text.ts";
import { withServer } from "../server/with_server.ts";
import { recordCommand } from "./record_command.ts";

export async function userCommand(program: Command, terminal: Terminal): Promise<void> {
  const group = await recordCommand(program, terminal, {
    name: "user",
    resourceType: "users",
    own: ["password", "current_password"],
    ownOptions: (command) =>
      command
        .option("--password <password>", `the password; ${secretOption}`)
        .option("--password-stdin", "read the password from the first line of standard input"),
    async ownInput({ password, passwordStdin }, terminal) {
      if (passwordStdin === true) return { password: (await terminal.readInput()).split(/\r?\n/, 1)[0] };
      return password === undefined ? {} : { password: await typedSecret(password, terminal) };
    },
  });

  group
    .command("sign-in-methods")
    .description("show the sign-in methods of a user, without secrets")
    .argument("<email>")
    .action(async (name: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { resourceOf } = await import("../../admin/resources/resources.ts");
      await withServer(terminal, options, async (records) => {
        const id = await records.idOf("users", name);
        const methods = await records.read(resourceOf("users"), "sign_in_methods", id);
        print(terminal, options, methods, recordText(methods, terminal.screen));
      });
    });

  group
    .command("send-password-reset")
    .description(
      "email a user a password reset link; on the machine of the server, the link is printed instead",
    )
    .argument("<email>")
    .action(async (name: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const sent = await server.call(
          "POST",
          ["users", await server.idOf("users", name), "send-password-reset"],
          { holds: "user_id" },
        );
        print(terminal, options, sent, recordText(sent, terminal.screen));
      });
    });

  group
    .command("export-data")
    .description("print all stored data of a user as JSON, without secrets")
    .argument("<email>")
    .action(async (name: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const data = await server.call("POST", ["users", await server.idOf("users", name), "export-data"], {
          holds: "records",
        });
        print(terminal, options, data, JSON.stringify(data, null, 2));
      });
    });
}
