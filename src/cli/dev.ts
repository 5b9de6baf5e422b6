import type { Command } from "commander";
import { readSettings } from "./command_context.ts";
import type { Terminal } from "./terminal.ts";

/** Where the demo data live unless a database is named: apart from the data of `postern serve`. */
const demoDatabase = "sqlite:data/dev/postern.db";

/** What a newcomer is to see, where nothing says otherwise; `postern serve` has all of it off. */
const shown = { extraSignIn: "passkey,totp", selfService: "email,export,deletion" } as const;

/** Adds `postern dev`. */
export function devCommand(program: Command, terminal: Terminal): void {
  program
    .command("dev")
    .description("run the server on demo data, with a page that walks through the code flow")
    .action(async (_options, command: Command) => {
      const given = command.optsWithGlobals();
      const { POSTERN_DATABASE_URL, POSTERN_DATABASE_URL_FILE } = terminal.env;
      const named = given.databaseUrl ?? POSTERN_DATABASE_URL ?? POSTERN_DATABASE_URL_FILE;
      const { POSTERN_EXTRA_SIGN_IN, POSTERN_SELF_SERVICE, POSTERN_SIGN_UP } = terminal.env;
      const options = {
        ...given,
        ...(named === undefined && { databaseUrl: demoDatabase }),
        extraSignIn: given.extraSignIn || POSTERN_EXTRA_SIGN_IN || shown.extraSignIn,
        selfService: given.selfService || POSTERN_SELF_SERVICE || shown.selfService,
      };
      const config = readSettings(options, terminal.env);
      // Elsewhere it needs a mail server; the demo keeps its mails.
      const sign_up = given.signUp || POSTERN_SIGN_UP ? config.sign_up : "open";
      const { serveDemo } = await import("../server/demo.ts");
      await serveDemo({ ...config, sign_up }, terminal);
    });
}
