import type { Command } from "commander";
import { recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";
import { secretOption, typedSecret } from "./typed_text.ts";

/** `postern user create|list|get|update|delete`. */
export async function userCommand(program: Command, terminal: Terminal): Promise<void> {
  await recordCommand(program, terminal, {
    name: "user",
    resourceType: "users",
    own: ["password", "current_password"],
    ownOptions: (command) =>
      command
        .option("--password <password>", `the password; ${secretOption}`)
        .option("--password-stdin", "read the password from standard input, up to the end of its first line"),
    async ownInput({ password, passwordStdin }, terminal) {
      if (passwordStdin === true) return { password: (await terminal.readInput()).split(/\r?\n/, 1)[0] };
      return password === undefined ? {} : { password: await typedSecret(password, terminal) };
    },
  });
}
