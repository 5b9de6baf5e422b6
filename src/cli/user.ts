import type { Command } from "commander";
import { recordCommand } from "./record_command.ts";
import type { Terminal } from "./terminal.ts";

/** `postern user create|list|get|update|delete`. */
export function userCommand(program: Command, terminal: Terminal): void {
  recordCommand(program, terminal, {
    name: "user",
    noun: "user",
    table: "users",
    argument: "email",
    references: [],
    columns: ["email", "name", "active", "is_platform_admin", "last_login_at", "id"],
    ownOptions: (command) =>
      command
        .option("--password <password>", "the password; other people on this machine may see it here")
        .option("--password-stdin", "read the password from standard input, up to the end of its first line"),
    async ownInput({ password, passwordStdin }, { readInput }) {
      if (passwordStdin === true) return { password: (await readInput()).split(/\r?\n/, 1)[0] };
      return password === undefined ? {} : { password };
    },
    deleteOptions: (command) =>
      command.option("--successor <email>", "who takes over what the user made for organizations"),
    async operations() {
      const users = await import("../admin/users.ts");
      return {
        create: async (context, input) => ({ row: await users.createUser(context, input) }),
        list: (context, _, page) => users.listUsers(context, page),
        get: users.getUser,
        update: users.updateUser,
        remove: (context, name, { successor }) =>
          users.deleteUser(context, name, typeof successor === "string" ? successor : undefined),
      };
    },
  });
}
